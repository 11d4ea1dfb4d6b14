// Package cases has three small scenarios on which a program is tried beside its own: what programs are wrong about
// that have seen one scenario only. They are nobody's secret.
package cases

import (
	"fmt"
	"strings"
)

// Case is a scenario document without policies.
type Case struct{ ID, Text string }

// All are the three. In the first nobody is there for a while, and jobs come one by one. The second has two GPU types,
// one of which a job cannot use, and a job that only both together can hold. In the third many jobs come at once.
var All = []Case{
	{"gap", document(`{"id":"n1","gpus":{"v100":2}}`, `{"model":"m","per_gpu":{"v100":1}}`,
		`{"id":"a","model":"m","gpus":1,"steps":600}`,
		`{"id":"b","model":"m","gpus":2,"steps":600,"arrival_s":7200}`,
		`{"id":"c","model":"m","gpus":1,"steps":1200,"arrival_s":7260}`,
		`{"id":"d","model":"m","gpus":1,"steps":300,"arrival_s":7320}`)},
	{"types", document(`{"id":"n1","gpus":{"v100":2}},{"id":"n2","gpus":{"k80":2}}`,
		`{"model":"m","per_gpu":{"v100":4,"k80":1}},{"model":"only-v100","per_gpu":{"v100":2}}`,
		`{"id":"a","model":"m","gpus":2,"steps":4000}`,
		`{"id":"b","model":"only-v100","gpus":1,"steps":2000}`,
		`{"id":"c","model":"m","gpus":2,"steps":2000,"arrival_s":60}`,
		`{"id":"both","model":"m","gpus":4,"steps":2000,"arrival_s":120}`,
		`{"id":"d","model":"only-v100","gpus":2,"steps":1000,"arrival_s":180}`)},
	{"burst", document(`{"id":"n1","gpus":{"v100":4}},{"id":"n2","gpus":{"v100":4}}`,
		`{"model":"m","per_gpu":{"v100":1}}`, burst()...)},
}

func document(nodes, rows string, jobs ...string) string {
	return `{"kind":"scenario","version":1,"scenario":{"round_s":360,"cluster":{"nodes":[` + nodes +
		`]},"throughputs":{"rows":[` + rows + `]},"jobs":[` + strings.Join(jobs, ",") + `]}}`
}

// burst are 24 jobs that come at once: long ones first, and each size of 1, 2, 4 and 8 GPUs.
func burst() (jobs []string) {
	for i := range 24 {
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m","gpus":%d,"steps":%d}`, i+1, 1<<(i%4), 3000/(1+i%5)))
	}
	return jobs
}
