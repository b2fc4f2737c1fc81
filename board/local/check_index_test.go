package local

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// indexedDays returns a game of two closed days and a live one: m0 to m4, of whom m1 was banned, m3 hidden when the days were indexed, and m4 before.
func indexedDays(t testing.TB, spec board.Spec) (*game, board.Board) {
	ctx := context.Background()
	g := newGame(t, true, func(g *game) { g.alone = true })
	spec.Name, spec.Op, spec.Windows = "arena", board.Sum, []board.Window{{Kind: window.Day}}
	b := g.define(spec)
	_, err := b.Hide(ctx, "m4", ops)
	require.NoError(t, err)
	for range 2 {
		g.play(b, 9, 8, 7, 6, 5, 4, 3)
		g.clock.Add(24 * time.Hour)
		g.closeDue(1)
	}
	g.play(b, 9, 0, 7, 6, 5, 4, 3)
	g.index()
	_, err = b.Ban(ctx, "m1", ops)
	require.NoError(t, err)
	_, err = b.Hide(ctx, "m3", ops)
	require.NoError(t, err)
	g.requireSound(2, 0)
	return g, b
}

// damage changes private keys without the board's knowledge.
func (g *game) damage(change func(tx *engine.Tx) error) {
	g.t.Helper()
	require.NoError(g.t, g.bs.catalog.Owner.Update(context.Background(), nil, change))
}

// placeIn returns the place of a member in the index.
func placeIn(tx *engine.Tx, member, period string) (places.Place, error) {
	rest := boardkey.Place("arena", boardkey.MemberID(member), "day", period)[len(boardkey.PlacePrefix()):]
	value, _, err := tx.Get(boardkey.PlacePrefix() + rest)
	if err != nil {
		return places.Place{}, err
	}
	_, _, p, err := places.Parse(rest, value)
	return p, err
}

// TestCheckIndex: a check compares the index of members with the closed periods, and names the board, the window and the period where they differ.
func TestCheckIndex(t *testing.T) {
	const day = "2026-11-20"
	changed := func(member string, change func(p *places.Place)) func(tx *engine.Tx) error {
		return func(tx *engine.Tx) error {
			p, err := placeIn(tx, member, day)
			if err != nil {
				return err
			}
			change(&p)
			return places.Put(tx, "arena", member, p)
		}
	}
	deleted := func(member string) func(tx *engine.Tx) error {
		return func(tx *engine.Tx) error {
			return places.Delete(tx, "arena", member, places.Place{Window: "day", Period: day})
		}
	}
	for kind, spec := range map[string]board.Spec{"one": {}, "parts": {Parts: 3}, "top": {Top: &board.Top{N: 2, Reserve: 1}}} {
		for name, row := range map[string]struct {
			change func(tx *engine.Tx) error
			text   string
		}{
			"key is missing":    {deleted("m2"), "the index of members lacks 1 of 4 ranked members"},
			"key is there":      {changed("m2", func(p *places.Place) {}), ""},
			"wrong place":       {changed("m2", func(p *places.Place) { p.Place++ }), "the index of members has another place of a ranked member"},
			"place of a banned": {changed("m2", func(p *places.Place) { p.Place-- }), "the index of members has another place of a ranked member"},
			"another score":     {changed("m2", func(p *places.Place) { p.Score++ }), "the index of members has another score or tie of a ranked member"},
			"another tie":       {changed("m2", func(p *places.Place) { p.Tie[0]++ }), "the index of members has another score or tie of a ranked member"},
			"key too many": {func(tx *engine.Tx) error {
				return places.Put(tx, "arena", "zed", places.Place{Window: "day", Period: day, Place: 7, Score: 1})
			},
				"the index of members has 5 ranked members, and there are 4"},
			"another member": {func(tx *engine.Tx) error {
				p, err := placeIn(tx, "m2", day)
				if err == nil {
					err = places.Put(tx, "arena", "zed", p)
				}
				if err != nil {
					return err
				}
				return deleted("m2")(tx)
			}, "the index of members has other ranked members"},
			"hidden key is missing": {deleted("m4"), "the index of members lacks 1 of 2 hidden members"},
			"hidden score":          {changed("m3", func(p *places.Place) { p.Score++ }), "the index of members has another score or tie of a hidden member"},
			"hidden place":          {changed("m3", func(p *places.Place) { p.Place-- }), "the index of members has a hidden member at place 2, which has not left the ranking"},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				g, _ := indexedDays(t, spec)
				g.damage(row.change)
				if row.text == "" {
					g.requireSound(2, 0)
					return
				}
				g.requireProblem(check.Where("arena", "day", day), row.text)
			})
		}
	}
}

