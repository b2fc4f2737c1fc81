package local

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/engine"
)

// TestCheckTop: a check compares the head of a ranking of the best members with each bucket of its tail, and the members of a bucket with its number.
func TestCheckTop(t *testing.T) {
	buckets.SetFull(4)
	t.Cleanup(func() { buckets.SetFull(0) })
	for name, row := range map[string]struct {
		from, to func(head string, buckets []string) string // the first entry of from is moved to to
		text     string
	}{
		"order": {
			from: func(head string, _ []string) string { return head },
			text: "comes behind the first of bucket",
		},
		"bucket": {
			from: func(_ string, buckets []string) string { return buckets[0] },
			to:   func(_ string, buckets []string) string { return buckets[1] },
			text: "has a member that belongs to another bucket",
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			b := g.define(board.Spec{Name: "arena", Op: board.Last, Ties: board.ByMember, Top: &board.Top{N: 3, Reserve: 4}})
			for i := range 40 {
				g.score(b, fmt.Sprint("m", i), int64(i))
			}
			g.requireSound(0, 0)
			timeline := coreOf(b).State().Timelines[0]
			tail := timeline.TailOf("all")
			keys := timeline.RankingKeys("all")
			require.Greater(t, len(keys), 3)
			from := row.from(keys[0], keys[1:])
			require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), keys, func(tx *engine.Tx) error {
				source, err := tx.IntSet(from, coreOf(b).State().Form)
				if err != nil {
					return err
				}
				e := source.Append(nil, 0, 1)[0]
				member, tie := bytes.Clone(e.Member), bytes.Clone(e.Tie)
				number, _ := tail.Find(buckets.Hash(member))
				to := timeline.BucketKey("all", number)
				if row.to != nil {
					to = row.to(keys[0], keys[1:])
				}
				target, err := tx.IntSet(to, coreOf(b).State().Form)
				if err != nil {
					return err
				}
				if _, err := source.Remove(member); err != nil {
					return err
				}
				_, err = target.Put(member, tie, e.Score)
				return err
			}))
			g.requireProblem(check.Where("arena", "all", "all"), row.text)
		})
	}
}

// TestCheckTopUnderWriters: a check that runs while members move between the sets finds nothing wrong.
func TestCheckTopUnderWriters(t *testing.T) {
	buckets.SetFull(5)
	t.Cleanup(func() { buckets.SetFull(0) })
	g := newGame(t, true, func(g *game) { g.o = engine.Options{} })
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Ties: board.ByMember, Top: &board.Top{N: 10, Reserve: 4}})
	const writers = 4
	errs := make(chan error, writers)
	for i := range writers {
		w := &topWriter{i, rand.New(rand.NewPCG(uint64(i), 20)), map[string]int64{}}
		go func() { errs <- w.write(b, 20*howMany(40)) }()
	}
	for running := writers; running > 0; {
		rep, err := g.bs.Check(context.Background(), nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		select {
		case err := <-errs:
			require.NoError(t, err)
			running--
		default:
		}
	}
}
