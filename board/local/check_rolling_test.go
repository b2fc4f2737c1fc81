package local

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/engine"
)

// TestCheckRolling: a check compares the numbers of members and results of a rolling window, whatever has entered it and left it.
func TestCheckRolling(t *testing.T) {
	for name, row := range map[string]struct {
		kind string // of the set that loses its first entry
		form engine.Form
		text string
	}{
		"ranking": {kind: "hours", form: engine.Form{TieWidth: 16, Dense: true}, text: "ranks 1 members, hides 0, and 2 members have results"},
		"timers":  {kind: ".timers.hours", form: engine.Form{TieWidth: 8}, text: "ranks 2 members, hides 0, and 1 members have results"},
		"results": {kind: ".results.hours", text: "2 members have results, and there are 1 results"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			b := g.define(counting("arena", board.Rolling("hours", 3*time.Hour)))
			g.requireSound(0, 0)
			for _, member := range []string{"ada", "bob", "cy"} {
				g.score(b, member, 3)
				g.jump(time.Hour)
			}
			live, err := b.Live(t.Context(), "hours")
			require.NoError(t, err)
			top, err := live.Top(t.Context(), 10) // ada has left
			require.NoError(t, err)
			require.Len(t, top, 2)
			g.requireSound(0, 0)
			key := Key{Board: b.Name(), Kind: row.kind, Period: "all", Version: b.Version()}.String()
			require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), []string{key}, func(tx *engine.Tx) error {
				s, err := tx.IntSet(key, row.form)
				if err == nil {
					_, err = s.RemoveRange(0, 1)
				}
				return err
			}))
			g.requireProblem(check.Where("arena", "hours", "all"), row.text)
		})
	}
}
