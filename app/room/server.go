package room

import (
	"encoding/json"

	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
)

// Retry is how long after so many tries in vain the server is asked again, in ms.
func Retry(tries int) int { return min(1000<<min(tries, 4), 15000) }

// Unreached says that an answer is none: the server is not there, or busy.
func Unreached(status int) bool { return status == 0 || status == 429 || status >= 500 }

// Refusal says why a server did not do what it was asked for.
func Refusal(status int, body []byte) string {
	if status == 0 {
		return words.T("The server cannot be reached. The long link works without it.")
	}
	if said := RefusalText(body); said != "" {
		return said
	}
	return words.F("The server answered with status {0}. The long link works without it.", figure.Int(int64(status)))
}

// RefusalText is what the server says of a refusal, "" if it is none of a server of ours.
func RefusalText(body []byte) string {
	var p struct {
		Title, Detail string
		Errors        []jsondoc.Diagnostic
	}
	switch err := json.Unmarshal(body, &p); {
	case err == nil && len(p.Errors) > 0:
		return words.F("The server refused: {0}.", p.Errors[0].Message.In(words.Now()))
	case p.Detail != "":
		return words.F("The server refused: {0}", p.Detail)
	}
	return ""
}
