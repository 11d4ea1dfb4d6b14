package scenario

import (
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/unit"
)

// splitting is a document of one job whose members end so.
func splitting(job string) string {
	return `{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"a","gpus":{"v100":1,"k80":1}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":3,"k80":1}}]},
"jobs":[{"id":"j1","model":"m","gpus":2,"steps":100` + job + `}]}}`
}

// TestBalanceCompiles: what a split can do reaches the problem, with its defaults; jobs with the same split share one;
// what is said as it is by default moves no id.
func TestBalanceCompiles(t *testing.T) {
	even := mustParse(t, splitting(``))
	p, _ := Compile(even, nil)
	if p.Jobs[0].Shape.Split != nil {
		t.Error("a batch is split by speed where nobody says so")
	}
	perfect := mustParse(t, splitting(`,"batch_split":"balanced"`))
	said := mustParse(t, splitting(`,"batch_split":"balanced","balance":{"overhead":0,"check_s":60,"band":0.2}`))
	if p, _ := Compile(said, nil); !p.Jobs[0].Shape.Split.Perfect() {
		t.Errorf("%+v is not perfect", p.Jobs[0].Shape.Split)
	}
	if p, _ := Compile(perfect, nil); !p.Jobs[0].Shape.Split.Perfect() {
		t.Errorf("%+v is not perfect", p.Jobs[0].Shape.Split)
	}
	learned := `,"batch_split":"learned","balance":{"overhead":0.3,"least":0.25,"most":1.5,"change_s":2}`
	d := mustParse(t, strings.Replace(splitting(learned), `}]}}`,
		`},{"id":"j2","model":"m","gpus":2,"steps":5`+learned+`}]}}`, 1))
	p, _ = Compile(d, nil)
	s := p.Jobs[0].Shape.Split
	if s.Overhead != 0.3 || s.Least != 0.25 || s.Most != 1.5 || !s.Learned || s.Band != 0.2 ||
		s.Check != 60*unit.Second || s.Change != 2*unit.Second {
		t.Errorf("compiled to %+v", s)
	}
	if p.Jobs[1].Shape.Split != s {
		t.Error("two jobs that split alike do not share it")
	}
	again, err := Parse(d.Marshal(false), FileLimits)
	if len(err) > 0 || again.ID(nil) != d.ID(nil) || !strings.Contains(string(d.Canonical(nil)), `"most":1.5`) {
		t.Errorf("%v: %s", err, d.Canonical(nil))
	}
}

// TestBalanceIsChecked: a limit that is broken is said with its field, and a balance without effect too.
func TestBalanceIsChecked(t *testing.T) {
	for _, c := range []struct {
		job, path, says, fix string
		level                jsondoc.Level
	}{
		{`,"batch_split":"balanced","balance":{"overhead":1}`, "/balance/overhead", "0.95", "", jsondoc.LevelError},
		{`,"batch_split":"balanced","balance":{"least":1.2}`, "/balance/least", "1", "", jsondoc.LevelError},
		{`,"batch_split":"balanced","balance":{"most":0.5}`, "/balance/most", "1", "", jsondoc.LevelError},
		{`,"batch_split":"learned","balance":{"check_s":0.5}`, "/balance/check_s", "1", "", jsondoc.LevelError},
		{`,"batch_split":"learned","balance":{"band":0}`, "/balance/band", "0.01", "", jsondoc.LevelError},
		{`,"batch_split":"best"`, "/batch_split", "learned", "", jsondoc.LevelError},
		{`,"balance":{"most":2}`, "/balance", "evenly", "batch_split", jsondoc.LevelWarning},
		{`,"batch_split":"learned","redundancy":{"backup":1}`, "/redundancy", "split by speed", "", jsondoc.LevelError},
		{`,"batch_split":"balanced","balance":{"change_s":2}`, "/balance", "learned", "learned", jsondoc.LevelWarning},
	} {
		_, diags := Parse([]byte(splitting(c.job)), FileLimits)
		found := false
		for _, d := range diags {
			if d.Path == "/scenario/jobs/0"+c.path && d.Level == string(c.level) {
				fix := d.Fix.String()
				found = strings.Contains(d.Message.String()+fix, c.says) && strings.Contains(fix, c.fix)
			}
		}
		if !found {
			t.Errorf("%s is answered with %+v", c.job, diags)
		}
	}
}
