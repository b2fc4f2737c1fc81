package local

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// changeCounts is an observer that counts the changes of each member, under private keys.
type changeCounts struct{}

func (changeCounts) Changed(tx *engine.Tx, _ *catalog.Board, c *catalog.Change) error {
	key := "changes/" + string(c.Member)
	stored, _, err := tx.Get(key)
	if err != nil {
		return err
	}
	n := uint64(1)
	if len(stored) == 8 {
		n += binary.BigEndian.Uint64(stored)
	}
	return tx.Put(key, binary.BigEndian.AppendUint64(nil, n))
}

// of returns the count of a member.
func (changeCounts) of(t *testing.T, e *engine.Engine, member string) (n int) {
	require.NoError(t, e.View(t.Context(), func(tx *engine.Tx) error {
		stored, ok, err := tx.Get("changes/" + member)
		if n = 0; ok {
			n = int(binary.BigEndian.Uint64(stored))
		}
		return err
	}))
	return n
}

// TestToyObserver adds an observer that nothing else knows of: every change of an entry in an open
// period comes to it, whatever makes it, and whatever kind of ranking it is in.
func TestToyObserver(t *testing.T) {
	week := []board.Window{board.Week}
	for name, spec := range map[string]board.Spec{
		"one set":      {Windows: week},
		"parts":        {Windows: week, Parts: 3},
		"growing":      {Windows: week, PartMembers: 2},
		"best":         {Windows: week, Top: &board.Top{N: 1, Reserve: 1}},
		"rolling":      {Windows: []board.Window{board.Rolling("week", 7*24*time.Hour)}},
		"kept results": {Windows: week, Op: board.BestOf, K: 2},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, false)
			toy := changeCounts{}
			g.bs.catalog.Observers = append(g.bs.catalog.Observers, toy)
			spec.Name = "arena"
			b := g.define(spec)
			ctx, act := t.Context(), board.Action{By: "op", Reason: "test"}
			g.score(b, "ada", 5)
			g.score(b, "bob", 3)
			g.score(b, "ada", 4) // changes nothing but kept results
			first := map[bool]int{true: 2, false: 1}[spec.K > 0]
			require.Equal(t, first, toy.of(t, g.e, "ada"))
			_, err := b.Hide(ctx, "ada", act)
			require.NoError(t, err)
			require.Equal(t, first+1, toy.of(t, g.e, "ada"))
			g.score(b, "ada", 9) // beside the ranking
			_, err = b.Show(ctx, "ada", act)
			require.NoError(t, err)
			require.Equal(t, first+3, toy.of(t, g.e, "ada"))
			_, err = b.Rename(ctx, "ada", "cy", act)
			require.NoError(t, err)
			require.Equal(t, first+4, toy.of(t, g.e, "ada"))
			require.Equal(t, 1, toy.of(t, g.e, "cy"))
			_, err = b.Merge(ctx, "bob", "cy", act)
			require.NoError(t, err)
			require.Equal(t, 2, toy.of(t, g.e, "bob"))
			_, err = b.Remove(ctx, "cy")
			require.NoError(t, err)
			require.GreaterOrEqual(t, toy.of(t, g.e, "cy"), 2)
			if name == "rolling" {
				g.score(b, "dan", 1)
				g.jump(7 * 24 * time.Hour)
				require.Empty(t, g.live(b, "week"))
				require.Equal(t, 2, toy.of(t, g.e, "dan"), "its result has left")
			}
		})
	}
}
