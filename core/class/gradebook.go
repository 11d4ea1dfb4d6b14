package class

import (
	"cmp"
	"slices"

	"hadarlab/core/unit"
)

// Gradebook is points by tag, in a column for each assignment: the way in which course systems take them.
type Gradebook struct {
	Columns []GradeColumn
	Rows    []GradeRow // in the order of tags
	Tagless int        // students without a tag, who are in no row
}

// GradeColumn is an assignment and how many points it has.
type GradeColumn struct {
	Title string
	Most  float64
}

// GradeRow is a tag and its grade in each column, nil = nothing that counts was handed in.
type GradeRow struct {
	Tag    string
	Grades []*Grade
}

// NewGradebook joins classes by tag. Classes on assignments of one title are one column; of several grades of a tag in
// a column the best counts.
func NewGradebook(rule Rule, classes []*Record) *Gradebook {
	b := &Gradebook{}
	for _, r := range classes {
		column := b.column(r.Assignment.Title)
		for _, g := range r.Grades(rule) {
			if c := &b.Columns[column]; g.Most > c.Most {
				c.Most = g.Most
			}
			if g.Student.Tag == "" {
				b.Tagless++
				continue
			}
			b.put(column, &g)
		}
	}
	for i := range b.Rows {
		b.Rows[i].Grades = append(b.Rows[i].Grades, make([]*Grade, len(b.Columns)-len(b.Rows[i].Grades))...)
	}
	unit.Sort(b.Rows, func(x, y GradeRow) int { return cmp.Compare(x.Tag, y.Tag) })
	return b
}

// column is that of a title.
func (b *Gradebook) column(title string) int {
	i := slices.IndexFunc(b.Columns, func(c GradeColumn) bool { return c.Title == title })
	if i < 0 {
		i = len(b.Columns)
		b.Columns = append(b.Columns, GradeColumn{Title: title})
	}
	return i
}

// put notes a grade in the row of its tag, if it is the best there.
func (b *Gradebook) put(column int, g *Grade) {
	i := slices.IndexFunc(b.Rows, func(r GradeRow) bool { return r.Tag == g.Student.Tag })
	if i < 0 {
		i = len(b.Rows)
		b.Rows = append(b.Rows, GradeRow{Tag: g.Student.Tag})
	}
	r := &b.Rows[i]
	for len(r.Grades) <= column {
		r.Grades = append(r.Grades, nil)
	}
	if had := r.Grades[column]; !g.Nothing && (had == nil || had.Points() < g.Points()) {
		r.Grades[column] = g
	}
}

// Forms of a gradebook as a file.
const (
	TableForm  = "table"  // for spreadsheets: every column, the sum and how many points there could be
	MoodleForm = "moodle" // the tag and the columns; the teacher says at the import what the tag is
	CanvasForm = "canvas" // with the heads and the row of points that Canvas asks for
)

// GradebookForms are all of them.
var GradebookForms = []string{TableForm, MoodleForm, CanvasForm}

// CSV is a row for each tag. A cell is empty where nothing that counts was handed in.
func (b *Gradebook) CSV(form string) []byte {
	var t sheet
	var titles, most []string
	sum := 0.0
	for _, c := range b.Columns {
		titles, most, sum = append(titles, c.Title), append(most, written(c.Most)), sum+c.Most
	}
	switch form {
	case CanvasForm:
		t.row(append([]string{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}, titles...))
		t.row(append([]string{"Points Possible", "", "", "", ""}, most...))
	case MoodleForm:
		t.row(append([]string{"tag"}, titles...))
	default:
		t.row(append(append([]string{"tag"}, titles...), "points", "max_points"))
	}
	for _, r := range b.Rows {
		cells, points := []string{r.Tag}, 0.0
		if form == CanvasForm { // it looks for a student of one of these ids, and else of this name
			cells = []string{r.Tag, "", r.Tag, r.Tag, ""}
		}
		for _, g := range r.Grades {
			if g == nil {
				cells = append(cells, "")
				continue
			}
			cells, points = append(cells, written(g.Points())), points+g.Points()
		}
		if form == TableForm {
			cells = append(cells, written(points), written(sum))
		}
		t.row(cells)
	}
	return t.b
}
