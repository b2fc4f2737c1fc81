package events

import (
	"math"
	"slices"
)

// A row that is far ahead of all rows before it is either the first after a pause, and then the rows after it are as late; or it is wrong,
// and then they go back. So the input reads the rows after it, and they vote:
//
//	before              the row    after
//	2025 2026 2026      2126       2026 2026 2026 ...   it is too far ahead
//	1938 1938 1938      1950       1950 1950 1950 ...   it is not
//	2011 1975 1990      2024       1930 1988 1952 ...   it is not: the rows are in no order
//
// A row after it is for it if it is at most MaxAhead earlier, else against it. It takes two against it to outweigh one for it, and the rows
// before it break a tie: so the last row of an input is too far ahead. The vote is over when one side leads by lead, after lookAhead rows or
// lookAheadBytes, or at the end of the input.
//
// In an input without an order of time such a vote means nothing. So the rows against it count only if they agree with each other: all but one
// in six of them lie within MaxAhead, or there are lead of them or more, and all but one in eight are in order of time, give or take MaxAhead.
//
// The first row has none before it, and may be the one that is wrong: it is always voted on. A stream's first row does not wait for
// rows that have not been written, unless one is against it; any later row that is far ahead does.
const (
	lookAhead      = 64
	lookAheadBytes = 1 << 20
	lead           = 16
)

// vote is the vote of the rows after one on whether it is too far ahead. Times are Unix seconds.
type vote struct {
	at, bound int64
	before    int64   // the latest of the rows before it; noTime: there are none
	pro       int     // number of rows for it
	contra    []int64 // times of the rows against it
}

// count counts the time of a row.
func (v *vote) count(t int64) {
	if v.at-t <= v.bound {
		v.pro++
		return
	}
	v.contra = append(v.contra, t)
}

// over reports whether the vote is over after n rows.
func (v *vote) over(n int) bool {
	ahead := 2*v.pro - len(v.contra)
	return n >= lookAhead || ahead >= lead || -ahead >= lead && v.agree()
}

// against reports whether the row is too far ahead. The rows before it, if any, break a tie, and decide if no row follows.
func (v *vote) against() bool {
	ahead := 2*v.pro - len(v.contra)
	return (ahead < 0 || ahead == 0 && v.before != noTime) && v.agree()
}

// agree reports whether the rows against it agree with each other. O(n^2) for n such rows.
func (v *vote) agree() bool {
	n := len(v.contra)
	strays := n / 6
	if n >= 3 {
		strays = max(strays, 1)
	}
	return n-v.together() <= strays || n >= lead && n-v.inOrder() <= n/8
}

// together returns the largest number of rows against it that lie within the bound of each other.
func (v *vote) together() (most int) {
	sorted := slices.Sorted(slices.Values(v.contra))
	from := 0
	for to, t := range sorted {
		for t-sorted[from] > v.bound {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

// inOrder returns the largest number of rows against it that can be kept such that none is earlier, by more than the bound, than a kept row
// before it or than the rows before the one that is voted on.
func (v *vote) inOrder() (most int) {
	type kept struct {
		latest int64
		n      int
	}
	best := []kept{{v.before, 0}} // one for each latest row, with as many rows as can be
	for _, t := range v.contra {
		now := kept{t, 0}
		for i := range best {
			switch k := &best[i]; {
			case k.latest <= t:
				now.n = max(now.n, k.n+1)
			case k.latest-t <= v.bound:
				k.n++
			}
		}
		if now.n > 0 {
			best = append(best, now)
		}
	}
	for _, k := range best {
		most = max(most, k.n)
	}
	return most
}

// noTime is before all times.
const noTime = math.MinInt64
