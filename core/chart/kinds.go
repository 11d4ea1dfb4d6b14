package chart

// Kind is a chart of the page: what links, files and the command line call it, and its title.
type Kind struct{ ID, Title string }

// Kinds are all charts, in the order of the page's tabs.
var Kinds = [...]Kind{{"busy", "Utilisation"}, {"prices", "Prices"}, {"queue", "Queue"}, {"cdf", "Completion"},
	{"winners", "Winners"}, {"fairness", "Fairness"}, {"types", "By GPU type"}, {"shares", "Shares"},
	{"overheads", "Overheads"}, {"sizes", "Sizes"}, {"locality", "Locality"}, {"network", "Network"},
	{"worth", "Goodput"}, {"timers", "Timers"}}

// KindAt is the place of a chart among Kinds, -1 = there is none of that name.
func KindAt(id string) int {
	for i := range Kinds {
		if Kinds[i].ID == id {
			return i
		}
	}
	return -1
}
