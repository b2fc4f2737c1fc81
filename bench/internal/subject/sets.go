package subject

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Kind is what an operation does.
type Kind uint8

// The kinds. A rank of an absent member is an error.
const (
	Add Kind = iota
	Incr
	Rank
)

// Op is one operation on one of several sets.
type Op struct {
	Set   int
	Kind  Kind
	Key   workload.Key
	Score float64
}

// Client makes operations for one goroutine, and returns when all of them are answered.
type Client func(ops []Op) error

// System is a system that holds sets.
type System struct {
	Fill   Client // adds many members
	Client func() (Client, error)
	// Counts returns the number of members in each set, as far as the system knows.
	Counts func() ([]int, error)
	Close  func() error
	// Settle makes everything durable after the fill. Halt and Resume stop another process. They are nil if there is nothing to do.
	Settle, Halt, Resume func() error

	Bytedance *Bytedance    // nil if the system is another
	Redis     *redis.Server // the same
}

// BytedanceName is the name of bytedance's sets.
const BytedanceName = "bytedance"

// Open opens the sets of bytedance, of a redis-server or, under any other name, of an engine. If together is true, the peers make each call
// as one transaction. What follows a slash in the name is left to the caller.
func Open(ctx context.Context, o bench.Options, l Level, keys []string, together bool) (s *System, err error) {
	switch name, _, _ := strings.Cut(o.System, "/"); name {
	case BytedanceName:
		return newBytedance(keys, together), nil
	case bench.Redis:
		return startRedis(ctx, o.Redis, o.Dir, l, keys, together)
	}
	_, s, err = OpenEngine(o.Dir, l, keys)
	return s, err
}

// Absent is the error for a member that every system must have.
func Absent(name string) error { return fmt.Errorf("%q is not ranked", name) }

// fillSize is the number of members that a fill adds at once.
const fillSize = 1000

// FillSets adds each of n members once to every set, in random order.
func (s *System) FillSets(sets, n int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	var batch []Op
	for set := range sets {
		order := r.Perm(n)
		all := workload.NewStream(n, func(i int) int { return order[i] }, func() float64 { return WholeScore(r) })
		for i := range n {
			batch = append(batch, Op{Set: set, Key: all.Key(i), Score: all.Score(i)})
			if len(batch) < fillSize && (i+1 < n || set+1 < sets) {
				continue
			}
			if err := s.Fill(batch); err != nil {
				return fmt.Errorf("insert the members: %w", err)
			}
			batch = batch[:0]
		}
	}
	if s.Settle != nil {
		return s.Settle()
	}
	return nil
}

// WholeScore draws a whole score.
func WholeScore(r *rand.Rand) float64 { return float64(r.Int64N(workload.ScoreSpan)) }

// Turns returns a session that measures the system in closed loops. In the end each of Counts must be want. Turns halts the system, and
// closes it if err is not nil.
func (s *System) Turns(o bench.Options, spots []bench.Spot, want int, err error) (bench.Session, error) {
	if err == nil && s.Halt != nil {
		err = s.Halt()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &bench.Turns{For: o.For, Spots: spots, Halt: s.Halt, Resume: s.Resume, Finish: func(int) error {
		found, err := s.Counts()
		for _, n := range found {
			err = errors.Join(err, bench.Want("members", n, want))
		}
		return errors.Join(err, s.Close())
	}}, nil
}

// Batches returns a function that makes the next size operations of one of several callers in one call. op returns operation i of the
// stream, with a shift for its score.
func (s *System) Batches(callers, size int, stream *workload.Stream, op func(i int, shift float64) Op) (func(id int) error, error) {
	clients, cursors, batches := make([]Client, callers), make([]workload.Cursor, callers), make([][]Op, callers)
	for id := range callers {
		var err error
		if clients[id], err = s.Client(); err != nil {
			return nil, err
		}
		cursors[id], batches[id] = workload.NewCursor(stream, id, callers, size), make([]Op, size)
	}
	return func(id int) error {
		lo, shift := cursors[id].Next()
		for i := range batches[id] {
			batches[id][i] = op(lo+i, shift)
		}
		return clients[id](batches[id])
	}, nil
}
