// Package imports makes scenarios of recorded traces: Gavel's, Pollux's, Philly, Helios, PAI, the Standard Workload
// Format, and tables in the document's own names. A format is a file with one method of importer; what they share is
// the driver (importer), rows of cells (rows), tables whose first row names its columns (jobtable), speeds
// (throughputs, recorded) and the draw of a sample (sample).
//
// Flow: a stream → rows → candidates → scenario.Document, with a report of what was dropped and assumed. A scenario
// knows nothing of traces. No input makes this package fail otherwise than by a diagnostic, and none is held whole.
package imports

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Options say what a trace leaves open.
type Options struct {
	Cluster        []scenario.TypeCount // GPUs by type, in node order; default by format, mostly v100=8,p100=16,k80=24
	GPUsPerNode    int                  // all of one type; default 4
	First          int                  // read only the first rows; 0 = all, the default
	ArrivalDivisor float64              // arrivals are divided by it; 0 = 1, the default
	Spread         bool                 // gavel, gavel-csv: write the rates of gangs over several nodes too; default no
	// gavel, gavel-csv, csv: a file of measured speeds; default the built-in ones (scenario.Measured)
	Throughputs []byte
	// csv: cluster, speeds, overheads and policies; its jobs are left behind, other formats pass over it; default none
	Template *scenario.Document
	// traces without models: the GPU type whose time was recorded; default the first of the cluster
	Reference string
	// how fast types are, as multiples of the type that was recorded or measured: Reference, a T4 for pollux-csv, else
	// a V100; default scenario.SpeedOf
	Speeds   []scenario.Factor
	Workload string // pollux-csv: which of the workloads of a file that holds several; default the first of them
	Untuned  bool   // pollux-csv: GPUs and batches of users who do not tune; default the tuned ones
	Sample   int    // keep so many jobs, drawn at random; 0 = all, the default
	Seed     uint64 // of the draw
}

// Format is a kind of trace that Read reads.
type Format struct {
	ID    string
	Title string // of the documents it gives
	read  func(*importer, *input) bool
	notes string // for the document
}

// Formats are the formats that Read knows, in the order of the help.
func Formats() []Format {
	return []Format{
		{"gavel", "Gavel trace", (*importer).gavel,
			"Imported from a trace of the Gavel project (stanford-futuredata/gavel, MIT licence)."},
		{"gavel-csv", "Gavel trace", (*importer).gavelCSV,
			"Imported from a trace and measured throughputs of the Gavel project " +
				"(stanford-futuredata/gavel, MIT licence)."},
		{"pollux-csv", "Pollux workload", (*importer).pollux,
			"Imported from a workload of the Pollux project (petuum/adaptdl, Apache-2.0)."},
		{"philly", "Philly trace", (*importer).philly,
			"Imported from the Philly trace (msr-fiddle/philly-traces, Microsoft)."},
		{"helios", "Helios trace", (*importer).helios,
			"Imported from a Helios trace (S-Lab-System-Group/HeliosData, SenseTime)."},
		{"pai", "PAI trace", (*importer).pai,
			"Imported from the task table of the Alibaba PAI trace of 2020 (alibaba/clusterdata)."},
		{"swf", "SWF trace", (*importer).swf, "Imported from a trace in the Standard Workload Format."},
		{"csv", "Imported", (*importer).ownCSV, ""},
	}
}

// Read reads a trace of a format, one of Formats; "" tells it from the content, and takes a table that no other format
// claims for csv. The trace is read as a stream: what is held at any time is a window of it and the jobs kept. A row
// that cannot be a job is dropped, counted and reported. The document is nil exactly when a diagnostic is an error;
// every error names the format that was read, and those of the content say how another is named.
func Read(trace io.Reader, format string, o Options) (*scenario.Document, message.ImportReport, jsondoc.Diagnostics) {
	im := newImporter(o)
	d := im.run(newInput(trace), format)
	im.nameFormat()
	return d, im.report, im.found
}

// nameFormat puts the format that was read before every error. What is wrong with the content may be that it is of
// another format: the first fix says how to name one.
func (im *importer) nameFormat() {
	told := false
	for i := range im.found {
		d := &im.found[i]
		if d.Level != string(jsondoc.LevelError) || d.Code == codeNoFormat {
			continue
		}
		if im.report.Format != "" {
			d.Message = words.Say("read as {0}: {1}", im.report.Format, d.Message)
		}
		if told || d.Code == codeBadOption || d.Code == codeBadTable || d.Code == jsondoc.CodeTooBig {
			continue
		}
		told = true
		d.Fix = words.Say("{0} Another format is named with --from, in the page under Format: {1}.", d.Fix, formatIDs())
	}
}

