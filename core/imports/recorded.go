package imports

import (
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// recordedModel is the one model of traces that name none. Its step is one second of one GPU of the
// reference type, so a job that ran s seconds on n of those has s × n steps.
const recordedModel = "as-recorded"

const maxRecorded = 1e8 // s, three years: what a recorded job may last

// reference settles the type whose time was recorded, and the speeds of the others: as given, else as measured or
// estimated over many models.
func (im *importer) reference() bool {
	if im.o.Reference == "" {
		im.o.Reference = im.o.Cluster[0].Type
	}
	_, ok := scenario.CatalogueType(im.o.Reference)
	if !ok && im.o.Reference != im.o.Cluster[0].Type {
		return im.refuse(0, codeBadOption,
			words.Say("the reference type {0} is not in the catalogue of GPU types", jsondoc.Quote(im.o.Reference)),
			words.Say("Choose one of {0}.", catalogueNames()))
	}
	rates, from := map[string]float64{}, origins{}
	for _, t := range im.o.Cluster {
		by, how := im.against(t.Type, im.o.Reference)
		if how == unknown {
			by = 1
			im.assume(words.Say("{0} is not in the catalogue; it counts as fast as the reference type", t.Type))
		}
		rates[t.Type] = by
		from.add(t.Type, how)
	}
	im.s.Throughputs.Rows = []scenario.Row{{Model: recordedModel, PerGPU: rates,
		Source: from.source("recorded time on a " + im.o.Reference)}}
	im.assume(words.Say("the trace names no models: work is the recorded time × GPUs, at 1 step/s on a {0}",
		im.o.Reference))
	im.tellSpeeds(im.o.Reference)
	im.assume(words.Say("gangs scale without loss, over several nodes too"))
	return true
}

func catalogueNames() string {
	var names []string
	for _, t := range scenario.Catalogue() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// ran makes a candidate of a job that held its GPUs for so many seconds.
func (im *importer) ran(j scenario.Job, seconds float64) *fault {
	switch {
	case j.GPUs < 1:
		return &fault{words.Say("no GPU"), words.Say("it asks for no GPU")}
	case seconds <= 0:
		return &fault{words.Say("no run time"), words.Say("it ran for {0} s", jsondoc.Number(seconds))}
	case seconds > maxRecorded:
		return &fault{words.Say("too long"),
			words.Say("it ran for {0} s; the most is {1}", jsondoc.Number(seconds), jsondoc.Number(maxRecorded))}
	}
	j.Model, j.Steps, j.Weight = recordedModel, jsondoc.Round9(seconds*float64(j.GPUs)), scenario.DefaultWeight
	return im.add(j, "id")
}

// clockTime reads a time of day and date like "2017-10-07 01:12:09", with a zone if there is one, as
// seconds since 1970. Without a zone the clock is taken as it stands, so the hour of a change to summer time is off.
func clockTime(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ' && text[10] != 'T' || text[13] != ':' ||
		text[16] != ':' {
		return 0, false
	}
	var part [6]int
	for i, span := range [...][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
		for _, c := range text[span[0]:span[1]] {
			if c < '0' || c > '9' {
				return 0, false
			}
			part[i] = 10*part[i] + int(c-'0')
		}
	}
	year, month, day := part[0], part[1], part[2]
	if month < 1 || month > 12 || day < 1 || day > 31 || part[3] > 23 || part[4] > 59 || part[5] > 60 || year < 1970 {
		return 0, false
	}
	zone := text[19:]
	if point, ok := strings.CutPrefix(zone, "."); ok {
		zone = strings.TrimLeft(point, "0123456789")
	}
	offset, ok := zoneOffset(strings.TrimSpace(zone))
	return float64(86400*days(year, month, day) + 3600*part[3] + 60*part[4] + part[5] - offset), ok
}

// days since 1970-01-01 in the Gregorian calendar, counted in years that begin with March.
func days(year, month, day int) int {
	if month -= 3; month < 0 {
		month += 12
		year--
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1 - 719468
}

// zoneOffset is how many seconds a zone is ahead of UTC.
func zoneOffset(zone string) (int, bool) {
	switch zone {
	case "", "Z", "UTC", "GMT":
		return 0, true
	case "PST":
		return -8 * 3600, true
	case "PDT":
		return -7 * 3600, true
	}
	sign := 1
	switch zone[0] {
	case '+':
	case '-':
		sign = -1
	default:
		return 0, false
	}
	digits := strings.Replace(zone[1:], ":", "", 1)
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || len(digits) != 2 && len(digits) != 4 {
		return 0, false
	}
	if len(digits) == 2 {
		n *= 100
	}
	return sign * int(n/100*3600+n%100*60), n/100 <= 14 && n%100 < 60
}
