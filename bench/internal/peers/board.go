package peers

import "github.com/zrankdb/zrank/bench/internal/workload"

// Board is the part of a sorted set that is measured. Ranks are 0-based, lowest score first; intervals of ranks are
// half-open and must lie within the board. An unordered peer has Insert, Remove, Score and Len alone.
type Board interface {
	// Insert adds a member, which must be new; the board has to find that out for itself, and to own the text.
	Insert(k workload.Key, score float64)
	// Remove takes a member out, if it is there.
	Remove(k workload.Key)
	Score(k workload.Key) (float64, bool)
	Len() int
	// Set gives a member, which must be there, another score.
	Set(k workload.Key, score float64)
	// Incr adds to the score of a member, which must be there.
	Incr(k workload.Key, delta float64)
	Rank(k workload.Key) (int, bool)
	// Page copies the entries with ranks in [lo, hi) into a buffer that the board reuses, and returns their number.
	Page(lo, hi int) int
	// Row returns entry i of the last page.
	Row(i int) (member string, score float64)
	// Walk visits the entries with ranks in [lo, hi) without copying them and folds them into one number.
	Walk(lo, hi int) uint64
	// Encode appends the entries with ranks in [lo, hi), one at least, in a format, without copying them before if the peer allows it.
	Encode(dst []byte, lo, hi int, f Format) []byte
}
