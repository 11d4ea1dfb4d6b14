package study

import "hadarlab/core/scenario"

// Splits are how the jobs of a study may split their batches, beside evenly: without a limit, or learned by checks
// every minute, a fifth of a step staying as it is.
var Splits = []string{"even", scenario.SplitBalanced, scenario.SplitLearned}

// Split lets every job of the case split its batch so on GPUs of several types. Its drawn jobs become listed ones.
func (c *Case) Split(how string) {
	if how == Splits[0] {
		return
	}
	c.Doc = scenario.Freeze(c.Doc)
	for i := range c.Doc.Scenario.Jobs {
		j := &c.Doc.Scenario.Jobs[i]
		if j.BatchSplit = how; how == scenario.SplitLearned {
			j.Balance = scenario.NewBalance()
			j.Balance.Overhead = 0.2
		}
	}
}
