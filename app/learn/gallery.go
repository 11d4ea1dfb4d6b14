package learn

import (
	"encoding/json"
	"slices"

	"hadarlab/scenarios"
)

// Preset is a ready scenario.
type Preset struct {
	Name     string `json:"id"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Jobs     int    `json:"jobs"`
	GPUs     int    `json:"gpus"`
}

// Card is a preset with its teacher's card.
type Card struct {
	scenarios.Card
	Preset   *Preset
	Policies []string // ids, as the preset compares them
}

// presetPolicies are the policies that a preset compares.
func presetPolicies(doc []byte) (ids []string) {
	var d struct {
		Scenario struct {
			Policies []struct {
				ID string `json:"id"`
			} `json:"policies"`
		} `json:"scenario"`
	}
	if json.Unmarshal(doc, &d) == nil {
		for _, p := range d.Scenario.Policies {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// Cards are those of all that are of the presets whose documents these are.
func (l *State) Cards(all []scenarios.Card, presets []Preset, docs []json.RawMessage) (
	cards []Card, ideas, policies []string) {
	for i := range presets {
		p := &presets[i]
		at := slices.IndexFunc(all, func(c scenarios.Card) bool { return c.Preset == p.Name })
		if at < 0 {
			continue
		}
		card := Card{all[at], p, presetPolicies(docs[i])}
		ideas, policies = append(ideas, card.Ideas...), append(policies, card.Policies...)
		if (l.Idea == "" || slices.Contains(card.Ideas, l.Idea)) &&
			(l.Policy == "" || slices.Contains(card.Policies, l.Policy)) {
			cards = append(cards, card)
		}
	}
	slices.Sort(ideas)
	slices.Sort(policies)
	return cards, slices.Compact(ideas), slices.Compact(policies)
}
