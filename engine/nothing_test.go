package engine

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// flushGate holds back flushes of the log while it is closed.
type flushGate struct{ open atomic.Pointer[chan struct{}] }

// shut makes flushes wait until the channel that it returns is closed.
func (g *flushGate) shut() chan struct{} {
	open := make(chan struct{})
	g.open.Store(&open)
	return open
}

func (g *flushGate) String() string { return "flushGate" }

func (g *flushGate) MaybeError(op errorfs.Op) error {
	if op.Kind == errorfs.OpFileSyncData {
		<-*g.open.Load()
	}
	return nil
}

// secondWaits makes two calls while the log is not flushed: the first makes commit 2. It returns an error if the second, which depends on
// that commit, comes back meanwhile with one.
func (g *flushGate) secondWaits(e *Engine, first, second func() error) error {
	open := g.shut()
	one, two := make(chan error, 1), make(chan error, 1)
	go func() { one <- first() }()
	for e.store.LastSeq() < 2 {
		runtime.Gosched()
	}
	go func() { two <- second() }()
	var err error
	select {
	case err = <-two:
		two <- nil
	case <-time.After(50 * time.Millisecond): // it waits, as it should
	}
	close(open)
	return errors.Join(err, <-one, <-two, e.Close())
}

// TestNothingToChange: an Update that changes nothing returns only when the state that it has read is durable. Otherwise, if two callers remove the
// same member, the second could be told that it is gone, and a crash could bring it back.
func TestNothingToChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &flushGate{}
		close(g.shut())
		e := mustOpen(t, errorfs.Wrap(memfs.New(), g), Options{})
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1); require.NoError(t, tx.Put("k", nil)) })
		open := g.shut()
		returned := make(chan bool, 3)
		remove := func(removed bool) {
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
				ok, err := named(t, tx, "a").Remove([]byte("x"))
				require.NoError(t, err)
				require.Equal(t, removed, ok)
			})
			returned <- removed
		}
		go remove(true)
		synctest.Wait()
		go remove(false)
		synctest.Wait()
		require.Empty(t, returned)
		close(open)
		synctest.Wait()
		require.Len(t, returned, 2)
		require.NoError(t, e.Close())
	})
}
