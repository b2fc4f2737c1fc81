package local

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// TestCheckAwards: a check compares awards with their settlement at every stage, and finds a wrong number, a missing award and a foreign one.
func TestCheckAwards(t *testing.T) {
	g := newGame(t, true)
	b := g.define(daily(awards.Plan{Tiers: medals}, 0))
	g.play(b, 30, 20, 10)
	check := func(want string) {
		t.Helper()
		rep, err := g.bs.Check(context.Background(), nil)
		require.NoError(t, err)
		if want == "" {
			require.Empty(t, rep.Problems)
			return
		}
		require.Len(t, rep.Problems, 1)
		require.Contains(t, rep.Problems[0].String(), want)
	}
	g.clock.Add(24 * time.Hour)
	_, err := g.bs.CloseDue(t.Context())
	require.NoError(t, err)
	check("")
	g.settleDue()
	check("")
	require.NoError(t, g.bs.Deliver(b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		if a.Member == "m1" {
			return errors.New("not now")
		}
		return pay(ctx, tx, a)
	}}))
	g.settleDue()
	check("")
	require.NoError(t, b.Withhold(t.Context(), "arena/day/2026-11-20/1/m1", "no"))
	check("")
	_, err = b.Resettle(context.Background(), "day", "2026-11-20", awards.Resettlement{Without: []string{"m0"}})
	require.NoError(t, err)
	check("")

	owner, key := g.bs.catalog.Owner, boardkey.Key{Board: "arena", Kind: boardkey.AwardsKind + "day", Period: "2026-11-20", Version: 1}.String()
	form := engine.Form{TieWidth: 8}
	put := func(name, value string) {
		t.Helper()
		require.NoError(t, owner.Update(t.Context(), nil, func(tx *engine.Tx) error { return tx.Put(name, []byte(value)) }))
	}
	put(boardkey.Waiting("arena", "day", "2026-11-20"), "7")
	check("awards wait, and 7 are counted")
	g.settleDue()
	require.NoError(t, owner.Update(t.Context(), []string{key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, form)
		if err == nil {
			_, err = set.Put([]byte("m9"), []byte{0, 1, 0, 0, 0, 1, 0x80, 0}, 9)
		}
		return err
	}))
	rep, err := g.bs.Check(context.Background(), nil)
	require.NoError(t, err)
	require.Contains(t, rep.Problems[0].String(), "has awards that its plan does not have")
}
