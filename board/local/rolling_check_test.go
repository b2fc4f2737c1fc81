package local

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/engine"
)

// checkRolling checks the invariants of the rolling windows of all boards, and returns the number of windows.
func (g *game) checkRolling() (windows int) {
	g.t.Helper()
	for _, b := range g.bs.All() {
		st := coreOf(b).State()
		for _, t := range st.Rolling() {
			windows++
			require.NoError(g.t, g.e.View(context.Background(), func(tx *engine.Tx) error {
				set, err := tx.IntSet(rolling.Key(t), st.Form)
				if err != nil {
					return err
				}
				s, err := rolling.Open(tx, coreOf(b), st, t, set)
				if err != nil {
					return err
				}
				return s.Check()
			}, rolling.AppendKeys(nil, coreOf(b), st, t)...), "%q, window %s", b.Name(), t.Window.Name)
		}
	}
	return windows
}
