package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// banState is what one member of a board should be: banned or not, and its points of all time, 0 if it is not ranked.
type banState struct {
	banned bool
	points int64
}

// banOp is a call, and banAnswer what it has answered.
type banOp string

type banAnswer struct {
	refused bool // ErrBanned, or ErrNotBanned
	points  int64
}

// banModel says what answers are right.
var banModel = porcupine.Model{
	Init: func() any { return banState{} },
	Step: func(state, input, output any) (bool, any) {
		s, a := state.(banState), output.(banAnswer)
		switch input.(banOp) {
		case "submit":
			if s.banned != a.refused {
				return false, s
			}
			if !s.banned {
				s.points++
			}
		case "read":
			return s.points == a.points, s
		case "ban":
			if s.banned != a.refused {
				return false, s
			}
			s = banState{banned: true}
		case "unban":
			if s.banned == a.refused {
				return false, s
			}
			s.banned = false
		}
		return true, s
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprint(input, " ", output) },
}

// banCall makes a call.
func banCall(b board.Board, op banOp) (a banAnswer, err error) {
	ctx := context.Background()
	switch op {
	case "submit":
		_, err = b.Submit(ctx, board.Submission{Member: "eve", Score: board.Ints(1)})
	case "ban":
		_, err = b.Ban(ctx, "eve", ops)
	case "unban":
		_, err = b.Unban(ctx, "eve", ops)
	case "read":
		r, err := b.Live(ctx, "all")
		if err != nil {
			return a, err
		}
		score, ok, err := r.Score(ctx, "eve")
		if ok {
			a.points = score.Int(0)
		}
		return a, err
	}
	if a.refused = errors.Is(err, board.ErrBanned) || errors.Is(err, board.ErrNotBanned); a.refused {
		err = nil
	}
	return a, err
}

// TestBanLinear: submissions, reads, bans and their ends by several callers are as if they happened one after the other, while days end: once a ban is
// acknowledged no submission counts, until the ban ends.
func TestBanLinear(t *testing.T) {
	for seed := range uint64(6) {
		g := newGame(t, seed%2 == 0)
		b := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, {Kind: window.Day}}})
		var mu sync.Mutex
		var history []porcupine.Operation
		var callers sync.WaitGroup
		start := time.Now()
		for id := range 4 {
			callers.Go(func() {
				rng := rand.New(rand.NewPCG(seed, uint64(id)))
				for range 60 {
					op := []banOp{"submit", "submit", "submit", "submit", "read", "ban", "unban"}[rng.IntN(7)]
					if rng.IntN(20) == 0 {
						g.clock.Add(5 * time.Hour)
					}
					call := time.Since(start).Nanoseconds()
					answer, err := banCall(b, op)
					back := time.Since(start).Nanoseconds()
					mu.Lock()
					if err != nil {
						t.Errorf("%s: %v", op, err)
					}
					history = append(history, porcupine.Operation{ClientId: id, Input: op, Call: call, Output: answer, Return: back})
					mu.Unlock()
				}
			})
		}
		callers.Wait()
		require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(banModel, history, time.Minute), "seed %d", seed)
		_, err := b.Ban(context.Background(), "eve", ops)
		if !errors.Is(err, board.ErrBanned) {
			require.NoError(t, err)
		}
		m, err := b.Member(t.Context(), "eve")
		require.NoError(t, err)
		for _, h := range m.Windows {
			require.Empty(t, h.Places)
		}
	}
}
