package class

import "testing"

// TestGradebookJoinsByTag: the same tag in two classes is one row, the same title one column, and of two grades the
// better counts; who has no tag is counted beside; an empty cell is nothing that counts. By hand, from graded.
func TestGradebookJoinsByTag(t *testing.T) {
	one, two, three := graded(), graded(), graded()
	one.Assignment.Title, two.Assignment.Title, three.Assignment.Title = "Week 1", "Week 2, mixes", "Week 1"
	two.Students[1].Tag = "a7" // as the first, who has a point more
	three.Students = []Student{{N: 2, Tag: "c1"}, {N: 9, Tag: "d4"}}
	b := NewGradebook(UsualRule, []*Record{one, two, three})
	if b.Tagless != 2 {
		t.Errorf("%d have no tag, want 2", b.Tagless)
	}
	for form, want := range map[string]string{
		TableForm: "tag,Week 1,\"Week 2, mixes\",points,max_points\n" +
			"a7,2,2,4,4\nb2,1,,1,4\nc1,1,,1,4\nd4,,,0,4\n",
		MoodleForm: "tag,Week 1,\"Week 2, mixes\"\na7,2,2\nb2,1,\nc1,1,\nd4,,\n",
		CanvasForm: "Student,ID,SIS User ID,SIS Login ID,Section,Week 1,\"Week 2, mixes\"\n" +
			"Points Possible,,,,,2,2\na7,,a7,a7,,2,2\nb2,,b2,b2,,1,\nc1,,c1,c1,,1,\nd4,,d4,d4,,,\n",
	} {
		if got := string(b.CSV(form)); got != want {
			t.Errorf("%s:\n%swant\n%s", form, got, want)
		}
	}
}
