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
	"github.com/zrankdb/zrank/board"
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
	// drawSeed is the second half of the seed that calls are drawn with.
	drawSeed = 0x626f617264
)

// client makes calls for one goroutine. submit submits [lo, hi) of a stream in one transaction.
type client struct {
	submit func(s *workload.Stream, lo, hi int) error
	card   func(name string, mode board.Mode) error
}

// system is a board, or three sets by hand. put inserts players.
type system struct {
	*subject.System
	put    func(s *workload.Stream) error
	client func() (client, error)
}

// fill puts each of n players once, in random order, with initial points.
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
	if err = fill(o.N, o.Seed, sys.put); err == nil && sys.Settle != nil {
		err = sys.Settle()
	}
	list, failed := sys.spots(o, l)
	return sys.Turns(o, list, o.N, errors.Join(err, failed))
}

// spots returns the spots of a level. A system that does not make the calls of a spot leaves its turn out.
func (s *system) spots(o bench.Options, l subject.Level) (list []bench.Spot, err error) {
	r := rand.New(rand.NewPCG(o.Seed, drawSeed))
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
		if clients[i], err = s.client(); err != nil {
			return nil, err
		}
		cursors[i] = workload.NewCursor(&uniform, i, of, size)
	}
	for _, k := range kinds {
		players := &uniform
		if k.zipf {
			players = &hot
		}
		for _, n := range callers {
			spot := bench.Spot{Line: line(l, k, n), Callers: n, Call: func(id int) (int, error) {
				lo, _ := cursors[id].Next()
				return size, clients[id].submit(players, lo, lo+size)
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
				list = append(list, spot)
			}
		}
	}
	return list, nil
}

// A card is the first top, and each before and after the player's own row.
const top, each = 10, 5

// around returns the places [lo, hi) that a card has around a place, as Ranking.Around does.
func around(place, n int) (lo, hi int) {
	size := min(2*each+1, n)
	lo = min(max(place-each, 0), n-size)
	return lo, lo + size
}
