package message

import "hadarlab/core/words"

// ChoiceName is what a reader is shown of a parameter's choice: its id, or words where that is short for them.
func ChoiceName(in words.Catalogue, id string) string {
	switch id {
	case "avg_jct":
		return in.In("choice", "mean completion")
	case "ftf":
		return in.In("choice", "fairness ρ")
	case "makespan":
		return in.In("choice", "last finish")
	}
	return id
}
