package httpapi

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
)

const (
	// maxOps is the length of the stream of calls, which callers read again and again.
	maxOps = 1 << 18
	// maxScore is what scores are below.
	maxScore = 1_000_000
	// fillBatch is how many players come in by one commit.
	fillBatch = 500
)

// maxCallers is the most callers.
var maxCallers = slices.Max(callerCounts)

// start opens a system and inserts all players.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x617069))
	players := workload.NewStream(o.N, func(i int) int { return i }, func() float64 { return float64(r.Int64N(maxScore)) })
	if err := s.fill(o.N, func(i int) board.Submission {
		return board.Submission{Member: players.Key(i).Name, Score: board.Ints(int64(players.Score(i)))}
	}); err != nil {
		return nil, errors.Join(err, s.close())
	}
	t := &bench.Turns{For: o.For, Finish: func(int) error { return s.close() }}
	if o.Case == streaming {
		for _, x := range streamLines {
			t.Spots = append(t.Spots, streamSpot(ctx, s, o.Callers, x.line, x.path))
		}
		return t, nil
	}
	calls := workload.NewStream(maxOps, func(int) int { return r.IntN(o.N) }, func() float64 { return float64(r.IntN(maxScore)) })
	cursors := make([]workload.Cursor, maxCallers)
	for i := range cursors {
		cursors[i] = workload.NewCursor(&calls, i, len(cursors), 1)
	}
	for _, c := range allCalls {
		for _, n := range callerCounts {
			spot := bench.Spot{Line: line(c, n), Callers: n, Clocked: true}
			if c != same || o.System == overHTTP {
				spot.Call = func(id int) (int, error) {
					i, _ := cursors[id].Next()
					return 1, s.call(id, c, calls.Key(i).Name, int64(calls.Score(i)))
				}
			}
			t.Spots = append(t.Spots, spot)
		}
	}
	return t, nil
}

// fill inserts all players.
func (s *system) fill(n int, player func(i int) board.Submission) error {
	for first := 0; first < n; first += fillBatch {
		batch := make([]board.Submission, 0, fillBatch)
		for i := first; i < min(n, first+fillBatch); i++ {
			batch = append(batch, player(i))
		}
		if _, err := s.arena.SubmitAll(context.Background(), batch); err != nil {
			return err
		}
	}
	return nil
}
