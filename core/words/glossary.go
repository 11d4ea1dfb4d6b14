package words

import (
	"slices"
	"strings"
)

// Term is a word of the field with what it means, in one sentence.
type Term struct {
	Word  string
	Means string   // a message key
	Named []string // headings that name it, message keys
}

// Glossary holds the terms that explain themselves where they stand. The manual prints it.
var Glossary = [...]Term{
	{"utility, or worth", "How much a placement is to a job: the more progress the job makes there, the more.",
		[]string{"Worth"}},
	{"price",
		"What one GPU costs for a round: it rises as its node fills, so that the last GPUs go to the jobs to which they are worth most.",
		[]string{"Prices", "Price of a GPU", "price of a taken node", "price of an empty node"}},
	{"cost", "The prices of all GPUs of a placement, added up.", []string{"Cost"}},
	{"payoff, or gain",
		"What a placement is worth to a job less what it costs: the largest is taken, if it is above 0.",
		[]string{"Gain", "Gain a GPU"}},
	{"target", "The part of its time for which a job is to run on a GPU type, as the policy has computed it.",
		[]string{"Target", "Shares"}},
	{"received",
		"A job’s part of the time that all jobs together have had on a GPU type since the targets were computed; everybody starts with half a round.",
		[]string{"Received"}},
	{"priority", "Target ÷ received: on each GPU type the job with the largest priority goes first.",
		[]string{"Priority"}},
	{"effective throughput",
		"The mean speed that its targets give a job: its speed on each GPU type × its target there, added up.",
		[]string{"throughput", "normalised throughput"}},
	{"attained service",
		"The GPU time that a job has had so far: its GPUs × the time for which it has held them.",
		[]string{"Attained service", "Service so far"}},
	{"ρ (finish-time fairness)",
		"A job’s time to completion ÷ its time on an equal slice of the cluster of its own: above 1, sharing has cost it time.",
		[]string{"Fairness", "Fairness ρ", "fairness ρ", "Worst fairness ρ", "Mean fairness ρ", "Median fairness ρ",
			"95 % fairness ρ"}},
	{"lease", "The time for which a job may keep the GPUs that it has won; after it they are auctioned anew.",
		[]string{"Lease"}},
	{"preemption", "Taking GPUs from a job before it is complete; it goes on later from where it stopped.",
		[]string{"Preemptions"}},
	{"completion time (JCT)", "The time from a job’s arrival until it is complete, waits included.",
		[]string{"Mean completion (JCT)", "Completion"}},
	{"makespan", "The time from the beginning until the last job is complete.", []string{"Last finish (makespan)"}},
}

// Meaning says what the term means that a heading names, in the reader's language, and "" where it names none. The
// heading is a message key or what the reader sees of it; a unit may follow it.
func Meaning(heading string) string {
	name, _, _ := strings.Cut(heading, ", ")
	for _, t := range Glossary {
		if slices.ContainsFunc(t.Named, func(key string) bool { return name == key || name == T(key) }) {
			return T(t.Means)
		}
	}
	return ""
}
