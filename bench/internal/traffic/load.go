package traffic

import (
	"fmt"
	"math/rand/v2"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	// smallSet is how many members each of many sets has.
	smallSet = 20
	// maxOps is the length of the stream of calls, which is read again and again.
	maxOps = 1 << 18
	// fillSize is how many members are inserted at once.
	fillSize = 1000
)

// load is what is done to every system of a case in a round.
type load struct {
	keys    []string // of the sets
	members int      // in each set
	calls   workload.Stream
	sets    []int32 // the set of each call
	dice    []uint8 // of each call: below the writes of a mix it is a write
}

// call is one call.
type call struct {
	set   int
	key   workload.Key
	score float64
	write bool
}

func draw(o bench.Options) *load {
	r := rand.New(rand.NewPCG(o.Seed, 0x74726166))
	l := &load{keys: []string{subject.Arena}, members: o.N}
	if o.Case[:3] != "hot" {
		l.keys, l.members = make([]string, o.Sets), smallSet
		for i := range l.keys {
			l.keys[i] = fmt.Sprintf("board:%06d", i)
		}
	}
	ops := min(maxOps, 4*len(l.keys)*l.members)
	l.calls = workload.NewStream(ops, func(int) int { return r.IntN(l.members) }, func() float64 { return float64(r.Int64N(workload.ScoreSpan)) })
	l.sets, l.dice = make([]int32, ops), make([]uint8, ops)
	for i := range ops {
		l.sets[i], l.dice[i] = int32(r.IntN(len(l.keys))), uint8(r.IntN(100))
	}
	return l
}

// call returns the i-th call, in a mix with so many writes.
func (l *load) call(i int, shift float64, writes uint8) call {
	return call{int(l.sets[i]), l.calls.Key(i), l.calls.Score(i) + shift, l.dice[i] < writes}
}

// fill gives a system every member of every set, some sets at once.
func (l *load) fill(s *system, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	var batch []call
	for set := range l.keys {
		order := r.Perm(l.members)
		all := workload.NewStream(l.members, func(i int) int { return order[i] }, func() float64 { return float64(r.Int64N(workload.ScoreSpan)) })
		for i := range all.Len() {
			batch = append(batch, call{set, all.Key(i), all.Score(i), true})
			if len(batch) < fillSize && (i+1 < all.Len() || set+1 < len(l.keys)) {
				continue
			}
			if err := s.fill(batch); err != nil {
				return fmt.Errorf("insert the members: %w", err)
			}
			batch = batch[:0]
		}
	}
	if s.settle != nil {
		return s.settle()
	}
	return nil
}
