package assign

import "math"

// Hungarian gives, for each row of value, the column that it gets so that the sum of values is the greatest, -1 = none.
// Values are rows × columns, row by row, and at least 0.
//
// It is the Hungarian method by shortest augmenting paths: potentials u of rows and v of columns keep every reduced
// cost -value - u - v at 0 or above, and at 0 where a row has its column. The smaller side is inserted row by row.
func Hungarian(value []float64, rows, columns int) []int {
	out := make([]int, rows)
	for i := range out {
		out[i] = -1
	}
	if rows > columns {
		turned := make([]float64, rows*columns)
		for i := range rows {
			for j := range columns {
				turned[j*rows+i] = value[i*columns+j]
			}
		}
		for j, i := range Hungarian(turned, columns, rows) {
			if i >= 0 {
				out[i] = j
			}
		}
		return out
	}
	// Rows and columns are numbered from 1 here; 0 stands for nobody.
	u, v := make([]float64, rows+1), make([]float64, columns+1)
	owner := make([]int, columns+1) // of a column, its row
	for i := 1; i <= rows; i++ {
		augment(i, value, columns, u, v, owner)
	}
	for j, i := range owner[1:] {
		if i > 0 {
			out[i-1] = j
		}
	}
	return out
}

// augment matches row i: a tree of columns grows in the order of their reduced cost, of equals the lowest first, until
// it reaches one without an owner, and then every column on the path there changes to the row before it.
func augment(i int, value []float64, columns int, u, v []float64, owner []int) {
	least := make([]float64, columns+1) // reduced cost from the tree
	way := make([]int, columns+1)       // the column before it on the path
	in := make([]bool, columns+1)       // the tree
	for j := range least {
		least[j] = math.Inf(1)
	}
	owner[0] = i
	at := 0
	for owner[at] != 0 {
		in[at] = true
		row, next := owner[at], 0
		for j := 1; j <= columns; j++ {
			if in[j] {
				continue
			}
			if c := -value[(row-1)*columns+j-1] - u[row] - v[j]; c < least[j] {
				least[j], way[j] = c, at
			}
			if next == 0 || least[j] < least[next] {
				next = j
			}
		}
		delta := least[next]
		for j := range in {
			if in[j] {
				u[owner[j]] += delta
				v[j] -= delta
			} else {
				least[j] -= delta
			}
		}
		at = next
	}
	for ; at != 0; at = way[at] {
		owner[at] = owner[way[at]]
	}
}
