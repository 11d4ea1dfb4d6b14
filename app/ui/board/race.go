package board

import (
	"strings"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// mostRacers is how many places of a race stand on a board, mostOnWall on a wall, and firstPlaces beside programs; the
// others are counted.
const (
	mostRacers  = 60
	mostOnWall  = 8
	firstPlaces = 3
)

// fewLines is how long a program is that leaves room for places below it.
const fewLines = 6

// sideBySide is of how many programs the text is shown, the best ones.
const sideBySide = 2

// race is the places of a race, and the best programs when the teacher shows them.
func (b *TriesPanel) race() app.UI {
	places := teach.Places(b.Board.Board, b.Boot.PolicyTitle)
	show := Button(".btn|data-test=race-show", "Show the programs", "programs", board.ToggleTries{})
	if b.View.Tries {
		show = Button(".btn|data-test=race-hide", "Hide the programs", "unprograms", board.ToggleTries{})
	}
	rows := Each(min(len(places), mostRacers), func(i int) app.UI {
		p := &places[i]
		return Set(El("tr", TdNum(p.N), Txt("th|scope=row", p.Name), TdNum(p.Score), Td(p.Says)),
			"data-rival", Flag(p.Rival))
	})
	table := Table(".rows|data-test=race-places", "Places of the race",
		[]app.UI{ThNum("Place"), Th("Who"), ThNum("Score"), Th("Remark")}, rows)
	kids := []app.UI{Txt("p.soft|data-test=race-means",
		teach.RaceMeans(b.Assignment, b.Boot.PolicyTitle(b.Assignment.Rival()))+" "+b.verdictWords()), table}
	if n := len(places) - len(rows); n > 0 {
		kids = append(kids, Txt("p.soft", words.F("and {0} more", Itoa(n))))
	}
	if b.View.Tries {
		var of []picked
		for i := range places {
			if p := &places[i]; !p.Rival {
				of = append(of, picked{p.Seq, p.Name})
			}
		}
		kids = append(kids, programs(places), b.pickTwo(of))
	}
	return El("section.panel tries race|aria-labelledby=h-tries", El("header", Say("h2|id=h-tries", "Race"), show),
		El("div.pad", kids...))
}

// programs are the best of those that are told, side by side.
func programs(places []teach.Place) app.UI {
	var sheets []app.UI
	for i := range places {
		if p := &places[i]; p.Code != "" && p.N != "" && len(sheets) < sideBySide {
			sheets = append(sheets, El("figure|data-test=race-program",
				El("figcaption", Bold(p.Name), Txt("span", p.Score)), Txt("pre.entered", p.Code)))
		}
	}
	return El("div.programs", sheets...)
}

// race are the places of a race on a wall.
func (w *Wall) race() []app.UI {
	return w.places(mostOnWall)
}

// places are so many of a race's, under who leads.
func (w *Wall) places(shown int) []app.UI {
	b := w.Of
	places, rival := teach.Places(b, w.Boot.PolicyTitle), w.Boot.PolicyTitle(b.Assignment.Rival())
	most := 0.0
	for i := range places {
		most = max(most, places[i].Share)
	}
	rows := Each(min(len(places), shown), func(i int) app.UI {
		p := &places[i]
		bar := El("span")
		if p.Share > 0 {
			bar = El("span", HuedBar(0, p.Share/most))
		}
		return Set(El("li", Bold(p.N), Txt("span", p.Name), bar, Txt("span", p.Score), Txt("span", p.Says)),
			"data-rival", Flag(p.Rival), "data-works", Flag(p.Below))
	})
	if n := len(places) - len(rows); n > 0 {
		rows = append(rows, Txt("li.more", words.F("and {0} more", Itoa(n))))
	}
	return []app.UI{El("h1|data-test=wall-race", Text(teach.Leads(places, rival)+" "),
		Txt("small", teach.RaceMeans(b.Assignment, rival))), El("ol.rank race|data-test=wall-places", rows...)}
}

// best are the best programs of a race that is closed, between who leads and the first places.
func (w *Wall) best(places []teach.Place) []app.UI {
	kids := w.places(firstPlaces)
	kids = []app.UI{kids[0], programs(places), kids[1]}
	for i := range places {
		if strings.Count(places[i].Code, "\n") > fewLines {
			return kids[:2] // the text takes the room
		}
	}
	return kids
}
