package board

import (
	"cmp"
)

// Top is a ranking of the best N members: see "Top n". With Reserve members behind them in order, scores can fall without a look at the others: 1 to
// MaxTop; 0: a quarter of N, and 16 at least.
type Top struct {
	// N is the number of members that are ranked: 1 to MaxTop.
	N int `json:"n"`
	// Reserve is how many members behind the best N are kept in order with them, so that scores can fall or be removed without a look at the
	// others: 1 to MaxTop. 0 means a quarter of N, and 16 at least.
	Reserve int `json:"reserve,omitempty"`
	// Segments is into how many segments, of about as many members each, the order of all others is divided. Then each of these has a rank too,
	// with a bound: see "Coarse tail" in the doc of the package. 1 to MaxSegments; 0: the others have no ranks.
	Segments int `json:"segments,omitempty"`
}

// withReserve returns a copy of Top with its default filled in.
func (t *Top) withReserve() *Top {
	if t == nil {
		return nil
	}
	return &Top{t.N, cmp.Or(t.Reserve, max(t.N/4, 16)), t.Segments}
}

const (
	// MaxTop is the most that N and Reserve of a Top may be.
	MaxTop = 1 << 24
	// MaxSegments is the most that its Segments may be.
	MaxSegments = 1 << 14
)
