package ranking

import "github.com/zrankdb/zrank/board/rules"

// assign computes in a mode the rank, from 1, of each of n rows at consecutive places, and calls set with it. before is the number of places before the
// rows. first is the rank of the first row and last that of the last row; Modified uses last only, the other modes first only. equal reports
// whether row i has the same score as row i-1. O(n).
func assign(m rules.Mode, n, before, first, last int, equal func(i int) bool, set func(i, rank int)) {
	switch m {
	case rules.Modified: // backwards: the rank of a group of equals is the place of its last row
		for i, rank := n-1, last; i >= 0; i-- {
			if i < n-1 && !equal(i+1) {
				rank = before + i + 1
			}
			set(i, rank)
		}
	default:
		for i, rank := 0, first; i < n; i++ {
			switch {
			case i == 0 || m != rules.Ordinal && equal(i):
			case m == rules.Dense:
				rank++
			default:
				rank = before + i + 1
			}
			set(i, rank)
		}
	}
}
