// Package formula evaluates one expression that somebody typed: who goes first. It is the part of Starlark, a small
// Python, that needs no program: numbers, names with a point (job.steps_left), + - * / // %, comparisons, and, or,
// not, … if … else …, abs, max, min, math.ceil, math.exp, math.floor, math.log and math.sqrt. Every number is a 64-bit
// float, each operation is rounded by itself, and a value has the same bits on every target. An expression has no
// loops and no memory, so that it takes as many steps as it has nodes.
//
// What it reads is checked when it is read: names, the kinds of values (a number, or a yes or no), how many arguments
// a function has. So only a value can be missing afterwards: one that its source does not know, or one that is not
// finite, as of a division by 0.
package formula
