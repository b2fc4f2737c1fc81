package boards

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine/board"
)

const (
	// maxOps is the length of the stream of calls, which is read again and again.
	maxOps = 1 << 18
	// zipfExponent is the skew of the hot tail: the hottest of 1 M players makes about 12 % of the submissions.
	zipfExponent = 1.1
	// fillSize is how many players are inserted at once.
	fillSize = 1000
	// startSpan is below how many points a player begins, and maxPoints how many a submission adds at most.
	startSpan, maxPoints = 1_000_000, 1000
)

// client makes calls for one goroutine.
type client struct {
	submit func(s *workload.Stream, lo, hi int) error // in one transaction
	card   func(name string, mode board.Mode) error
}

// system is what is measured.
type system struct {
	put     func(s *workload.Stream) error // inserts players
	settle  func() error                   // makes everything durable, once, after the fill
	client  func() (client, error)
	players func() ([]int, error) // in each window
	close   func() error
	// halt keeps another process from working in the background; nil: there is none.
	halt, resume func() error
}

// fill hands over each of n players once, in random order, with the points to begin with.
func fill(n int, seed uint64, put func(*workload.Stream) error) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	order := r.Perm(n)
	for lo := 0; lo < n; lo += fillSize {
		s := workload.NewStream(min(fillSize, n-lo), func(i int) int { return order[lo+i] }, func() float64 { return float64(r.Int64N(startSpan)) })
		if err := put(&s); err != nil {
			return fmt.Errorf("insert the players: %w", err)
		}
	}
	return nil
}

// startCalls opens a system, inserts all players and connects the callers.
func startCalls(ctx context.Context, o bench.Options, l subject.Level) (bench.Session, error) {
	sys, err := open(ctx, o, l)
	if err != nil {
		return nil, err
	}
	t := &bench.Turns{For: o.For, Halt: sys.halt, Resume: sys.resume, Finish: func(int) error { return finish(sys, o.N) }}
	err = fill(o.N, o.Seed, sys.put)
	if err == nil {
		err = sys.settle()
	}
	if err == nil {
		err = prepare(t, sys, o, l)
	}
	if err == nil && sys.halt != nil {
		err = sys.halt()
	}
	if err != nil {
		return nil, errors.Join(err, sys.close())
	}
	return t, nil
}

// finish closes a system after all players were counted.
func finish(sys *system, n int) error {
	found, err := sys.players()
	for _, players := range found {
		err = errors.Join(err, bench.Want("players in a window", players, n))
	}
	return errors.Join(err, sys.close())
}

// prepare adds the spots. A system that does not have one leaves its turn out.
func prepare(t *bench.Turns, sys *system, o bench.Options, l subject.Level) error {
	r := rand.New(rand.NewPCG(o.Seed, 0x626f617264))
	zipf := rand.NewZipf(r, zipfExponent, 1, uint64(o.N-1))
	points := func() float64 { return float64(1 + r.IntN(maxPoints)) }
	ops := min(maxOps, 4*o.N)
	uniform := workload.NewStream(ops, func(int) int { return r.IntN(o.N) }, points)
	hot := workload.NewStream(ops, func(int) int { return int(zipf.Uint64()) }, points)
	size, of := 1, slices.Max(callers)
	if many(o.System) {
		size = together
	}
	clients, cursors := make([]client, of), make([]workload.Cursor, of)
	for i := range of {
		var err error
		if clients[i], err = sys.client(); err != nil {
			return err
		}
		cursors[i] = workload.NewCursor(&uniform, i, of, size)
	}
	for _, k := range kinds {
		s := &uniform
		if k.zipf {
			s = &hot
		}
		for _, n := range callers {
			spot := bench.Spot{Line: line(l, k, n), Callers: n, Call: func(id int) (int, error) {
				lo, _ := cursors[id].Next()
				return size, clients[id].submit(s, lo, lo+size)
			}}
			if k.card {
				spot.Call = func(id int) (int, error) {
					at, _ := cursors[id].Next()
					return 1, clients[id].card(uniform.Key(at).Name, k.mode)
				}
			}
			if !has(l, o.System, k) {
				spot.Call = nil
			}
			if has(l, bench.Zrank, k) {
				t.Spots = append(t.Spots, spot)
			}
		}
	}
	return nil
}

// A card is the first top, and each before and after the player's own row.
const top, each = 10, 5

// around returns the places [lo, hi) that a card has around a place, as Ranking.Around does.
func around(place, n int) (lo, hi int) {
	size := min(2*each+1, n)
	lo = min(max(place-each, 0), n-size)
	return lo, lo + size
}
