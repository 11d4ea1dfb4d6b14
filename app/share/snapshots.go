package share

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Snapshot is a scenario that this browser keeps until it is forgotten.
type Snapshot struct {
	Name string `json:"name"`
	At   string `json:"at"`             // when, as the reader's clock says it
	What string `json:"what,omitempty"` // was changed since what it was made from
	Text string `json:"text"`
}

const (
	// mostSnapshots is how many are kept at once.
	MostSnapshots = 40
	// largestSnapshot is how long a document may be to be kept, in bytes. Browsers give a site some 5 MB.
	LargestSnapshot = 512 << 10
)

// ParseSnapshots reads what the browser kept; what is no list of snapshots counts as none.
func ParseSnapshots(kept string) (list []Snapshot) {
	if json.Unmarshal([]byte(kept), &list) != nil {
		return nil
	}
	return list
}

// FreeName is a name that no snapshot in a list has, made of a title; there says that one of them has the text already.
func FreeName(list []Snapshot, title, text string) (name string, there bool) {
	name = title
	for n := 2; ; n++ {
		at := slices.IndexFunc(list, func(k Snapshot) bool { return k.Name == name })
		if at < 0 || list[at].Text == text {
			return name, at >= 0
		}
		name = title + " " + strconv.Itoa(n)
	}
}
