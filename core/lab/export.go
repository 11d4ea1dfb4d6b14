package lab

import (
	"errors"
	"io"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/model"
	"hadarlab/core/trace"
)

// ExportFormats lists the formats that Export writes.
var ExportFormats = []string{"chrome", "jobs-csv", "events-csv", "evalys", "svg"}

// Errors of Export.
var (
	ErrExportFormat = errors.New("lab: unknown export format")
	ErrExportLanes  = errors.New("lab: this format holds one run")
)

// ExportLane is a finished or stopped run and its title.
type ExportLane struct {
	Policy, Title string
	Trace         *trace.Trace
	Problem       *model.Problem // as it is in this run, for the use of hosts; nil = that is left out
}

// Export writes runs in a format for other programs. Only chrome holds more than one.
func Export(w io.Writer, format string, lanes []ExportLane) error {
	if format == "chrome" {
		return exportChrome(w, lanes)
	}
	if len(lanes) != 1 {
		return ErrExportLanes
	}
	t := lanes[0].Trace
	switch format {
	case "jobs-csv":
		return trace.JobsCSV(w, t, chart.Placed(t).Placements(t))
	case "events-csv":
		return trace.EventsCSV(w, t, chart.Placed(t).Placements(t))
	case "evalys":
		return trace.EvalysCSV(w, t, chart.Placed(t).Placements(t))
	case "svg":
		_, err := io.WriteString(w, draw.FileSVG(nil, t, chart.NewLane(t), lanes[0].Policy, lanes[0].Title))
		return err
	}
	return ErrExportFormat
}

func exportChrome(w io.Writer, lanes []ExportLane) error {
	out := make([]trace.ChromeLane, len(lanes))
	for i, l := range lanes {
		drawn := chart.NewLane(l.Trace)
		out[i] = trace.ChromeLane{Name: l.Policy, Trace: l.Trace, Placements: drawn.Placements(l.Trace),
			Counters: drawn.Counters(l.Trace)}
		if l.Problem != nil {
			out[i].Counters = append(out[i].Counters, chart.HostCounters(l.Trace, l.Problem)...)
		}
	}
	return trace.ChromeJSON(w, out)
}
