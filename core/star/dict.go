package star

import (
	"math"

	"hadarlab/core/words"
)

// dict is a table in the order of insertion: entries in a row, and an index of them by hash with linear probing. What
// is removed stays as a gap until the table is made anew.
type dict struct {
	entries []entry
	index   []int32 // a power of two of places: 1 + an entry's, 0 = free
	live    int
	frozen  bool
	busy    int // loops over it
}

type entry struct {
	key, value Value
	hash       uint64
	live       bool
}

const entrySize = 2*size + 16 + 8 // with its two places in the index

// find is the entry of a key, nil if there is none. Each place that is looked at is a step.
func (d *dict) find(m *Machine, key Value) *entry {
	if h := m.hash(key, 0); d.live > 0 {
		return d.at(m, key, h)
	}
	return nil
}

func (d *dict) at(m *Machine, key Value, hash uint64) *entry {
	if len(d.index) == 0 {
		return nil
	}
	mask := uint64(len(d.index) - 1)
	for i := hash & mask; d.index[i] > 0; i = (i + 1) & mask {
		m.Charge(1)
		if e := &d.entries[d.index[i]-1]; e.live && e.hash == hash && m.equal(e.key, key, 0) {
			return e
		}
	}
	return nil
}

// set gives a key a value; a new key comes last.
func (d *dict) set(m *Machine, key, value Value) {
	m.change(d.frozen, d.busy)
	h := m.hash(key, 0)
	if e := d.at(m, key, h); e != nil {
		e.value = value
		return
	}
	if len(d.entries) == cap(d.entries) {
		d.grow(m)
	}
	d.entries = append(d.entries, entry{key, value, h, true})
	d.live++
	d.place(len(d.entries)-1, h)
}

// grow makes the table anew without gaps, with room for more.
func (d *dict) grow(m *Machine) {
	room := int64(max(8, 2*d.live))
	m.Charge(room)
	m.Alloc(room * entrySize)
	old := d.entries
	d.entries = make([]entry, 0, room)
	places := 1
	for int64(places) < room+room/2 {
		places *= 2
	}
	d.index = make([]int32, places)
	for i := range old {
		if old[i].live {
			d.entries = append(d.entries, old[i])
			d.place(len(d.entries)-1, old[i].hash)
		}
	}
}

func (d *dict) place(at int, hash uint64) {
	mask := uint64(len(d.index) - 1)
	i := hash & mask
	for d.index[i] > 0 {
		i = (i + 1) & mask
	}
	d.index[i] = int32(at + 1)
}

// remove takes a key out and gives its value.
func (d *dict) remove(m *Machine, key Value) (Value, bool) {
	m.change(d.frozen, d.busy)
	e := d.find(m, key)
	if e == nil {
		return Value{}, false
	}
	v := e.value
	*e = entry{hash: e.hash}
	d.live--
	return v, true
}

// hash is a number that equal keys share. Numbers are mixed well; texts by FNV-1a. A program that makes its keys
// collide pays for each that is looked at.
func (m *Machine) hash(v Value, deep int) uint64 {
	switch v.kind {
	case noneKind:
		return 1
	case boolKind:
		return 2 + v.n
	case intKind:
		return mix(v.n)
	case floatKind:
		x := v.float()
		if t := math.Trunc(x); t == x && x >= -0x1p63 && x < 0x1p63 {
			return mix(uint64(int64(x))) // as the whole number that it equals
		}
		return mix(v.n)
	case stringKind:
		s := v.text()
		m.Charge(int64(len(s) / 16))
		h := uint64(14695981039346656037)
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		return mix(h)
	case tupleKind:
		m.nested(deep)
		h := uint64(3)
		for _, x := range v.list().items {
			m.Charge(1)
			h = mix(h ^ m.hash(x, deep+1))
		}
		return h
	}
	m.Fail(words.Say("{0} cannot be a key of a dict. Take None, bool, int, float, string, or a tuple of them.",
		v.Type()))
	return 0
}

// mix spreads the bits of a number (the end of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
