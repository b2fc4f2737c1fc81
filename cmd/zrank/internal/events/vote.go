package events

import (
	"math"
	"slices"
)

// A row that is far ahead of all rows before it may be the first after a pause: then the rows after it are as late. Or its time is wrong:
// then the rows after it are earlier again. So the input reads the rows after it, and they vote:
//
//	before              the row    after
//	2025 2026 2026      2126       2026 2026 2026 ...   it is too far ahead
//	1938 1938 1938      1950       1950 1950 1950 ...   it is not
//	2011 1975 1990      2024       1930 1988 1952 ...   it is not: the rows are in no order
//
// A row votes for it if it is at most MaxAhead earlier, else against it. A vote for it has twice the weight of a vote against it. A tie is
// decided by the rows before it, if any, which are against it: so the last row of an input is too far ahead. The vote is over when one side
// leads by lead, after lookAhead rows or lookAheadBytes, or at the end of the input.
//
// In an input without an order of time such a vote means nothing. So the votes against it count only if those rows agree with each other.
// They agree if all but one in six of them lie within MaxAhead of each other. If there are lead of them or more, they also agree if all but
// one in eight are in order of time, give or take MaxAhead.
//
// The first row has none before it, and its own time may be wrong: so it always needs a vote. A stream's first row does not wait for
// rows that have not been written, unless one is against it; any later row that is far ahead waits.
const (
	lookAhead      = 64
	lookAheadBytes = 1 << 20
	lead           = 16
)

// vote is the vote of the rows after a row on whether it is too far ahead. Times are Unix seconds.
type vote struct {
	at     int64   // the time of the row that is voted on
	bound  int64   // Options.MaxAhead in seconds
	before int64   // the latest of the rows before it; noTime: there are none
	pro    int     // number of rows for it
	contra []int64 // times of the rows against it
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

// together returns the size of the largest group of rows against it that lie within the bound of each other.
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

// inOrder returns the length of the longest subsequence of the rows against it that is in order of time, give or take the bound: no row is
// earlier by more than the bound than a chosen row before it or than v.before.
func (v *vote) inOrder() (most int) {
	type sequence struct {
		latest int64 // time of its latest row
		n      int   // number of its rows
	}
	longest := []sequence{{v.before, 0}} // for each latest row the longest subsequence
	for _, t := range v.contra {
		next := sequence{t, 0}
		for i := range longest {
			switch s := &longest[i]; {
			case s.latest <= t:
				next.n = max(next.n, s.n+1)
			case s.latest-t <= v.bound:
				s.n++
			}
		}
		if next.n > 0 {
			longest = append(longest, next)
		}
	}
	for _, s := range longest {
		most = max(most, s.n)
	}
	return most
}

// noTime is before all times.
const noTime = math.MinInt64
