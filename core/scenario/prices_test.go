package scenario

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGuessedPricesAreTold: DATA.md names the types whose price is our guess, all of them and no others.
func TestGuessedPricesAreTold(t *testing.T) {
	b, err := os.ReadFile("../../DATA.md")
	if err != nil {
		t.Fatal(err)
	}
	_, row, _ := strings.Cut(string(b), "The prices of ")
	row, _, told := strings.Cut(row, " are our guesses")
	var named, guessed []string
	for _, name := range regexp.MustCompile("`[^`]+`").FindAllString(row, -1) {
		named = append(named, strings.Trim(name, "`"))
	}
	for _, g := range Catalogue() {
		if PriceGuessed(g.Name) {
			guessed = append(guessed, g.Name)
		}
	}
	if !told || !slices.Equal(named, guessed) {
		t.Errorf("DATA.md names %q, and guessed are the prices of %q", named, guessed)
	}
}