func (im *importer) run(in *input, format string) *scenario.Document {
	start := in.start()
	im.report.Format = format
	if msg, fix := notText(start); !msg.IsZero() {
		im.refuse(1, codeUnreadable, msg, fix)
		return nil
	}
	im.looks = sniff(start)
	if format == "" {
		im.report.Format, im.report.Guessed = cmp.Or(im.looks, tableFormat(start)), true
	}
	if im.report.Format != "csv" {
		im.o.Template = nil
	}
	if isJSON(start) && im.report.Format != "philly" {
		fix := words.Say("A scenario needs no import: run it as it is.")
		if im.looks != "" {
			fix = im.otherwise(words.Text{})
		}
		im.refuse(1, codeUnreadable, words.Say("the trace is JSON, not CSV"), fix)
		return nil
	}
	known := Formats()
	i := slices.IndexFunc(known, func(f Format) bool { return f.ID == im.report.Format })
	switch {
	case i >= 0:
	case format == "":
		im.refuse(1, codeNoFormat,
			words.Say("the content is of no format that is known; it begins with {0}", jsondoc.Quote(firstLine(start))),
			words.Say("Name the format: {0}.", formatIDs()))
	default:
		im.refuse(0, codeNoFormat, words.Say("there is no trace format {0}", jsondoc.Quote(format)),
			words.Say("Choose one of {0}.", formatIDs()))
	}
	if i < 0 || !known[i].read(im, in) {
		return nil
	}
	return im.document(in, &known[i])
}

// otherwise is the advice when the content looks like another format than the one named.
func (im *importer) otherwise(advice words.Text) words.Text {
	if im.looks != "" && im.looks != im.report.Format {
		return words.Say("The content looks like {0}: import it as that.", im.looks)
	}
	return advice
}

func isJSON(start []byte) bool {
	text := bytes.TrimLeft(start, " \t\r\n")
	return len(text) > 0 && (text[0] == '[' || text[0] == '{')
}

func formatIDs() string {
	var ids []string
	for _, f := range Formats() {
		ids = append(ids, f.ID)
	}
	return strings.Join(ids, ", ")
}

// notText recognises files of other kinds by how they start.
func notText(start []byte) (msg, fix words.Text) {
	text := bytes.TrimLeft(start, " \t\r\n")
	switch {
	case len(text) == 0:
		return words.Say("the trace is empty"), words.Say("Give a file with rows.")
	case bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")):
		return words.Say("the trace is UTF-16 text, not CSV"), words.Say("Save it as CSV in UTF-8.")
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return words.Say("the trace is a spreadsheet or an archive, not CSV"),
			words.Say("Open it and save the sheet as CSV.")
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		return words.Say("the trace is compressed, not CSV"), words.Say("Unpack it first.")
	case loneReturn(start):
		return words.Say("the trace is text with the line ends of old Macs"),
			words.Say("Save it with the line ends of Unix or Windows.")
	case len(text) > 0 && text[0] == '<':
		return words.Say("the trace is a web page, not CSV"), words.Say("Download the file itself.")
	}
	if at := bytes.IndexByte(start, 0); at >= 0 {
		line := bytes.Count(start[:at], []byte("\n")) + 1
		column := at - bytes.LastIndexByte(start[:at], '\n')
		return words.Say("the trace is binary data, not text: line {0}, column {1} holds a zero byte", line, column),
			words.Say("Give the trace as text.")
	}
	return msg, fix
}

// loneReturn says whether the first line ends with a carriage return alone.
func loneReturn(start []byte) bool {
	at := bytes.IndexAny(start, "\r\n")
	return at >= 0 && at+1 < len(start) && start[at] == '\r' && start[at+1] != '\n'
}

// sniff tells the format from how a trace begins, "" when it cannot.
func sniff(start []byte) string {
	text := bytes.TrimLeft(start, " \t\r\n")
	if isJSON(start) {
		if bytes.Contains(text, []byte(`"attempts"`)) {
			return "philly"
		}
		return ""
	}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		line = bytes.TrimRight(line, "\r")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if line[0] == ';' || len(bytes.Fields(line)) == swfFields && isNumber(bytes.Fields(line)[0]) {
			return "swf"
		}
		return sniffColumns(string(line))
	}
	return ""
}

// sniffColumns tells the format from a first line.
func sniffColumns(line string) string {
	cells := strings.Split(strings.ToLower(line), string(separator([]byte(line))))
	has := map[string]bool{}
	for i := range cells {
		cells[i] = strings.Trim(cells[i], " \"")
		has[cells[i]] = true
	}
	switch {
	case has["gpu_num"] && has["submit_time"]:
		return "helios"
	case has["plan_gpu"], len(cells) == len(paiColumns) && isNumber([]byte(cells[4])) && isNumber([]byte(cells[2])):
		return "pai"
	case has["scale_factor"] && has["total_steps"]:
		return "gavel-csv"
	case has["application"] && has["num_replicas"], has["app"] && has["replicas"]:
		return "pollux-csv"
	case has["model"] && has["gpus"] && has["steps"]:
		return "csv"
	case strings.Count(line, "\t") == 6 && isNumber([]byte(cells[6])),
		strings.Count(line, "\t") == 9 && isNumber([]byte(cells[9])):
		return "gavel"
	}
	return ""
}

// tableFormat is csv for rows of so many cells as a table of jobs must have, where no format claims them: what it lacks
// can then be said. "" is for what is no table.
func tableFormat(start []byte) string {
	const least = 3 // model, gpus and steps
	line := []byte(firstLine(start))
	if isJSON(start) || bytes.Count(line, []byte{separator(line)}) < least-1 {
		return ""
	}
	return "csv"
}

func isNumber(b []byte) bool {
	_, err := strconv.ParseFloat(string(bytes.TrimSpace(b)), 64)
	return err == nil
}

func firstLine(start []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(start, "\r\n"), []byte("\n"))
	return strings.ToValidUTF8(strings.TrimRight(string(line), "\r"), "?")
}
