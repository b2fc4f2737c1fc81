package specs

import "cmp"

// Top is a ranking of the best n members. It is exact at every moment, and every member's score is kept: see "Top n" in package board.
type Top struct {
	// N is the number of members that are ranked: 1 to MaxTop.
	N int `json:"n"`
	// Reserve is how many members behind the best N are kept in order with them, so that scores can fall or be removed without a look at the
	// others: 1 to MaxTop. 0 means a quarter of N, and 16 at least.
	Reserve int `json:"reserve,omitempty"`
}

// MaxTop is the most that the fields of Top may be.
const MaxTop = 1 << 24

// withReserve returns a copy of Top with its default filled in.
func (t *Top) withReserve() *Top {
	if t == nil {
		return nil
	}
	return &Top{t.N, cmp.Or(t.Reserve, max(t.N/4, 16))}
}
