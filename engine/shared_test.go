package engine

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// TestReadersShareNothing: goroutines that read one set, once two have met, must not write to memory that all readers
// write to.
func TestReadersShareNothing(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("only builds with -tags invariants count")
	}
	e, err := New(Options{})
	require.NoError(t, err)
	defer e.Close()
	key := []string{"arena"}
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error { add(t, tx, "arena", "ada", 1); return nil }, key...))
	view := func(inside func()) {
		require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
			s, err := tx.Set("arena")
			require.NoError(t, err)
			_, ok := s.Rank([]byte("ada"))
			require.True(t, ok)
			inside()
			return nil
		}, key...))
	}
	view(func() { // two meet, at the lock of the set and at that of its shard of the keyspace
		sh := e.keys.Shard("arena")
		sh.Mu.RLock()
		defer sh.Mu.RUnlock()
		met := make(chan struct{})
		go func() { view(func() {}); close(met) }()
		<-met
	})
	before := rwlock.Shared.Load()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				view(func() {})
			}
		})
	}
	all.Wait()
	require.Equal(t, before, rwlock.Shared.Load())
}

// TestEachWaits: an Update of a set must wait for all Views that have it locked, and a View for an Update.
func TestEachWaits(t *testing.T) {
	require.NoError(t, eachWaits("rwlock.(*Mutex).drain", (*Engine).View, (*Engine).View, (*Engine).Update))
	require.NoError(t, viewWaitsForUpdate())
}

func viewWaitsForUpdate() error {
	return eachWaits("rwlock.(*Mutex).wait", (*Engine).Update, (*Engine).View)
}

// eachWaits begins transactions of one key, one after the other. The last one must wait for those before it, in a function that is in its stack.
func eachWaits(in string, calls ...func(e *Engine, ctx context.Context, f func(tx *Tx) error, keys ...string) error) error {
	e, err := New(Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	inside, leave, results := make(chan struct{}, len(calls)), make(chan struct{}), make(chan error, len(calls))
	for i, call := range calls {
		go func() {
			results <- call(e, context.Background(), func(*Tx) error {
				inside <- struct{}{}
				<-leave
				return nil
			}, "arena")
		}()
		if i < len(calls)-1 {
			<-inside
		}
	}
	for stacks := make([]byte, 1<<20); !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte(in)); runtime.Gosched() {
		if len(inside) > 0 {
			err = errors.New("the last call has not waited")
			break
		}
	}
	close(leave)
	for range calls {
		err = errors.Join(err, <-results)
	}
	return err
}
