package traffic

import (
	"fmt"
	"math/rand/v2"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	// smallSet is how many members each of many sets has.
	smallSet = 20
	// maxOps is the length of the stream of calls, which is read again and again.
	maxOps = 1 << 18
	// scores are whole numbers below scoreSpan, so that adding 1 makes another score.
	scoreSpan = 1 << 40
)

// load is what is done to every system of a case in a round.
type load struct {
	keys    []string // of the sets
	members int      // in each set
	calls   workload.Stream
	sets    []int32 // the set of each call
	dice    []uint8 // of each call: below Mix.writes it is a write
}

// newLoad draws a load. n is how many members the hot set has, sets how many small sets there are.
func newLoad(c Case, n, sets int, seed uint64) *load {
	r := rand.New(rand.NewPCG(seed, 0x74726166))
	l := &load{keys: []string{"arena"}, members: n}
	if !c.hot {
		l.keys, l.members = make([]string, sets), smallSet
		for i := range l.keys {
			l.keys[i] = fmt.Sprintf("board:%06d", i)
		}
	}
	ops := min(maxOps, 4*len(l.keys)*l.members)
	l.calls = workload.NewStream(ops, func(int) int { return r.IntN(l.members) }, func() float64 { return float64(r.Int64N(scoreSpan)) })
	l.sets, l.dice = make([]int32, ops), make([]uint8, ops)
	for i := range ops {
		l.sets[i], l.dice[i] = int32(r.IntN(len(l.keys))), uint8(r.IntN(100))
	}
	return l
}

// fillSize is how many members fill hands over at once.
const fillSize = 1000

// part is members of one set.
type part struct {
	set     int
	members workload.Stream
}

// fill gives a system every member of every set.
func (l *load) fill(s system, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	score := func() float64 { return float64(r.Int64N(scoreSpan)) }
	var parts []part
	size := 0
	flush := func() error {
		defer func() { parts, size = parts[:0], 0 }()
		if err := s.fill(parts); err != nil {
			return fmt.Errorf("put the members in: %w", err)
		}
		return nil
	}
	for set := range l.keys {
		order := r.Perm(l.members)
		for lo := 0; lo < l.members; lo += fillSize {
			n := min(fillSize, l.members-lo)
			parts = append(parts, part{set, workload.NewStream(n, func(i int) int { return order[lo+i] }, score)})
			if size += n; size < fillSize {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return s.settle()
}
