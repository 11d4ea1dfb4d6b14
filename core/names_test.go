package core

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/policy"
	_ "hadarlab/core/policy/all" // registers the policies
)

// TestKernelNamesNoPolicy: what all policies stand on knows none of them. No word of an identifier or of a key there is
// a policy's id, its alias, or the name before its hyphen: what a policy needs and how else it may be called, its
// policy.Spec says. A sentence may cite a paper; it decides nothing.
func TestKernelNamesNoPolicy(t *testing.T) {
	kernel := []string{"core/unit", "core/jsondoc", "core/model", "core/trace", "core/message", "core/network",
		"core/sim",
		"core/place", "core/scenario", "core/generate", "core/metric", "core/figure", "core/chart", "core/chart/draw",
		"core/chart/data", "core/insights", "core/link", "core/class", "core/lab"}
	measured := []string{"../core/scenario/measured.go", "../core/scenario/speeds.go"} // by the authors of papers
	names := map[string]bool{}
	for _, s := range policy.All() {
		family, _, _ := strings.Cut(s.ID, "-")
		for _, name := range []string{s.ID, s.Alias, family} {
			names[name] = len(name) > 1
		}
	}
	names["own"] = false     // a plain word
	names["elastic"] = false // a job with a range of sizes
	names["fifo"] = false    // the order of a tenant's jobs
	words := regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)
	hyphened := regexp.MustCompile(`[A-Za-z0-9]+(-[A-Za-z0-9]+)*`)
	seen := 0
	eachFile(t, func(dir, path string) {
		if !slices.Contains(kernel, dir) || strings.HasSuffix(path, "_test.go") || slices.Contains(measured, path) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Ident:
				seen++
				for _, w := range words.FindAllString(n.Name, -1) {
					if names[strings.ToLower(w)] {
						t.Errorf("%s: %s names the policy %s", path, n.Name, w)
					}
				}
			case *ast.BasicLit:
				if n.Kind != token.STRING {
					return true
				}
				seen++
				s, _ := strconv.Unquote(n.Value)
				if strings.Contains(s, " ") {
					return true
				}
				for _, w := range hyphened.FindAllString(s, -1) {
					if names[strings.ToLower(w)] {
						t.Errorf("%s: %q names the policy %s", path, s, w)
					}
				}
			}
			return true
		})
	})
	if seen < 10000 {
		t.Errorf("only %d names and strings were seen: is the test looking at the right folders?", seen)
	}
}
