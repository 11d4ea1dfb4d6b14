package message

import "encoding/json"

// FlipNodes is how many nodes a search for what would change a decision changes the GPUs of: the first ones.
const FlipNodes = 16

// FlipRequest asks for the smallest single change of the scenario under which a policy decides otherwise for a job
// in a round. Lane is the policy's place in the document, whose parameters may be changed too; -1 = it has none.
type FlipRequest struct {
	Scenario json.RawMessage `json:"scenario"`
	Policy   PolicyRef       `json:"policy"`
	Lane     int             `json:"lane"`
	Round    int             `json:"round"`
	Job      string          `json:"job"`
}

// FlipResult is what the search found.
type FlipResult struct {
	Sentence string       `json:"sentence"`
	Found    []FlipChange `json:"found"` // smallest first, at most eight
	Tried    int          `json:"tried"` // changes tried
	Cut      bool         `json:"cut"`   // the search ended at its limit of work before all were tried
	// AvgJCTS is the mean completion of the lane as it is, in seconds; absent when a job does not finish, nothing was
	// found, or the runs to the end came to their limit of work.
	AvgJCTS *float64 `json:"avg_jct_s,omitempty"`
}

// FlipChange is one change that alters the decision.
type FlipChange struct {
	Pointer string  `json:"pointer"` // RFC 6901, into the document
	From    any     `json:"from"`
	To      any     `json:"to"`
	Size    float64 `json:"size"` // relative to the value before; 1 for words
	What    string  `json:"what"` // the change in words
	Outcome string  `json:"outcome"`
	// AvgJCTS is the lane's mean completion with the change, in seconds; absent as in FlipResult.
	AvgJCTS *float64 `json:"avg_jct_s,omitempty"`
}
