package e2e

import "testing"

// TestUntilOutlivesAPage: a wait goes on in the page that comes next, whichever the tab is in when it begins.
func TestUntilOutlivesAPage(t *testing.T) {
	t.Parallel()
	s, p := native(t), newPage(t)
	for range 20 {
		p.open(s.url + "/join")
		eval[bool](p, `requestAnimationFrame(() => setTimeout(() => location = "/join?again")), true`)
		p.until(`location.search === "?again" && document.readyState === "complete"`)
	}
}
