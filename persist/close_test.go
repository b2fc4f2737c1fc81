package persist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// TestAfterClose calls every method after Close. Each must return ErrClosed or a value that is still known, and none may panic.
func TestAfterClose(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	seq := mustAppend(t, s, put("a", "m", "v"))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf("x")))
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "twice is nil")

	var b Batch
	b.Put("a", nil, nil)
	_, err = s.Append(&b)
	require.ErrorIs(t, err, ErrClosed)
	require.NoError(t, s.Wait(t.Context(), seq), "what is durable is durable")
	require.ErrorIs(t, s.Wait(t.Context(), seq+1), ErrClosed)
	require.ErrorIs(t, s.Flush(), ErrClosed)
	_, err = s.DiskUsage()
	require.ErrorIs(t, err, ErrClosed)
	for _, err := range s.Sets() {
		require.ErrorIs(t, err, ErrClosed)
	}
	for _, err := range s.Pages(SetRecord{}) {
		require.ErrorIs(t, err, ErrClosed)
	}
	for _, err := range s.ScanPrivate(nil) {
		require.ErrorIs(t, err, ErrClosed)
	}
	_, _, err = s.Private(nil)
	require.ErrorIs(t, err, ErrClosed)
	_, _, err = s.Set("a")
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, s.Replay(nil), ErrClosed)
	_, err = s.Snapshot(1)
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, sn.WriteSet("b", nil, 1, 1, pagesOf("x")), ErrClosed)
	sn.DropSet("b")
	require.ErrorIs(t, sn.Publish(), ErrClosed)
	require.ErrorIs(t, sn.Abort(), ErrClosed)
	require.Equal(t, []uint64{1, 1, 1}, []uint64{s.LastSeq(), s.AppliedSeq(), s.DurableSeq()})
	require.Positive(t, s.LogBytes())
}

// TestCloseWritesTables: Close writes into a table what Pebble's Open would have to, unless it is little.
func TestCloseWritesTables(t *testing.T) {
	fs := memfs.NewCrashable()
	tables := func() (names []string) {
		all, err := fs.List("db/db")
		require.NoError(t, err)
		return slices.DeleteFunc(all, func(name string) bool { return !strings.HasSuffix(name, ".sst") })
	}
	for _, bytes := range []int{16, 16 << 10} {
		s, err := open("db", Options{FS: fs}, small)
		require.NoError(t, err)
		before, value := tables(), strings.Repeat("v", bytes)
		last := mustAppend(t, s, func(b *Batch) {
			b.Create("a", nil)
			b.Put("a", []byte("m"), []byte(value))
		})
		require.NoError(t, s.Close())
		added := slices.DeleteFunc(tables(), func(name string) bool { return slices.Contains(before, name) })
		require.Equal(t, bytes > 16, len(added) > 0, "%v beside %v", added, before) // a compaction may have removed those before
		s, err = open("db", Options{FS: fs}, small)
		require.NoError(t, err)
		require.Equal(t, last, s.LastSeq())
		w, err := read(s)
		require.NoError(t, err)
		require.Equal(t, value, w.sets["a"]["m"])
		require.NoError(t, s.Close())
	}
}

// load keeps a store busy from many goroutines until it is closed.
type load struct {
	t     *testing.T
	s     *Store
	wg    sync.WaitGroup
	mu    sync.Mutex
	acked uint64        // the last commit acknowledged
	busy  chan struct{} // full after so many calls
}

// loop calls f until it answers ErrClosed.
func (l *load) loop(f func(i int) error) {
	l.wg.Go(func() {
		for i := 0; ; i++ {
			if err := f(i); errors.Is(err, ErrClosed) {
				return
			} else if err != nil {
				l.t.Error(err)
				return
			}
			select {
			case l.busy <- struct{}{}:
			default:
			}
		}
	})
}

// commit appends a commit of one of the writers and waits for it.
func (l *load) commit(writer, i int) error {
	var b Batch
	b.Put("a", fmt.Append(nil, writer), fmt.Append(nil, i))
	seq, err := l.s.Append(&b)
	if err == nil {
		err = l.s.Wait(context.Background(), seq)
	}
	if err == nil {
		l.mu.Lock()
		l.acked = max(l.acked, seq)
		l.mu.Unlock()
	}
	return err
}

// scan reads all private keys.
func (l *load) scan(int) error {
	for _, err := range l.s.ScanPrivate(nil) {
		if err != nil {
			return err
		}
	}
	return nil
}

// snapshot publishes a snapshot of the only set.
func (l *load) snapshot(int) error {
	sn, err := l.s.Snapshot(l.s.AppliedSeq())
	if err != nil {
		return err
	}
	if err := sn.WriteSet("a", nil, l.s.LastSeq(), 1, pagesOf("x")); err != nil {
		return err
	}
	return sn.Publish()
}

// TestCloseUnderLoad closes a store while 11 goroutines use it. Every running call must succeed or return ErrClosed, and the reopened
// store must have every acknowledged commit.
func TestCloseUnderLoad(t *testing.T) {
	commits := uint64(0)
	for _, level := range []Level{Sync, Interval, None} {
		t.Run(level.String(), func(t *testing.T) {
			fs := MemFS()
			l := &load{t: t, s: mustOpen(t, fs, Options{Level: level}), busy: make(chan struct{}, 1000)}
			mustAppend(t, l.s, func(b *Batch) { b.PutPrivate([]byte("k"), nil) })
			for writer := range 8 {
				l.loop(func(i int) error { return l.commit(writer, i) })
			}
			l.loop(func(int) error { return l.s.Flush() })
			l.loop(l.scan)
			l.loop(l.snapshot)
			for range cap(l.busy) {
				<-l.busy
			}
			require.NoError(t, l.s.Close())
			l.wg.Wait()
			s := mustOpen(t, fs, Options{})
			require.GreaterOrEqual(t, s.LastSeq(), l.acked)
			commits += l.acked
			require.NoError(t, s.Close())
		})
	}
	matrix.Row(t, 42, "closed under 11 goroutines at each level: %d commits acknowledged, 0 lost, 0 panics, every later call ErrClosed", commits)
}

// TestCloseInIteration: a running iteration must get ErrClosed at its next step. Then the files are closed.
func TestCloseInIteration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := MemFS()
		s := mustOpen(t, fs, Options{})
		mustAppend(t, s, func(b *Batch) {
			for i := range 3 {
				b.PutPrivate([]byte{byte(i)}, nil)
			}
		})
		var got []error
		for _, err := range s.ScanPrivate(nil) {
			if got = append(got, err); len(got) == 1 {
				require.ErrorContains(t, s.Close(), "an iteration is still running")
			}
		}
		require.Equal(t, []error{nil, ErrClosed}, got)
		synctest.Wait()
		s = mustOpen(t, fs, Options{})
		require.Equal(t, uint64(1), s.LastSeq())
		require.NoError(t, s.Close())
	})
}