// TestCheckIndexSwapped: a check finds members that have one another's places.
func TestCheckIndexSwapped(t *testing.T) {
	g, _ := indexedDays(t, board.Spec{})
	g.damage(func(tx *engine.Tx) error {
		m0, err := placeIn(tx, "m0", "2026-11-21")
		if err != nil {
			return err
		}
		m2, err := placeIn(tx, "m2", "2026-11-21")
		if err != nil {
			return err
		}
		m0.Place, m2.Place = m2.Place, m0.Place
		if err := places.Put(tx, "arena", "m0", m0); err != nil {
			return err
		}
		return places.Put(tx, "arena", "m2", m2)
	})
	g.requireProblem(check.Where("arena", "day", "2026-11-21"), "the index of members has another place of a ranked member")
}

// TestCheckModeration: a check finds hidden members in rankings, members beside rankings that are not hidden, and banned ones; of closed periods not while a job
// may be about to change them.
func TestCheckModeration(t *testing.T) {
	days := []string{"2026-11-20", "2026-11-21", "2026-11-22"}
	all := func(text string) (list []string) {
		for _, day := range days {
			list = append(list, check.Where("arena", "day", day)+": "+text)
		}
		return list
	}
	for name, row := range map[string]struct {
		change func(tx *engine.Tx) error
		want   []string
	}{
		"hidden is ranked": {func(tx *engine.Tx) error { return tx.Put(boardkey.Hide("arena", "m0"), nil) }, all("ranks 1 members that are hidden")},
		"beside is shown":  {func(tx *engine.Tx) error { return tx.Delete(boardkey.Hide("arena", "m3")) }, all("has 1 members beside the ranking that are not hidden")},
		"ranked is banned": {func(tx *engine.Tx) error { return tx.Put(boardkey.Ban("arena", "m0"), nil) }, all("has 1 members that are banned")},
		"beside is banned": {func(tx *engine.Tx) error { return tx.Put(boardkey.Ban("arena", "m4"), nil) }, all("has 1 members that are banned")},
	} {
		t.Run(name, func(t *testing.T) {
			g, b := indexedDays(t, board.Spec{})
			g.damage(row.change)
			require.Equal(t, row.want, problemsOf(g.checkBoth()))
			g.leave(b, func(ctx context.Context) (board.Moderated, error) { return b.Rename(ctx, "m5", "x", ops) })
			require.Equal(t, row.want[2:], problemsOf(g.checkBoth()))
		})
	}
	g, b := indexedDays(t, board.Spec{})
	_, err := b.Erase(context.Background(), "m1", ops) // the ban stays by the hash
	require.NoError(t, err)
	g.requireSound(2, 0)
	g.tamper(b, "day", days[2], func(s *engine.IntSet) error {
		_, err := s.AddTied([]byte("m1"), make([]byte, s.TieWidth()), -3)
		return err
	})
	require.Equal(t, all("has 1 members that are banned")[2:], problemsOf(g.checkBoth()))
}

// problemsOf returns the problems of a report.
func problemsOf(rep Report) (list []string) {
	for _, p := range rep.Problems {
		list = append(list, fmt.Sprint(p.Where, ": ", p.What))
	}
	return list
}
