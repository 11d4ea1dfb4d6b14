package words

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Term is a word of the field with what it means, in one sentence.
type Term struct {
	Word  string
	Means string   // a message key
	Said  string   // its forms in running text, a message key with | between them, "" = it is named in headings only
	Named []string // headings that name it, message keys
}

// Glossary holds the terms that explain themselves where they stand. The manual prints it.
var Glossary = [...]Term{
	{"utility, or worth",
		"How much a placement is to a job: the sooner the job would be complete there, the more.",
		"utility|utilities|worth", []string{"Worth"}},
	{"price",
		"What one GPU costs for a round: it rises as those of its type on its node are taken, so that the last ones go to the jobs to which they are worth most.",
		"price|prices", []string{"Prices", "Price of a GPU", "Price of the node", "price of a taken node",
			"price of an empty node"}},
	{"cost",
		"The prices of all GPUs of a placement, added up.",
		"cost|costs", []string{"Cost"}},
	{"payoff, or gain",
		"What a placement is worth to a job less what it costs: of the sets of placements that the search compares, the one is taken that brings most in all, and none at 0 or less unless GPUs may not idle; in phase 2 of HadarE, which charges nothing, by how much a copy raises what a round is worth.",
		"payoff|payoffs|gain|gains", []string{"Gain", "Gain a GPU"}},
	{"target",
		"The part of its time for which a job is to run on a GPU type, as the policy has computed it.",
		"Target|target|targets|due", []string{"Target", "Shares"}},
	{"received",
		"A job’s part of the time that all jobs together have had on a GPU type since the targets were computed; everybody starts with half a round.",
		"Received|received|having had", []string{"Received"}},
	{"priority",
		"Target ÷ received: on each GPU type the job with the largest priority goes first.",
		"Priority|priority", []string{"Priority"}},
	{"owed",
		"The time that a job should have had by the targets before these, and has not had: of jobs of equal priority the one that is owed most goes first.",
		"owe|owed", nil},
	{"effective throughput",
		"The mean speed that its targets give a job: its speed on one node of each GPU type × its target there, added up; over several nodes it runs as much slower as distance makes it.",
		"throughput", []string{"throughput", "total throughput"}},
	{"normalised throughput, or progress",
		"A job’s effective throughput × its GPUs ÷ its weight, against that with its time spread over the GPU types as the cluster’s GPUs are, so that jobs of all models can be compared.",
		"normalised throughput|normalised progress|progress", []string{"normalised throughput", "least normalised throughput"}},
	{"level",
		"The least progress among the jobs that can still gain: water filling raises it as far as it goes, fixes it, and goes on with the other jobs.",
		"level by level", []string{"level", "first level"}},
	{"isolated slice",
		"One n-th of every GPU type, as if the cluster were divided among its n jobs; ρ counts types with fewer GPUs than the job asks for as well, as Gavel’s formula does, and GPUs while they are not in service, which Gavel’s policies here do not.",
		"isolated slice|slice of its own|equal share", []string{"isolated throughput", "finish after arrival on a slice of its own", "On an equal share"}},
	{"finish estimate",
		"When the job would be complete if its targets stayed as they are.",
		"", []string{"finish estimate after arrival"}},
	{"ρ (finish-time fairness)",
		"A job’s time to completion ÷ its time on an equal slice of the cluster of its own: above 1, sharing has cost it time, unless the slice counts GPU types of which the cluster has too few for it, GPUs that are not in service, or speeds on one node for a gang that no node holds.",
		"fairness ρ|ρ", []string{"Fairness", "Fairness ρ", "fairness ρ", "Worst fairness ρ", "Mean fairness ρ",
			"Median fairness ρ", "95 % fairness ρ", "largest rho"}},
	{"best speed",
		"A job’s speed with its GPUs all on one node and of the type on which it is fastest, even where the cluster " +
			"has too few of it or no node so many, so that its best time is out of reach; for Hadar over two nodes " +
			"where that is faster, for HadarE on the node on which one copy is fastest, and in lower bounds with as " +
			"many GPUs as there are.",
		"best speed", nil},
	{"attained service",
		"The GPU time that a job has had so far: its GPUs × the time for which it has held them.",
		"attained service|service", []string{"Attained service"}},
	{"service so far, of Gittins",
		"What a job has done, in GPU-seconds of its best type; slow GPUs and stalls count for less.",
		"", []string{"Service so far"}},
	{"queue of Tiresias",
		"A job starts in queue 1 and moves to the next when its attained service reaches a limit: lower numbers go first.",
		"queue|queues", []string{"In queue"}},
	{"Gittins index",
		"The service that goes to jobs of this age for each of them that finishes soon: whoever has the least goes first.",
		"", []string{"Service per finished job"}},
	{"lease",
		"The time for which a job may keep the GPUs that it has won; after it they are auctioned anew.",
		"lease|leases|leased", []string{"Lease"}},
	{"bid",
		"What a job tells the auction of free GPUs: its ρ if it gets all that it asks for.",
		"bid|bids", nil},
	{"f of Themis",
		"The fairness knob: only the part 1 − f of the jobs without a lease, rounded up and at least one, may bid: those with the largest ρ.",
		"1 − f", nil},
	{"weight",
		"How much a job counts beside the others: one of weight 2 is to have twice as much as one of weight 1.",
		"weight", nil},
	{"preemption",
		"Taking a whole gang from a job before it is complete, as HadarE takes a copy; a job that shrinks is moved, and one without a gang goes on later from where it stopped, or after a fault from its last checkpoint.",
		"preemption|preempted", []string{"Preemptions"}},
	{"goodput",
		"Throughput × efficiency: how much is learned in a second; of larger batches more examples pass, and each teaches less.",
		"goodput|Goodput", []string{"Goodput"}},
	{"power mean",
		"A mean in which, for p below 1, slow jobs count most: to speed them up raises it most.",
		"power mean", nil},
	{"stall",
		"Time in which a job holds GPUs without progress, because it starts, restarts or merges its copies.",
		"stall|stalls", []string{"Stalled, GPU-h"}},
	{"copy of HadarE",
		"One of several parts of a job that train on different nodes at the same time and are merged into one after each round.",
		"copy|copies", []string{"Copy on"}},
	{"phase of HadarE",
		"Phase 1 gives each job one copy at most, phase 2 gives the GPUs that are left to the jobs to which a copy adds most.",
		"phase 1|phase 2|Phase 1|Phase 2", []string{"Phase"}},
	{"competitive ratio",
		"How many times as much as a policy that does not know the jobs to come the best schedule in hindsight can be worth that gives a job only the gang it asks for; the theoretical bound is of nodes with many GPUs, and no promise for those of a few.",
		"competitive ratio", []string{
			"competitive ratio measured on this run, against such schedules, at most",
			"theoretical bound of Hadar’s family on the competitive ratio, 2α",
			"α, half the bound on the competitive ratio"}},
	{"primal and dual value",
		"The primal value is the sum of the utilities of the jobs that run; the dual bound, made of the prices, is one that no schedule exceeds that gives a present job only the gang it asks for, on the GPUs in service, and ends by the horizon T, if the jobs keep the speeds of now and these and their lengths are as believed; copies of HadarE, other sizes and shared GPUs may.",
		"", []string{"Sum of the utilities of the jobs that run", "Sum of the utilities of the first copies",
			"At the speeds of now and for the work left, as believed, no schedule of the present jobs with only the gangs asked for, on the GPUs in service and until the horizon T, reaches more than"}},
	{"value of a whole run",
		"The utilities that the completed jobs reached, added up, and those that all arrived jobs would have at their best speed from arrival on with the gang they ask for, which no schedule exceeds that gives them only that; copies of HadarE, other sizes and shared GPUs may.",
		"", []string{"primal value measured on this run",
			"bound on the value of schedules of only the gangs asked for"}},
	{"U_min, U_max",
		"The prices of a GPU type on a node when none of it is taken there and when all of it is.",
		"U_min|U_max", []string{"price of a {0}, node empty (U_min)", "price of a {0}, node full (U_max)",
			"η, which the lowest price is divided by"}},
	{"horizon T",
		"The time by which the present jobs would be complete one after the other, each at its slowest and in whole rounds: the lowest prices follow from it.",
		"horizon T", []string{"horizon T"}},
	{"relative gap",
		"How far the result may lie from the true optimum at most, as a part of it.",
		"", []string{"relative gap"}},
	{"utilisation",
		"The part of all GPUs that make progress; those that are held during a stall do not count.",
		"utilisation", []string{"Utilisation", "GPUs busy"}},
	{"completion time (JCT)",
		"The time from a job’s arrival until it is complete, waits included.",
		"completion time|completion times", []string{"Mean completion (JCT)", "Completion"}},
	{"makespan",
		"The time from the first arrival until the last job is complete.",
		"", []string{"Last finish (makespan)"}},
	{"Σ, Π, ∝",
		"Σ is the sum and Π the product of what follows, over all that it names; what stands left of ∝ grows with what stands right of it.",
		"Σ|Π|∝", nil},
	{"max min, min max",
		"Max min makes the least of all as large as possible, min max the largest as small as possible.",
		"max min|min max", nil},
	{"E, P, a, Δ",
		"Of the jobs that have had as much service as this one, a, E is the mean service that they take within a further Δ, and P the probability that they finish in it.",
		"E[|P(|Δ", nil},
}

