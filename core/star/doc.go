// Package star evaluates a subset of Starlark, a small Python without clock, files and chance, for programs that
// strangers write: each step, element and byte is charged to a budget before it is spent, so that no program takes more
// time or memory than it was given, whatever it does. The same program on the same input gives the same values on every
// target. Parser and scopes are the published ones (go.starlark.net/syntax and resolve); the published interpreter is
// the oracle of the tests only, for it holds no such budgets (WHY.md).
//
// # The language
//
// Values are None, bool, int (64 bits; a result beyond them is an error), float (every operation rounded by itself; a
// result that is not finite is an error), str (UTF-8, counted in bytes), list, dict (in the order of insertion), tuple,
// range, functions, and objects of the host with attributes, which nothing in a program changes.
//
// Statements are def, if, for, while, return, break, continue, pass, assignments (also to several names, to an index,
// and with an operator); they may stand outside functions too, and names may be assigned again. Expressions are all of
// Starlark's: comprehensions, lambda, slices, conditional ones. Functions may recur, 200 deep. Left out are load, sets,
// bytes, * and ** in calls and parameters, assignment to attributes, and whole numbers beyond 64 bits.
//
// Functions: abs, all, any, bool, dict, enumerate, fail, float, getattr, hasattr, int, len, list, max, min, print,
// range, repr, reversed, sorted, str, sum, tuple, type, zip; of math: math.ceil, math.exp, math.floor, math.log,
// math.pow, math.sqrt. sum and math are no part of Starlark's core; math.log has one argument. Methods of strings:
// endswith, find, join, lower, replace, split, startswith, strip, upper; of lists: append, clear, extend, index,
// insert, pop, remove; of dicts: clear, get, items, keys, pop, setdefault, update, values. "…" % knows d, e, f, g, i,
// r, s and %.
//
// # What is counted
//
// A step is a node of the program's tree, charged for a whole statement when it begins, or a turn of a loop, an element
// that is visited, compared or copied, or 32 bytes of text. A byte is one that is allocated, whether or not it is soon
// free again. Lists, tuples and dicts are compared, written and kept at most 100 deep.
package star
