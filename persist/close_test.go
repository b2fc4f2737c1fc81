package persist

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// TestAfterClose: every method answers ErrClosed, and none panics.
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
	require.NoError(t, s.Wait(seq), "what is durable is durable")
	require.ErrorIs(t, s.Wait(seq+1), ErrClosed)
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

// TestCloseUnderLoad: every call that is running ends with what it was for, or with ErrClosed; what was acknowledged is
// there afterwards.
func TestCloseUnderLoad(t *testing.T) {
	for _, level := range []Level{Sync, Interval, None} {
		t.Run(level.String(), func(t *testing.T) {
			fs := MemFS()
			s := mustOpen(t, fs, Options{Level: level})
			mustAppend(t, s, func(b *Batch) { b.PutPrivate([]byte("k"), nil) })
			var wg sync.WaitGroup
			var mu sync.Mutex
			var acked uint64
			busy := make(chan struct{}, 1000)
			loop := func(f func(i int) error) {
				wg.Go(func() {
					for i := 0; ; i++ {
						if err := f(i); errors.Is(err, ErrClosed) {
							return
						} else if err != nil {
							t.Error(err)
							return
						}
						select {
						case busy <- struct{}{}:
						default:
						}
					}
				})
			}
			for c := range 8 {
				loop(func(i int) error {
					var b Batch
					b.Put("a", fmt.Append(nil, c), fmt.Append(nil, i))
					seq, err := s.Append(&b)
					if err == nil {
						err = s.Wait(seq)
					}
					if err == nil {
						mu.Lock()
						acked = max(acked, seq)
						mu.Unlock()
					}
					return err
				})
			}
			loop(func(int) error { return s.Flush() })
			loop(func(int) error {
				for _, err := range s.ScanPrivate(nil) {
					if err != nil {
						return err
					}
				}
				return nil
			})
			loop(func(int) error {
				sn, err := s.Snapshot(s.AppliedSeq())
				if err != nil {
					return err
				}
				if err := sn.WriteSet("a", nil, s.LastSeq(), 1, pagesOf("x")); err != nil {
					return err
				}
				return sn.Publish()
			})
			for range cap(busy) {
				<-busy
			}
			require.NoError(t, s.Close())
			wg.Wait()
			s = mustOpen(t, fs, Options{})
			require.GreaterOrEqual(t, s.LastSeq(), acked)
			require.NoError(t, s.Close())
		})
	}
}

// TestCloseInIteration: an iteration that is running sees ErrClosed at its next step, and then the files are closed.
func TestCloseInIteration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := MemFS()
		s := mustOpen(t, fs, Options{})
		mustAppend(t, s, func(b *Batch) {
			for i := range 3 {
				b.PutPrivate([]byte{byte(i)}, nil)
			}
		})
		var errs []error
		for _, err := range s.ScanPrivate(nil) {
			if errs = append(errs, err); len(errs) == 1 {
				require.ErrorContains(t, s.Close(), "an iteration is still running")
			}
		}
		require.Equal(t, []error{nil, ErrClosed}, errs)
		synctest.Wait()
		s = mustOpen(t, fs, Options{})
		require.Equal(t, uint64(1), s.LastSeq())
		require.NoError(t, s.Close())
	})
}
