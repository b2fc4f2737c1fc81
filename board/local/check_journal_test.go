package local

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// TestCheckJournal: a check reads every row of a journal, and says which one is bad.
func TestCheckJournal(t *testing.T) {
	for what, row := range map[string][]byte{
		"row 3 cannot be read":    []byte("x"),
		"row 3 has the number 1":  {1, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"row 2 comes after row 2": nil,
	} {
		g := newGame(t, true)
		b := g.define(board.Spec{Name: "arena", Journal: 9})
		g.score(b, "ada", 3)
		g.score(b, "bob", 4)
		g.requireSound(0, 0)
		key := coreOf(b).State().JournalKey
		require.NoError(t, g.bs.catalog.Owner.Update(t.Context(), []string{key}, func(tx *engine.Tx) error {
			s, err := tx.IntSet(key, engine.Form{})
			require.NoError(t, err)
			if row == nil {
				_, err = s.Add([]byte("x"), 2)
			} else {
				_, err = s.Add(row, 3)
			}
			return err
		}))
		g.requireProblem(`board "arena", journal`, what)
	}
}
