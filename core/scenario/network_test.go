package scenario

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
)

// TestNetworkSpeeds holds what a row with gradients runs at by tier: eight GPUs in nodes of four, hand-computed for
// ResNet-50's 102.4 MB; what was measured goes before what follows from the network, and bounds it.
func TestNetworkSpeeds(t *testing.T) {
	d := mustParse(t, `{"kind":"scenario","version":1,"scenario":{"cluster":{
"nodes":[{"id":"a","rack":"x","gpus":{"v100":4}},{"id":"b","rack":"x","gpus":{"v100":4}},{"id":"c","rack":"y","gpus":{"v100":4}}],
"network":{"node_gb_per_s":130,"nic_gb_per_s":11}},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10},"gradient_mb":102.4},
{"model":"given","per_gpu":{"v100":10},"gang":{"v100":{"4":30}},"spread":{"v100":{"8":5}},"far":{"v100":{"8":4,"4":2}},"gradient_mb":102.4}]},
"jobs":[{"id":"j1","model":"m","gpus":8,"steps":1},{"id":"j2","model":"given","gpus":8,"steps":1}]}}`)
	p, diags := Compile(d, nil)
	if p == nil {
		t.Fatal(diags)
	}
	rate := func(table int, size int32, tier model.Tier) float64 {
		return float64(p.Tables[table].Rate(0, size, tier))
	}
	for _, c := range []struct {
		size       int32
		tier       model.Tier
		comm, want float64
	}{
		{1, model.OneNode, 0, 10}, {8, model.OneRack, 10.53e-3, 0}, {8, model.Network, 38.46e-3, 0},
	} {
		if c.want == 0 {
			c.want = 8 / (0.1 + c.comm)
		}
		if got := rate(0, c.size, c.tier); math.Abs(got/c.want-1) > 0.002 {
			t.Errorf("%d GPUs at tier %d run at %v, want %v", c.size, c.tier, got, c.want)
		}
	}
	if rate(1, 4, model.OneNode) != 30 || rate(1, 8, model.OneRack) != 5 || rate(1, 8, model.Network) != 4 ||
		rate(1, 4, model.Network) != 2 || rate(1, 4, model.OneRack) > 30 {
		t.Error("what was measured is not what it runs at")
	}
	c := d.Clone()
	if c.Scenario.Cluster.Network.Congestion = 10; c.ID(nil) == d.ID(nil) {
		t.Error("the network is part of a scenario's identity")
	}
}

// TestSharedLinks: that links are not shared is the same whether it is said or not, and moves no id; that they are is
// part of a scenario's identity and gives the problem its network and the tables that share it their gradients, and
// moves no speed of a gang alone.
func TestSharedLinks(t *testing.T) {
	doc := func(shared string) *Document {
		return mustParse(t, `{"kind":"scenario","version":1,"scenario":{"cluster":{
"nodes":[{"id":"a","rack":"x","gpus":{"v100":4}},{"id":"b","rack":"x","gpus":{"v100":4}},{"id":"c","rack":"y","gpus":{"v100":4}}],
"network":{"node_gb_per_s":130,"nic_gb_per_s":11`+shared+`}},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10},"gradient_mb":102.4},
{"model":"spread","per_gpu":{"v100":10},"spread":{"v100":{"8":5}},"gradient_mb":102.4},
{"model":"far","per_gpu":{"v100":10},"far":{"v100":{"8":5}},"gradient_mb":102.4},
{"model":"none","per_gpu":{"v100":10}}]},
"jobs":[{"id":"j1","model":"m","gpus":8,"steps":1},{"id":"j2","model":"spread","gpus":8,"steps":1},
{"id":"j3","model":"far","gpus":8,"steps":1},{"id":"j4","model":"none","gpus":8,"steps":1}]}}`)
	}
	off, no, on := doc(``), doc(`,"shared_links":false`), doc(`,"shared_links":true`)
	if off.ID(nil) != no.ID(nil) || off.ID(nil) == on.ID(nil) ||
		strings.Contains(string(no.Marshal(false)), "shared") ||
		!strings.Contains(string(on.Marshal(false)), `"shared_links":true`) {
		t.Errorf("ids are %s, with false %s, with true %s", off.ID(nil), no.ID(nil), on.ID(nil))
	}
	p, _ := Compile(on, nil)
	q, _ := Compile(off, nil)
	if q.Links != nil || q.Tables[0].Gradients != 0 {
		t.Error("links are shared where nobody says so")
	}
	if p.Links == nil || p.Links.Oversubscription != 4 || p.Tables[0].Gradients != 102.4e6 ||
		p.Tables[1].Gradients != 0 || p.Tables[2].Gradients != 0 || p.Tables[3].Gradients != 0 {
		t.Errorf("links %+v; gradients %v, %v, %v, %v", p.Links, p.Tables[0].Gradients, p.Tables[1].Gradients,
			p.Tables[2].Gradients, p.Tables[3].Gradients)
	}
	for tier := range model.Tier(model.Tiers) {
		if a, b := p.Tables[0].Rate(0, 8, tier), q.Tables[0].Rate(0, 8, tier); a != b {
			t.Errorf("alone at tier %d it runs at %v, without sharing at %v", tier, a, b)
		}
	}
}

// TestAWrongNetworkJudgesNoGang: of jobs whose speeds follow from a network that lacks its figures nothing is said;
// they were told what they could get, one GPU less than they ask for.
func TestAWrongNetworkJudgesNoGang(t *testing.T) {
	_, diags := Parse([]byte(`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}],
"network":{}},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10},"gradient_mb":102.4}]},
"jobs":[{"id":"j1","model":"m","gpus":3,"steps":1}]}}`), FileLimits)
	wrong := 0
	for _, d := range diags {
		if strings.HasPrefix(d.Path, "/scenario/jobs") {
			t.Errorf("%s: %s", d.Path, d.Message)
		}
		wrong++
	}
	if wrong < 2 {
		t.Error("the network is not refused: ", diags)
	}
}
