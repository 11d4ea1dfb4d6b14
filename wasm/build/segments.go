//go:build !js

package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Of the WebAssembly binary format, version 1 (W3C, Core Specification, 5.5): the header, the section of data, and the
// bytes around a segment's address in the one memory.
const (
	wasmHeader   = "\x00asm\x01\x00\x00\x00"
	dataSection  = 11
	addressBegin = "\x00\x41" // active, in memory 0; i32.const
	addressEnd   = 0x0b       // end
)

// segment is a piece of the memory that a program starts with.
type segment struct {
	at   uint64 // its first byte's address
	data []byte
}

// joinSegments makes one segment of all of a program's. Go's linker leaves out every run of eight zeros and ends the
// segment there, which makes files smaller that nobody compresses: a hundred thousand addresses, each of which no
// compressor foresees, in place of zeros that cost next to nothing. The memory is the same.
func joinSegments(program []byte) ([]byte, error) {
	if !bytes.HasPrefix(program, []byte(wasmHeader)) {
		return nil, errors.New("this is no WebAssembly program")
	}
	out := []byte(wasmHeader)
	for r := (wasmReader{program[len(wasmHeader):]}); len(r.left) > 0; {
		kind, ok := r.byte()
		body, whole := r.bytes()
		if !ok || !whole {
			return nil, errors.New("the program ends within a section")
		}
		if kind == dataSection {
			segments, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			body = oneSegment(segments)
		}
		out = binary.AppendUvarint(append(out, kind), uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// readSegments reads a section of data and gives its segments by their addresses. None may lie on another.
func readSegments(section []byte) ([]segment, error) {
	r := wasmReader{section}
	n, ok := r.uint()
	var all []segment
	for i := uint64(0); ok && i < n; i++ {
		if !bytes.HasPrefix(r.left, []byte(addressBegin)) {
			return nil, fmt.Errorf("segment %d has no constant address", i)
		}
		r.left = r.left[len(addressBegin):]
		at, _ := r.uint() // a signed number; those below 2³¹ have the same bytes
		end, _ := r.byte()
		data, whole := r.bytes()
		ok = whole && end == addressEnd && at < 1<<31
		all = append(all, segment{at, data})
	}
	if !ok || len(r.left) > 0 {
		return nil, errors.New("the section of data is malformed")
	}
	slices.SortFunc(all, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(all); i++ {
		if before := all[i-1]; before.at+uint64(len(before.data)) > all[i].at {
			return nil, fmt.Errorf("two segments lie on the address %d", all[i].at)
		}
	}
	return all, nil
}

// oneSegment writes the section of data anew, with zeros between the segments.
func oneSegment(segments []segment) []byte {
	if len(segments) == 0 {
		return []byte{0}
	}
	first, last := segments[0], segments[len(segments)-1]
	memory := make([]byte, last.at+uint64(len(last.data))-first.at)
	for _, s := range segments {
		copy(memory[s.at-first.at:], s.data)
	}
	out := binary.AppendUvarint([]byte("\x01"+addressBegin), first.at)
	if end := len(out) - 1; out[end]&0x40 != 0 { // a signed number would be taken for one below zero
		out[end] |= 0x80
		out = append(out, 0)
	}
	out = binary.AppendUvarint(append(out, addressEnd), uint64(len(memory)))
	return append(out, memory...)
}

// wasmReader reads the format's numbers and counted bytes; ok is false past the end.
type wasmReader struct{ left []byte }

func (r *wasmReader) byte() (b byte, ok bool) {
	if len(r.left) == 0 {
		return 0, false
	}
	b, r.left = r.left[0], r.left[1:]
	return b, true
}

func (r *wasmReader) uint() (v uint64, ok bool) {
	v, n := binary.Uvarint(r.left)
	if n <= 0 {
		return 0, false
	}
	r.left = r.left[n:]
	return v, true
}

func (r *wasmReader) bytes() (b []byte, ok bool) {
	n, ok := r.uint()
	if !ok || n > uint64(len(r.left)) {
		return nil, false
	}
	b, r.left = r.left[:n], r.left[n:]
	return b, true
}
