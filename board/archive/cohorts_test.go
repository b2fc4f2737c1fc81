package archive

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestCohortsBad gives Read cohorts and tiers that cannot be those of the board.
func TestCohortsBad(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	b, err := w.boards.Define(t.Context(), board.Spec{Name: "league", Windows: []board.Window{board.Day}, Leagues: &board.Leagues{Window: "day", Tiers: []string{"low", "high"}, Size: 2, Up: 1, Bands: []int64{5}}})
	require.NoError(t, err)
	submit := func(members ...string) {
		for i, member := range members {
			_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(int64(9 - i)), Skill: int64(2 * i)})
			require.NoError(t, err)
		}
	}
	submit("ada", "bea", "cy", "dov")
	clock.Add(24 * time.Hour)
	_, err = w.boards.CloseDue(t.Context())
	require.NoError(t, err)
	_ = w.write("league") // settles the cohorts
	submit("ada", "eve")
	_, err = b.Remove(t.Context(), "eve")
	require.NoError(t, err)
	text := w.write("league")
	spec := text[strings.Index(text, `,"leagues":`):strings.Index(text, `},"format"`)]
	for _, x := range []struct{ old, wrong string }{
		{`{"tiered":"ada","tier":1}`, `{"tiered":"ada","tier":77}`},
		{`{"tiered":"cy","tier":1}`, `{"tiered":"","tier":1}`},
		{`{"cohort":"ada","outcome":"up"}`, `{"cohort":"ada"}`},
		{`{"cohort":"bea","outcome":"stay"}`, `{"cohort":"bea","outcome":"sideways"}`},
		{`{"cohort":"cy","number":1,"outcome":"up"}`, `{"cohort":"cy","outcome":"up"}`},          // three in a cohort of two
		{`{"cohort":"dov","band":1,"outcome":"up"}`, `{"cohort":"dov","band":2,"outcome":"up"}`}, // no such band
		{`{"cohort":"dov",`, `{"cohort":"dov","tier":2,`},                                        // no such tier
		{`{"cohort":"dov","band":1`, `{"cohort":"dov","band":-1`},
		{`{"cohort":"ada","tier":1}`, `{"cohort":"ada","tier":1,"outcome":"stay"}`}, // the period is open
		{`{"cohort":"ada","tier":1}`, `{"cohort":"nobody","tier":1}`},               // ada is in none
		{spec, ""}, // the board has no leagues
	} {
		require.Contains(t, text, x.old)
		_, err := Read(t.Context(), strings.NewReader(strings.Replace(text, x.old, x.wrong, 1)), o.boards, Options{})
		require.ErrorIs(t, err, ErrFile, "%s", x.wrong)
		require.Empty(t, o.boards.All())
	}
	o.read(text)
	require.Equal(t, text, o.write("league"))
	for _, x := range []board.Board{b, o.board("league")} { // eve has kept her place
		_, err := x.Submit(t.Context(), board.Submission{Member: "eve", Score: board.Ints(2), Skill: 9})
		require.NoError(t, err)
	}
	require.Equal(t, w.write("league"), o.write("league"))
	sameLeagues(t, b, o.board("league"))

	_, err = Write(t.Context(), io.Discard, w.boards, "league", Options{Progress: func(int) {
		_, err := b.SetTier(t.Context(), "bea", "high", action)
		require.NoError(t, err)
	}})
	require.ErrorIs(t, err, ErrChanged)
}
