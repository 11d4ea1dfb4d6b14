package scenario

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Words of Job.BatchSplit beside "", even.
const (
	SplitBalanced = "balanced" // by the speeds of the GPUs, from the start
	SplitLearned  = "learned"  // the same, found out by measuring
)

// Balance is what a batch that is split by speed can do, and how the split is learned: see model.Split.
type Balance struct {
	Overhead float64 // part of a step at the even share that does not shrink with a GPU's share; default 0
	Least    float64 // share of a GPU at least, in even shares; default 0
	Most     float64 // and at most; 0 = no bound, the default
	CheckS   float64 // s of training between two checks of a learned split; Parse fills the default, 60
	ChangeS  float64 // s that a gang stands still for a change of shares; default 0
	Band     float64 // dead band, a part of the mean time; Parse fills the default, 0.2
	Extra    jsondoc.Extra
}

const (
	defaultCheckS = 60
	defaultBand   = 0.2

	codeBalance = "unused-balance" // warning: a balance of a batch that is split evenly, or of gangs that never mix
)

var _ = describe[Balance](table{
	{name: "overhead", high: 0.95},
	{name: "least", high: 1},
	{name: "most", low: 1, high: MaxGangGPUs, zero: true},
	{name: "check_s", low: 1, high: MaxSeconds, def: defaultCheckS, unit: " s"},
	{name: "change_s", high: MaxSeconds, unit: " s"},
	{name: "band", low: 0.01, high: 0.9, def: defaultBand},
})

// NewBalance is a balance that limits nothing.
func NewBalance() *Balance { return &Balance{CheckS: defaultCheckS, Band: defaultBand} }

// Plain says that it is one.
func (b *Balance) Plain() bool {
	return b.Overhead == 0 && b.Least == 0 && b.Most == 0 && b.ChangeS == 0 && b.CheckS == defaultCheckS &&
		b.Band == defaultBand && b.Extra == nil
}

// balance checks how a job splits its batch.
func (c *checker) balance(p jsondoc.Place, who words.Text, j *Job) {
	b := j.Balance
	if b == nil {
		return
	}
	c.fields(p.At("balance"), who, b)
	learns := b.CheckS != defaultCheckS || b.ChangeS != 0 || b.Band != defaultBand
	switch {
	case j.BatchSplit == "":
		c.Add(jsondoc.LevelWarning, p.At("balance").String(), codeBalance,
			words.Say("{0} says how its batch is balanced, and splits it evenly", who),
			words.Say(`Let batch_split be "balanced" or "learned", or remove balance.`))
	case j.BatchSplit == SplitBalanced && learns:
		c.Add(jsondoc.LevelWarning, p.At("balance").String(), codeBalance,
			words.Say("{0} has check_s, change_s or band, of a split that is learned; its own is the best from the start",
				who),
			words.Say(`Let batch_split be "learned", or remove them.`))
	}
}

// splits gives the jobs whose splits are alike the same one.
type splits map[model.Split]*model.Split

// of is a job's; nil = even.
func (s splits) of(j *Job) *model.Split {
	if j.BatchSplit == "" {
		return nil
	}
	var x model.Split
	b := j.Balance
	if b == nil {
		b = NewBalance()
	}
	x = model.Split{Overhead: jsondoc.Round9(b.Overhead), Least: jsondoc.Round9(b.Least), Most: jsondoc.Round9(b.Most)}
	if j.BatchSplit == SplitLearned {
		x.Learned, x.Band = true, jsondoc.Round9(b.Band)
		x.Check, x.Change = unit.Seconds(jsondoc.Round9(b.CheckS)), unit.Seconds(jsondoc.Round9(b.ChangeS))
	}
	if s[x] == nil {
		s[x] = &x
	}
	return s[x]
}
