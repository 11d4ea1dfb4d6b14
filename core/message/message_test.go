package message

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func sample() *Message {
	s := 1.5
	return &Message{ID: 7, Lane: &Lane{Policy: "hadar", Params: map[string]any{"beam": 8.0}, Outcome: "done",
		TraceHash: "ab",
		Jobs:      []JobRow{{ID: "j1", StartS: &s}}}, Body: []byte{1, 2, 3}}
}

func TestRoundTrip(t *testing.T) {
	b, err := sample().Encode()
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != 7 || !bytes.Equal(m.Body, []byte{1, 2, 3}) || !reflect.DeepEqual(m.Lane, sample().Lane) {
		t.Errorf("%+v", m)
	}
}

func TestDecodeRefuses(t *testing.T) {
	b, _ := sample().Encode()
	for n := range len(b) - 3 { // the body itself has no length of its own
		if _, err := Decode(b[:n]); !errors.Is(err, ErrMessage) {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	var head map[string]any
	if err := json.Unmarshal(b[4:len(b)-3], &head); err != nil {
		t.Fatal(err)
	}
	head["v"] = Version + 1
	newer, _ := json.Marshal(head)
	n := len(newer)
	if _, err := Decode(append([]byte{byte(n), byte(n >> 8), 0, 0}, newer...)); !errors.Is(err, ErrMessage) {
		t.Errorf("a newer version: %v", err)
	}
}

// TestUnfinishedJobsAreNull keeps the contract's null for what has not happened.
func TestUnfinishedJobsAreNull(t *testing.T) {
	b, _ := json.Marshal(JobRow{ID: "j1"})
	if want := `{"id":"j1","arrival_s":0,"start_s":null,"finish_s":null,"gpu_s":0,"restarts":0,"wait_s":0,"stalled_s":0}`; string(b) != want {
		t.Errorf("%s", b)
	}
}

func FuzzDecode(f *testing.F) {
	b, _ := sample().Encode()
	f.Add(b)
	f.Add([]byte{255, 255, 255, 255, '{'})
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Decode(b); err == nil && m.V != Version {
			t.Error("another version was accepted")
		}
	})
}
