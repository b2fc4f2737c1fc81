package engine

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// TestNothingLogged: a transaction that changes nothing in the end, or fails, does not change the log or the version.
func TestNothingLogged(t *testing.T) {
	e := mustOpen(t, persist.MemFS(), Options{})
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
	before, err := e.Stats()
	require.NoError(t, err)
	rows := map[string]func(s *Set) error{
		"nothing":        func(*Set) error { return nil },
		"the same score": func(s *Set) error { _, err := s.Add([]byte("x"), 1); return err },
		"plus nothing":   func(s *Set) error { _, err := s.IncrBy([]byte("x"), 0); return err },
		"there and back": func(s *Set) error {
			_, _ = s.IncrBy([]byte("x"), 5)
			_, err := s.IncrBy([]byte("x"), -5)
			return err
		},
		"removed and added": func(s *Set) error { _, _ = s.Remove([]byte("x")); _, err := s.Add([]byte("x"), 1); return err },
		"added and removed": func(s *Set) error { _, _ = s.Add([]byte("y"), 1); _, err := s.Remove([]byte("y")); return err },
		"popped and added":  func(s *Set) error { _, _ = s.PopMin(1); _, err := s.Add([]byte("x"), 1); return err },
		"nobody removed":    func(s *Set) error { _, err := s.Remove([]byte("y")); return err },
		"none popped":       func(s *Set) error { _, err := s.PopMax(-1); return err },
		"NaN, ignored":      func(s *Set) error { _, _ = s.Add([]byte("x"), math.NaN()); return nil },
		"NaN":               func(s *Set) error { _, err := s.Add([]byte("y"), math.NaN()); return err },
	}
	for name, fn := range rows {
		for _, key := range []string{"a", "b"} {
			err := e.Update(t.Context(), func(tx *Tx) error {
				s := named(t, tx, key)
				if key == "b" && name != "nothing" { // a set that the transaction makes and empties again
					_, err := s.Add([]byte("x"), 1)
					require.NoError(t, err)
					defer func() { _, _ = s.PopMin(10) }()
				}
				return fn(s)
			}, "a", "b")
			if name == "NaN" {
				require.ErrorIs(t, err, zset.ErrNaN)
			} else {
				require.NoError(t, err, name)
			}
			st, err := e.Stats()
			require.NoError(t, err)
			st.Memory = before.Memory // a set may keep room that it needed for a moment
			st.Layers = before.Layers
			st.Updates, st.Views = before.Updates, before.Views
			st.RolledBack, st.SlowCalls, st.DiskWaits, st.DiskWaited = before.RolledBack, before.SlowCalls, before.DiskWaits, before.DiskWaited
			require.Equal(t, before, st, "%s in %s", name, key)
			mustView(t, e, []string{"a"}, func(tx *Tx) { require.Equal(t, uint64(1), named(t, tx, "a").Version(), name) })
		}
	}
	require.NoError(t, e.Close())
}

// TestTooLarge: a commit that the log does not take is rolled back.
func TestTooLarge(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{})
	mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
	before := stateText(t, e)
	require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
		add(t, tx, "a", "x", 2)
		add(t, tx, "b", "x", 2)
		return tx.Put("big", make([]byte, persist.MaxCommit))
	}, "a", "b"), ErrTooLarge)
	require.Equal(t, before, stateText(t, e))
	_, err := e.Keys("b")
	require.NoError(t, err)
	for _, m := range []byte("xy") { // members so long that two would not fit in one page
		member := make([]byte, persist.MaxCommit/2+1)
		member[0] = m
		mustUpdate(t, e, []string{"long"}, func(tx *Tx) { add(t, tx, "long", string(member), 1) })
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	require.Zero(t, e.Recovery().Commits)
	mustView(t, e, []string{"long"}, func(tx *Tx) { require.Equal(t, 2, named(t, tx, "long").Len()) })
	require.NoError(t, e.Close())
}
