package subject

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/zrankdb/zrank/bench/internal/bench"
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
}

// Absent is the error for a member that every system must have.
func Absent(name string) error { return fmt.Errorf("%q is not ranked", name) }

// fillSize is the number of members that a fill adds at once.
const fillSize = 1000

// FillSets adds each of n members once to every set, in random order.
func (s *System) FillSets(sets, n int, seed uint64, score func(r *rand.Rand) float64) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	var batch []Op
	for set := range sets {
		order := r.Perm(n)
		all := workload.NewStream(n, func(i int) int { return order[i] }, func() float64 { return score(r) })
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

// Clients returns a client and a cursor in a stream for each of several callers.
func (s *System) Clients(callers, size int, stream *workload.Stream) (clients []Client, cursors []workload.Cursor, err error) {
	for i := range callers {
		c, err := s.Client()
		if err != nil {
			return nil, nil, err
		}
		clients, cursors = append(clients, c), append(cursors, workload.NewCursor(stream, i, callers, size))
	}
	return clients, cursors, nil
}
