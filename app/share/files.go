package share

import (
	"encoding/json"
	"slices"
	"strconv"

	"hadarlab/app/compare"
	"hadarlab/app/run"
	"hadarlab/core/csv"
	"hadarlab/core/message"
)

func csvNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// JobsCSV is the jobs of all lanes, one row each, with the outcome of the lane. Times in s.
func JobsCSV(r *run.Result) []byte {
	b := csv.Row(nil, "policy", "job", "arrival_s", "start_s", "finish_s", "gpu_s", "restarts", "wait_s", "stalled_s",
		"ftf", "outcome")
	num := func(v *float64) string {
		if v == nil {
			return ""
		}
		return csvNumber(*v)
	}
	for _, l := range r.Lanes {
		for i := range l.Meta.Jobs {
			j := &l.Meta.Jobs[i]
			b = csv.Row(b, l.Meta.Policy, j.ID, csvNumber(j.ArrivalS), num(j.StartS), num(j.FinishS), csvNumber(j.GPUS),
				strconv.Itoa(j.Restarts), csvNumber(j.WaitS), csvNumber(j.StalledS), csvNumber(j.FTF), l.Meta.Outcome)
		}
	}
	return b
}

// RunsCSV is one row a run: the values of its point, then the columns of the command line.
func RunsCSV(w *compare.Sweep) []byte {
	var b []byte
	var head []string
	for i := range w.Request.Vary {
		head = append(head, w.Request.Vary[i].Path)
	}
	b = csv.Row(b, append(head, message.RunHead()...)...)
	for i := range w.Points {
		var at []string
		for _, v := range w.Points[i].Values {
			at = append(at, message.Number(v))
		}
		for k := range w.Points[i].Runs {
			b = csv.Row(b, append(at[:len(at):len(at)], w.Points[i].Runs[k].Row()...)...)
		}
	}
	return b
}

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
