package board

import (
	"slices"
	"strconv"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/class"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// grades choose the rule by which work becomes points, and hand the points out.
func (b *Board) grades() app.UI {
	now := b.Rule
	with := func(change func(*class.Rule, string)) func(string) state.Action {
		return func(value string) state.Action {
			rule := now
			change(&rule, value)
			return board.SetRule{Rule: rule}
		}
	}
	points := func(v float64, test string) app.UI {
		return Set(El("input.field|type=number|min=0|max=1000000|step=any"), "value", written(v), "data-test", test)
	}
	kids := []app.UI{Say("legend", "Grades"), El("label", Say("span", "Answers that count"),
		Given(El("select.field|data-test=rule-vote",
			Option(class.FirstVote, words.T("first votes"), now.Vote == class.FirstVote),
			Option(class.SecondVote, words.T("second votes, where one is asked again"),
				now.Vote == class.SecondVote),
			Option(class.BestVote, words.T("the better of the two, by question"), now.Vote == class.BestVote)),
			"change", with(func(r *class.Rule, v string) { r.Vote = v }), "vote")),
		El("label", Say("span", "Points for a right answer"), Given(points(now.Each, "rule-each"), "change",
			with(func(r *class.Rule, v string) { r.Each = pointsOf(v, r.Each) }), "each"))}
	if b.Assignment.Task != nil {
		kids = append(kids, El("label", Say("span", "Points for the task"), Given(points(now.Task, "rule-task"),
			"change", with(func(r *class.Rule, v string) { r.Task = pointsOf(v, r.Task) }), "task")))
	}
	kids = append(kids, moment("rule-due", words.T("In time until"), now.DueMS, func(ms int64) state.Action {
		rule := now
		rule.DueMS = ms
		return board.SetRule{Rule: rule}
	}))
	if now.DueMS > 0 {
		kids = append(kids, El("label", Say("span", "Taken off later work, in per cent"), Given(
			Set(El("input.field|type=number|min=0|max=100|step=any"), "value", written(100*now.Late), "data-test", "rule-late"),
			"change", with(func(r *class.Rule, v string) {
				if off := pointsOf(v, 100*r.Late); off <= 100 {
					r.Late = off / 100
				}
			}), "late")))
	}
	kids = append(kids, b.counting()...)
	kids = append(kids, El("div.ways", hands("Grades, CSV", "grades"), hands("For Moodle, by tag", "grades-moodle"),
		hands("For Canvas, by tag", "grades-canvas")), El("details.hint", Say("summary", "What course systems match"),
		Say("p", "Moodle: at “Import, CSV file” map the column tag to what your tags are (ID number, user name or e-mail address), and the column of points to its grade item."),
		Say("p", "Canvas: at “Import” the tag is looked up as SIS user ID, else as SIS login ID, and the column is matched by the assignment’s name."),
		Say("p", "An empty cell is nothing that counts. To grade again, change the rule and hand out the file again; several classes are graded by the command hadarlab grade.")))
	return El("fieldset.rule", kids...)
}

// counting chooses the questions that count, where there are several. One always does.
func (b *Board) counting() (kids []app.UI) {
	all := b.Assignment.Questions
	if len(all) < 2 {
		return nil
	}
	var now []string
	for i := range all {
		if b.Rule.Counts(all[i].ID) {
			now = append(now, all[i].ID)
		}
	}
	kids = append(kids, Say("p", "Questions that count"))
	for i := range all {
		id, rule := all[i].ID, b.Rule
		counts := rule.Counts(id)
		if counts {
			rule.Questions = slices.DeleteFunc(slices.Clone(now), func(q string) bool { return q == id })
		} else if rule.Questions = append(slices.Clone(now), id); len(rule.Questions) == len(all) {
			rule.Questions = nil
		}
		box := Set(El("input|type=checkbox|data-test=rule-question"), "checked", OnOff(counts),
			"disabled", Flag(counts && len(now) == 1))
		kids = append(kids, El("label.check", elm.On(box, "change", Act(board.SetRule{Rule: rule}), "counts"+id),
			Text(" "+teach.Say(all[i].Text))))
	}
	return kids
}

// pointsOf reads points; what is none leaves them as they were.
func pointsOf(s string, was float64) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= 1e6) {
		return was
	}
	return v
}
