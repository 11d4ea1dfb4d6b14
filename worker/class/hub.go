package class

import (
	"sync"
	"time"

	"hadarlab/core/class"
)

// Hub tells listeners how their class stands, at most once in a while however much changes. It reads a class only
// while somebody listens.
type Hub struct {
	read  func(code string) (class.State, error)
	mu    sync.Mutex
	rooms map[string]*room
}

// room is one class with listeners.
type room struct {
	listeners int
	known     bool
	state     class.State
	err       error
	at        time.Time     // the state was read
	due       bool          // it will be read again
	looks     *time.Timer   // when a larger run is looked at again; nil = none was
	next      chan struct{} // closed when there is another state
}

// largerLooks is how often listeners hear how far a larger run is.
const largerLooks = time.Second

func newHub(read func(string) (class.State, error)) *Hub {
	return &Hub{read: read, rooms: map[string]*room{}}
}

// Listen enters a class. Call leave when done.
func (h *Hub) Listen(code string) (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[code]
	if r == nil {
		r = &room{next: make(chan struct{})}
		h.rooms[code] = r
	}
	r.listeners++
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if r.listeners--; r.listeners == 0 {
			delete(h.rooms, code)
		}
	})
}

// Look gives the state of a class that is listened to, and what is closed when there is another. An error says that the
// class is gone, or cannot be read.
func (h *Hub) Look(code string) (class.State, <-chan struct{}, error) {
	h.mu.Lock()
	r := h.rooms[code]
	if r.known {
		defer h.mu.Unlock()
		return r.now(), r.next, r.err
	}
	h.mu.Unlock()
	h.publish(code)
	h.mu.Lock()
	defer h.mu.Unlock()
	return r.now(), r.next, r.err
}

// now is the state with the time of this moment.
func (r *room) now() class.State {
	st := r.state
	st.NowMS += time.Since(r.at).Milliseconds()
	return st
}

// State is a state that may be as old as listeners' is.
func (h *Hub) State(code string) (class.State, error) {
	defer h.Listen(code)()
	st, _, err := h.Look(code)
	return st, err
}

// changed says that a class is not as it was.
func (h *Hub) changed(code string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[code]
	if r == nil || r.due {
		return
	}
	r.due = true
	wait := time.Duration(0)
	if r.known {
		wait = max(0, shared-time.Since(r.at))
	}
	time.AfterFunc(wait, func() { h.publish(code) })
}

// publish reads a class and tells its listeners.
func (h *Hub) publish(code string) {
	h.mu.Lock()
	r := h.rooms[code]
	if r == nil {
		h.mu.Unlock()
		return
	}
	r.due = false // what changes from here on is not in what is read
	h.mu.Unlock()
	st, err := h.read(code)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.known && err == nil && st.Seq < r.state.Seq { // another was faster
		return
	}
	r.known, r.state, r.err, r.at = true, st, err, time.Now()
	if r.looks != nil {
		r.looks.Stop()
	}
	if err == nil && st.LargerRun.Lives() { // nobody says how far it is
		r.looks = time.AfterFunc(largerLooks, func() { h.changed(code) })
	}
	close(r.next)
	r.next = make(chan struct{})
}
