package message

import "hadarlab/core/words"

// ChoiceName is what a reader is shown of a parameter's choice: its id, or words where that is short for them.
func ChoiceName(id string) string {
	switch id {
	case "avg_jct":
		return words.In("choice", "mean completion")
	case "ftf":
		return words.In("choice", "fairness ρ")
	case "makespan":
		return words.In("choice", "last finish")
	}
	return id
}
