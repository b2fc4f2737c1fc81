package events

import "slices"

// vote is what the rows after one say about it. Times are Unix seconds.
type vote struct {
	at, bound int64
	before    int64   // the latest of the rows before it; noTime: there are none
	pro       int     // how many are for it
	contra    []int64 // those against it
}

// count counts the time of a row.
func (v *vote) count(t int64) {
	if v.at-t <= v.bound {
		v.pro++
		return
	}
	v.contra = append(v.contra, t)
}

// over reports whether n rows were enough.
func (v *vote) over(n int) bool {
	ahead := 2*v.pro - len(v.contra)
	return n >= lookAhead || ahead >= lead || -ahead >= lead && v.agree()
}

// against reports whether the row is too far ahead. Where there are rows before it, they break a tie, and decide if there are none after it.
func (v *vote) against() bool {
	ahead := 2*v.pro - len(v.contra)
	return (ahead < 0 || ahead == 0 && v.before != noTime) && v.agree()
}

// agree reports whether the rows against it agree with each other. O(n^2) for n of them.
func (v *vote) agree() bool {
	n := len(v.contra)
	strays := n / 6
	if n >= 3 {
		strays = max(strays, 1)
	}
	return n-v.together() <= strays || n >= lead && n-v.inOrder() <= n/8
}

// together returns how many of the rows against it lie within the bound of each other, at most.
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

// inOrder returns how many of the rows against it can be kept, at most, such that none is earlier by more than the bound than one kept
// before it, or than the rows before the one that is voted on.
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
