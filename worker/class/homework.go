package class

import (
	"hadarlab/core/class"
)

// checkHours refuses hours that no homework has, at a moment.
func checkHours(h class.Hours, nowMS int64) error {
	if diags := h.Check(nowMS); diags.HasErrors() {
		return &Refusal{Reason: Bad, Code: "bad-hours", Detail: "a homework cannot have these times",
			Errors: diags.Errors()}
	}
	return nil
}

// ofHours gives a homework other hours, as its teacher wants, and refuses what is wanted of a class of the other kind:
// one that is led has no hours; a homework has no phase but the one in which its feedback is released, and nothing of
// what students say is shown to others before.
func ofHours(r *Row, to class.Settings, nowMS int64) error {
	no := func(code, detail string) error { return refuse(Conflict, code, detail) }
	hours := to.OpensMS != nil || to.ClosesMS != nil
	switch {
	case !r.Homework() && !hours:
		return nil
	case !r.Homework():
		return no("no-homework", "this class is led by phases: begin another one as a homework")
	case r.Phase == class.Closed && (hours || to.Phase != nil && *to.Phase != class.Closed):
		return no("feedback-out", "the feedback is released, so that nothing more can count: begin another homework")
	case to.Phase != nil && *to.Phase != class.Closed:
		return no("no-phases", "a homework has no phases: closed releases its feedback")
	case to.Minutes != nil:
		return no("no-phases", "a homework ends at closes_ms: choose that")
	case to.Revealed != nil && r.ToldMS == 0:
		return no("not-told", "answers are shown with the feedback: release it, by the phase closed")
	case to.OpensMS != nil && !r.Ahead(nowMS):
		return no("open-already", "the homework has opened: only its closing time can be another")
	}
	if to.Phase != nil { // nothing more is taken from here on
		r.ClosesMS = min(r.ClosesMS, nowMS)
		return nil
	}
	if !hours {
		return nil
	}
	wants := r.Hours
	if to.OpensMS != nil {
		wants.OpensMS = max(*to.OpensMS, nowMS)
	}
	if to.ClosesMS != nil {
		wants.ClosesMS = *to.ClosesMS
	}
	if wants.ClosesMS <= nowMS && !r.Ahead(nowMS) { // now; one that has closed stays so
		r.ClosesMS = min(r.ClosesMS, nowMS)
		return nil
	}
	if err := checkHours(wants, nowMS); err != nil {
		return err
	}
	r.Hours = wants
	return nil
}
