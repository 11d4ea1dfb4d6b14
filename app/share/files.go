package share

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"hadarlab/app/compare"
	"hadarlab/app/run"
	"hadarlab/core/csv"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

func csvNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// JobsCSV writes the jobs of all lanes, one row each, with the outcome of the lane. Times in s.
func JobsCSV(w io.Writer, r *run.Result, pace unit.Pace) error {
	out := csv.NewWriter(w)
	out.Row("policy", "job", "arrival_s", "start_s", "finish_s", "gpu_s", "restarts", "wait_s", "stalled_s", "ftf",
		"outcome")
	num := func(v *float64) string {
		if v == nil {
			return ""
		}
		return csvNumber(*v)
	}
	for _, l := range r.Lanes {
		for i := range l.Meta.Jobs {
			pace.Did(1)
			j := &l.Meta.Jobs[i]
			out.Row(l.Meta.Policy, j.ID, csvNumber(j.ArrivalS), num(j.StartS), num(j.FinishS), csvNumber(j.GPUS),
				strconv.Itoa(j.Restarts), csvNumber(j.WaitS), csvNumber(j.StalledS), csvNumber(j.FTF), l.Meta.Outcome)
		}
	}
	return out.Flush()
}

// ResultJSON writes a result of a lane or more as json.MarshalIndent would, job by job.
func ResultJSON(w io.Writer, r message.Result, pace unit.Pace) error {
	runs := r.Runs
	if len(runs) > 0 {
		r.Runs = []message.Lane{}
	}
	err := around(w, r, "", `"runs": []`, len(runs), func(i int) error {
		lane := runs[i]
		if len(lane.Jobs) > 0 {
			lane.Jobs = []message.JobRow{}
		}
		return around(w, lane, "  ", `"jobs": []`, len(runs[i].Jobs), func(j int) error {
			pace.Did(1)
			b, err := json.MarshalIndent(&runs[i].Jobs[j], "    ", " ")
			if err == nil {
				_, err = w.Write(b)
			}
			return err
		})
	})
	if err == nil {
		_, err = w.Write([]byte("\n"))
	}
	return err
}

// around writes a value, and in place of its last empty list, which stands a step further in than the value, one of n
// values that each writes.
func around(w io.Writer, of any, prefix, empty string, n int, each func(i int) error) error {
	b, err := json.MarshalIndent(of, prefix, " ")
	if err != nil {
		return err // plain structs of numbers and strings have none
	}
	at := bytes.LastIndex(b, []byte(empty)) + len(empty) - 1
	if n == 0 {
		_, err = w.Write(b)
		return err
	}
	_, err = w.Write(b[:at])
	between := "\n" + prefix + "  "
	for i := 0; i < n && err == nil; i++ {
		if _, err = io.WriteString(w, between); err == nil {
			err = each(i)
		}
		between = ",\n" + prefix + "  "
	}
	if err == nil {
		_, err = w.Write(append([]byte("\n"+prefix+" "), b[at:]...))
	}
	return err
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
