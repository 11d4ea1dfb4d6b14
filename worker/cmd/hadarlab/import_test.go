//go:build !js

package main

import (
	"os"
	"strings"
	"testing"

	"hadarlab/app/state"
	"hadarlab/core/imports"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// traceOf is a short trace of each format.
var traceOf = map[string]string{
	"gavel": "ResNet-18 (batch size 32)\tx\ty\t--steps\t1\t4000\t2\t1\t-1\t0\n",
	"gavel-csv": "job_id,model,batch,scale_factor,total_steps,arrival_s,duration_s\n" +
		"0,resnet-18-b128,128,4,925982,0,1\n1,a3c,,1,20,3.5,2\n2,vgg,1,1,20,3.5,2\n",
	"pollux-csv": "name,time,application,num_replicas,batch_size\ncifar10-3,10,cifar10,2,256\n",
	"philly": `[{"status":"Pass","jobid":"a1","attempts":[{"start_time":"2017-10-07 01:12:09",` +
		`"end_time":"2017-10-07 01:13:19","detail":[{"ip":"m1","gpus":["gpu0"]}]}],"submitted_time":"2017-10-07 01:11:39"}]`,
	"helios": "job_id,gpu_num,state,submit_time,duration\n7,2,COMPLETED,2020-04-08 13:26:12,600\n",
	"pai":    "a1,worker,1.0,Terminated,1000.0,1600.0,600.0,29.3,50.0,V100\n",
	"swf":    "; MaxProcs: 64\n1 0 5 100 4 -1 -1 8 200 -1 1 1 1 -1 1 -1 -1 -1\n",
	"csv":    "model,batch,gpus,steps\nresnet-50,64,2,100\nresnet-50-b64,,1,5\nvgg,,1,5\n",
}

// TestImportAsThePage: the command line makes of a trace what the page's dialog makes of the same bytes, with the same
// report, whether the format is named or told from the content.
func TestImportAsThePage(t *testing.T) {
	if b, err := os.ReadFile("../../../../shared/traces/gavel_physical_continuous.csv"); err == nil {
		traceOf["gavel-csv"] = string(b)
	}
	preset, _ := lab.Preset("odd-gpus-out")
	open, _ := scenario.Parse(preset, scenario.FileLimits)
	for _, f := range imports.Formats() {
		for _, named := range []string{"", f.ID} {
			choice := state.ImportChoice{Format: named}
			ask, problem := choice.Request(open)
			args := []string{"import"}
			if named != "" {
				args = append(args, "--from", named)
			}
			if f.ID == "csv" {
				args = append(args, "--template", "preset:odd-gpus-out")
			}
			page := &message.Message{Import: ask, Body: []byte(traceOf[f.ID])}
			overWire(t, &page)
			read, document := imports.Answer(page.Import, page.Body)
			page = &message.Message{Imported: read, Body: document}
			overWire(t, &page)
			want, _ := scenario.Parse(page.Body, scenario.FileLimits)
			report := &page.Imported.Report
			doc, errs, code := cli(t, traceOf[f.ID], append(args, "-")...)
			if problem != "" || want == nil || code != exitOK || doc != string(want.Marshal(true)) {
				t.Errorf("%s named %q: exit %d, %s%s%v\n%s", f.ID, named, code, errs, problem,
					page.Imported.Errors, doc)
			}
			var said strings.Builder
			if reportImport(&said, report); said.String() != errs || report.Format != f.ID {
				t.Errorf("%s: the command line says\n%s the page\n%s", f.ID, errs, said.String())
			}
		}
	}
}

// overWire makes of a message what arrives of it.
func overWire(t *testing.T, m **message.Message) {
	t.Helper()
	b, err := (*m).Encode()
	if err == nil {
		*m, err = message.Decode(b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestImportColumns: help and manual list the columns that the importer reads, and it passes over none of them.
func TestImportColumns(t *testing.T) {
	help, _, _ := cli(t, "", "help", "import")
	for _, format := range []string{"csv", "gavel-csv"} {
		var head, row, least []string
		for _, c := range imports.Columns(format) {
			if !strings.Contains(help, "\n  "+c.Name+" ") || !strings.Contains(help, c.Range) {
				t.Errorf("help does not say what %s is", c.Name)
			}
			value := "1"
			switch c.Name {
			case "model":
				value = "a3c"
			case "batch":
				value = "0"
			}
			if head, row = append(head, c.Name), append(row, value); c.Need {
				least = append(least, c.Name)
			}
		}
		read := func(head, row []string) (*scenario.Document, message.ImportReport) {
			table := strings.Join(head, ",") + "\n" + strings.Join(row, ",") + "\n"
			d, report, _ := imports.Read(strings.NewReader(table), format, imports.Options{})
			return d, report
		}
		if d, report := read(head, row); d == nil || len(report.Unused) > 0 {
			t.Errorf("%s: %+v", format, report)
		}
		for i, name := range least {
			if d, _ := read(append(append([]string{}, least[:i]...), least[i+1:]...), row); d != nil {
				t.Errorf("%s is read without %s", format, name)
			}
		}
	}
	var shown bool
	for _, c := range commandHelps() {
		shown = shown || c.Name == "import" && strings.Contains(c.Help, importColumns())
	}
	if !shown {
		t.Error("the manual has no columns")
	}
}

// TestImportNamesItsFormat: every error of an import names the format that it read, or that none was told, and how to
// name another.
func TestImportNamesItsFormat(t *testing.T) {
	for _, f := range imports.Formats() {
		for _, content := range []string{"", "\x00\x01", "PK\x03\x04", "a b\n", "[{]\n", "{}", "a,b,c\n1,2,3\n",
			"\xff\xfea"} {
			_, errs, code := cli(t, content, "import", "--from", f.ID, "-")
			if code != exitUsage || !strings.Contains(errs, "read as "+f.ID+": ") ||
				!strings.Contains(errs, "--from") || !strings.Contains(errs, "pollux-csv") {
				t.Errorf("%s of %q: exit %d %s", f.ID, content, code, errs)
			}
		}
		broken := traceOf[f.ID][:strings.LastIndexAny(strings.TrimSpace(traceOf[f.ID]), "\n{")+1]
		if broken == "" {
			continue
		}
		if _, errs, code := cli(t, broken, "import", "-"); code == exitUsage && !strings.Contains(errs, "--from") {
			t.Errorf("%s told from %q: %s", f.ID, broken, errs)
		}
	}
}
