package class

import (
	"cmp"
	"context"
	"slices"

	"hadarlab/core/class"
)

// setTags writes the list of tags that alone may join. Who is in the class already stays there.
func setTags(ctx context.Context, table Table, code string, lines []string) error {
	tags, diags := class.ReadTags(lines)
	if diags.HasErrors() {
		return &Refusal{Reason: Bad, Code: "bad-tags", Detail: "the list of tags has faults", Errors: diags.Errors()}
	}
	return table.SetTags(ctx, code, tags)
}

// listed is a tag as the class's list has it; where there is no list, as it was typed.
func listed(ctx context.Context, table Table, r Row, tag string) (string, error) {
	if !r.Listed {
		return tag, nil
	}
	list, err := table.Tags(ctx, r.Code)
	if err != nil {
		return "", err
	}
	known, ok := class.FindTag(list, tag)
	if !ok {
		return "", refuse(Conflict, "tag-not-listed", "who joins this class needs a tag of the teacher's list, and this is "+
			"none; look how yours is written, or ask the teacher")
	}
	return known, nil
}

// full says why a class took nobody more with this tag. That a tag came twice is noted for the teacher, once until the
// student has come back with a one-time code.
func full(ctx context.Context, s *Service, code, tag string) error {
	full := refuse(Conflict, "class-full", "nobody more can join this class")
	r, err := s.Table.GetClass(ctx, code)
	if err != nil || !r.Listed {
		return cmp.Or(err, full)
	}
	if _, err := listed(ctx, s.Table, r, tag); err != nil {
		return err
	}
	all, err := s.Table.Students(ctx, code, 0)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(st class.Student) bool { return st.Tag == tag && !st.Removed })
	if i < 0 {
		return full
	}
	mine, err := s.Table.Entries(ctx, code, all[i].N, 0)
	if err != nil {
		return err
	}
	if k := lastOf(mine, class.Log); k < 0 || mine[k].Text != class.TagAgain {
		if err := s.log(ctx, code, all[i].N, class.TagAgain); err != nil {
			return err
		}
		s.changed(code)
	}
	return refuse(Conflict, "tag-taken", "this tag is in the class already, on another device; ask the teacher for a "+
		"one-time code, by which you go on here")
}

// lastOf is where the latest entry of a kind stands, below 0 = nowhere.
func lastOf(mine []class.Entry, kind string) int {
	for i := len(mine) - 1; i >= 0; i-- {
		if mine[i].Kind == kind {
			return i
		}
	}
	return -1
}
