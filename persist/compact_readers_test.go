package persist

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/traces"
)

// tracesIn returns where a name is left in the store's directory.
func tracesIn(t *testing.T, fs FS, name string) []traces.Trace {
	t.Helper()
	found, err := traces.Find(fs, "db", name)
	require.NoError(t, err)
	return found
}

// proveFirstTable compacts a store whose first table has a deletion and nothing below it. Pebble would move it down as it is.
func proveFirstTable() error {
	mem, name := memfs.New(), traces.Name(1, 40)
	s, err := open("db", Options{FS: mem}, func(o *pebble.Options) { o.DisableAutomaticCompactions = true })
	if err != nil {
		return err
	}
	r := &eraser{mem: mem, s: s, name: name}
	err = errors.Join(r.commit(func(b *Batch) { b.PutPrivate([]byte(name), nil) }), r.commit(func(b *Batch) { b.DeletePrivate([]byte(name)) }))
	if err == nil {
		_, err = s.Compact(context.Background(), nil)
	}
	return errors.Join(err, r.erased("db"), s.Close())
}

// TestCompactFirstTable: Compact reads a table that Pebble moves down.
func TestCompactFirstTable(t *testing.T) { require.NoError(t, proveFirstTable()) }

// TestCompactAfterImage: while an image is open, Pebble compacts a deletion, or a new value, to the last level and keeps what it replaces. A later
// Compact must rewrite the table.
func TestCompactAfterImage(t *testing.T) {
	for _, erase := range []func(b *Batch){
		func(b *Batch) { b.DeletePrivate([]byte("key")) },
		func(b *Batch) { b.PutPrivate([]byte("key"), nil) },
	} {
		mem, name := memfs.New(), traces.Name(1, 40)
		s, err := open("db", Options{FS: mem}, func(o *pebble.Options) { o.DisableAutomaticCompactions = true })
		require.NoError(t, err)
		mustAppend(t, s, func(b *Batch) { b.PutPrivate([]byte("key"), []byte(name)) })
		im, err := s.Image()
		require.NoError(t, err)
		mustAppend(t, s, erase)
		for range 2 { // the second time moves nothing
			require.NoError(t, s.log.DB.Flush())
			require.NoError(t, s.log.DB.Pebble.Compact(t.Context(), []byte{}, []byte{0xff}, false))
		}
		require.NoError(t, im.Close())
		require.NotEmpty(t, tracesIn(t, mem, name))
		_, err = s.Compact(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, tracesIn(t, mem, name))
		require.NoError(t, s.Close())
	}
}

// TestCompactWaitsForReaders: an image and an iteration that began before need what was deleted. Compact returns only after both have ended, or when
// its context ends.
func TestCompactWaitsForReaders(t *testing.T) {
	for _, reader := range []func(s *Store) (end func()){
		func(s *Store) func() {
			im, err := s.Image()
			require.NoError(t, err)
			return func() { require.NoError(t, im.Close()) }
		},
		func(s *Store) func() {
			end, begun := make(chan struct{}), make(chan struct{})
			go func() {
				for _, err := range s.ScanPrivate(nil) {
					require.NoError(t, err)
					close(begun)
					<-end
				}
			}()
			<-begun
			return func() { close(end) }
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			mem, name := memfs.New(), traces.Name(1, 40)
			s := mustOpen(t, mem, Options{DiskReserve: -1})
			mustAppend(t, s, func(b *Batch) { b.PutPrivate([]byte(name), nil) })
			_, err := s.Compact(t.Context(), nil)
			require.NoError(t, err)
			end := reader(s)
			mustAppend(t, s, func(b *Batch) { b.DeletePrivate([]byte(name)) })
			ctx, cancel := context.WithCancelCause(t.Context())
			done := make(chan error, 1)
			compact := func() {
				_, err := s.Compact(ctx, nil)
				done <- err
			}
			go compact()
			time.Sleep(2 * time.Second)
			cancel(errors.New("enough"))
			require.EqualError(t, <-done, "enough")
			ctx = t.Context()
			go compact()
			time.Sleep(2 * time.Second)
			select {
			case err := <-done:
				t.Fatalf("Compact has not waited: %v", err)
			default:
			}
			end()
			require.NoError(t, <-done)
			require.Empty(t, tracesIn(t, mem, name))
			require.NoError(t, s.Close())
		})
	}
}

// TestCompactClosed: Close ends a Compact that waits, and Compact of a closed store returns ErrClosed.
func TestCompactClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mustOpen(t, memfs.New(), Options{DiskReserve: -1})
		im, err := s.Image()
		require.NoError(t, err)
		mustAppend(t, s, put("a", "m", "v"))
		done := make(chan error, 1)
		go func() {
			_, err := s.Compact(t.Context(), nil)
			done <- err
		}()
		time.Sleep(2 * time.Second)
		closed := make(chan error, 1)
		go func() { closed <- s.Close() }()
		require.ErrorIs(t, <-done, ErrClosed)
		require.NoError(t, im.Close())
		require.NoError(t, <-closed)
		_, err = s.Compact(t.Context(), nil)
		require.ErrorIs(t, err, ErrClosed)
	})
}
