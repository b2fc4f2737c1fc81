package rwlock

import (
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/goroutine"
)

// row is the counters of a wide lock.
type row struct{ counters []counter }

// counter is alone in its cache lines; processors fetch two at a time.
type counter struct {
	n atomic.Int32
	_ [124]byte
}

// The number of counters is a power of two, and a few times the number of processors, so that goroutines on different processors rarely share
// one.
const perProcessor, minCounters, maxCounters = 4, 8, 64

// shift turns a product of 64 bits into the number of a counter.
var shift = 64 - bits.Len(uint(min(max(perProcessor*runtime.GOMAXPROCS(0), minCounters), maxCounters)-1))

func newRow() *row {
	return &row{make([]counter, 1<<(64-shift))}
}

// mine returns the counter of the calling goroutine. Goroutines whose numbers follow each other have different ones.
func (r *row) mine() *atomic.Int32 {
	return &r.counters[uint64(goroutine.ID())*0x9e3779b97f4a7c15>>shift].n
}
