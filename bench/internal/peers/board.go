package peers

import "github.com/zrankdb/zrank/bench/internal/workload"

// Board is the part of a sorted set that is measured. Ranks are 0-based, lowest score first; intervals of ranks are
// half-open and must lie within the board.
type Board interface {
	// Insert adds a member, which must be new; the board has to find that out for itself, and to own the text.
	Insert(k workload.Key, score float64)
	// Remove takes a member out, if it is there.
	Remove(k workload.Key)
	Score(k workload.Key) (float64, bool)
	Len() int
}

// Ordered is a Board that also knows order.
type Ordered interface {
	Board
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
}

// Weigher is a Board whose members are not in this process's heap.
type Weigher interface {
	// Bytes returns the memory that all boards of the process take where they are.
	Bytes() (float64, error)
}

// Queuer is a Board that can be filled without waiting for each answer.
type Queuer interface {
	// Queue is Insert, done at the latest when Drain returns.
	Queue(k workload.Key, score float64)
	// Drain waits for all that was queued on any board of the process.
	Drain()
}