// Meaning says what the term means that a heading names, in the catalogue's language, and "" where it names none. The
// heading is a message key or what the reader sees of it; a unit may follow it.
func (c Catalogue) Meaning(heading string) string {
	name, _, _ := strings.Cut(heading, ", ")
	for _, t := range Glossary {
		if slices.ContainsFunc(t.Named, func(key string) bool {
			return name == key || heading == key || name == c.T(key) || heading == c.T(key)
		}) {
			return c.T(t.Means)
		}
	}
	return ""
}

// Mark is where a text names a term.
type Mark struct {
	From, To int // in bytes
	Means    string
}

// Marks finds the terms of the glossary in a text in the catalogue's language, each once, from left to right. Longer
// names are looked for first, and nothing is part of two.
func (c Catalogue) Marks(text string) (out []Mark) {
	type form struct{ said, means string }
	var forms []form
	for _, t := range Glossary {
		for _, said := range strings.Split(c.T(t.Said), "|") {
			forms = append(forms, form{said, c.T(t.Means)})
		}
	}
	sort.SliceStable(forms, func(i, j int) bool { return len(forms[i].said) > len(forms[j].said) })
	for _, f := range forms {
		if slices.ContainsFunc(out, func(m Mark) bool { return m.Means == f.means }) {
			continue
		}
		for at := findWord(text, f.said, 0); at >= 0; at = findWord(text, f.said, at+1) {
			m := Mark{at, at + len(f.said), f.means}
			if !slices.ContainsFunc(out, func(o Mark) bool { return m.From < o.To && o.From < m.To }) {
				out = append(out, m)
				break
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].From < out[j].From })
	return out
}

// findWord is where, from a place on, a word stands in a text and is not part of another, -1 = nowhere.
func findWord(text, word string, from int) int {
	for word != "" && from < len(text) {
		at := strings.Index(text[from:], word)
		if at < 0 {
			break
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		open := strings.HasSuffix(word, "[") || strings.HasSuffix(word, "(")
		if !unicode.IsLetter(before) && (open || !unicode.IsLetter(after)) {
			return at
		}
		from = at + len(word)
	}
	return -1
}
