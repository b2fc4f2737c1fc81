package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestList lists sets that are on the disk only, one that was read, one that a transaction has read, and none that has expired.
func TestList(t *testing.T) {
	fs, now := persist.MemFS(), time.Now()
	o := Options{Clock: func() time.Time { return now }}
	e := mustOpen(t, fs, o)
	keys := someSets(t, e, "k", 600)
	_, err := e.ExpireIn(t.Context(), keys[7], time.Hour)
	require.NoError(t, err)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	now = now.Add(2 * time.Hour)
	e = mustOpen(t, fs, o)
	mustUpdate(t, e, keys[:1], func(tx *Tx) { add(t, tx, keys[0], "y", 2) })
	warm := map[string]bool{}
	got, err := ownerOf(t, e).List("k", func(key string, cold bool) bool {
		if !cold {
			warm[key] = true
		}
		return key != keys[9]
	})
	require.NoError(t, err)
	require.Equal(t, map[string]bool{keys[0]: true}, warm)
	require.Equal(t, slices.Concat(keys[:7], keys[8:9], keys[10:]), got)
	got, err = e.Keys("k0000")
	require.NoError(t, err)
	require.Equal(t, slices.Concat(keys[:7], keys[8:10]), got)
	require.NoError(t, e.Close())
	require.NoError(t, listInUse())
}

// listInUse lists a set that a transaction reads at the same time.
func listInUse() error {
	e, err := New(Options{})
	if err != nil {
		return err
	}
	err = e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set("a")
		if err == nil {
			_, err = s.Add([]byte("x"), 1)
		}
		return err
	}, "a")
	err = errors.Join(err, e.View(context.Background(), func(*Tx) error {
		done := make(chan error)
		go func() {
			keys, err := e.Keys("")
			if err == nil && !slices.Equal(keys, []string{"a"}) {
				err = fmt.Errorf("keys %q", keys)
			}
			done <- err
		}()
		return <-done
	}, "a"))
	return errors.Join(err, e.Close())
}
