package scenario

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// Tenant is a group of jobs with a share of its own (Gavel's entity). Jobs that name no tenant
// form one together, of weight 1.
type Tenant struct {
	ID     string
	Title  string
	Weight float64 // of the tenant's share among tenants; Parse fills the default, 1
	Order  string  // how its jobs share: "" = "fair", by their weights, the default; "fifo", in order of arrival
	Extra  jsondoc.Extra
}

var _ = describe[Tenant](table{
	{name: "id", need: true},
	{name: "title", high: maxTitle},
	{name: "weight", above: true, high: MaxWeight, def: DefaultWeight},
	{name: "order", words: []string{orderFair, orderFIFO}},
})

const (
	orderFair  = "fair"
	orderFIFO  = "fifo"
	maxTenants = 1_000
	maxTitle   = 80
	atTenants  = "/scenario/tenants"
)

func (c *checker) tenants(tenants []Tenant) {
	c.Most(atTenants, words.Say("tenants"), len(tenants), maxTenants)
	seen := make(map[string]int, len(tenants))
	for i := range tenants {
		t := &tenants[i]
		p := jsondoc.EntryAt(atTenants, i)
		who := called(t.ID, "tenant {0}", i)
		c.unique(seen, i, t.ID, "tenant id", "tenants {0} and {1} have the id {2}", p)
		c.fields(p, who, t)
	}
}

// member reports a job of a tenant that is not listed.
func (c *checker) member(p jsondoc.Place, who words.Text, j *Job, tenants map[string]int) {
	if _, ok := tenants[j.Tenant]; ok || j.Tenant == "" || c.IsWrong(atTenants) {
		return
	}
	names := jsondoc.Keys(tenants)
	fix := jsondoc.Meant(j.Tenant, names[:min(len(names), maxTenants)],
		words.Say("Add it to tenants, or remove tenant from the job."))
	c.Fail(p.At("tenant").String(), codeNoTenant, words.Say("{0}: there is no tenant {1}", who,
		jsondoc.Quote(j.Tenant)),
		fix)
}

func tenantIndex(tenants []Tenant) map[string]int {
	index := make(map[string]int, len(tenants))
	for i := range tenants {
		index[tenants[i].ID] = i
	}
	return index
}

// compileTenants gives the tenants by name and the index of each; that of jobs without one comes
// first, under the empty name, when there are such jobs.
func compileTenants(s *Scenario) (out []model.Tenant, index map[string]int32) {
	of := tenantIndex(s.Tenants)
	for i := range s.Jobs {
		if s.Jobs[i].Tenant == "" {
			out = append(out, model.Tenant{Weight: DefaultWeight})
			break
		}
	}
	for _, id := range jsondoc.Keys(of) {
		t := &s.Tenants[of[id]]
		out = append(out, model.Tenant{Name: id, Weight: jsondoc.Round9(t.Weight), FIFO: t.Order == orderFIFO})
	}
	index = make(map[string]int32, len(out))
	for i := range out {
		index[out[i].Name] = int32(i)
	}
	return out, index
}
