package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStoredIsNotReadAgain: a set operation does not read its result after it has stored it, because other calls may change it then. The race detector
// reports such a read.
func TestStoredIsNotReadAgain(t *testing.T) {
	e, err := New(Options{})
	require.NoError(t, err)
	e.ops.pageWork = 1
	require.NoError(t, setX(e, "a", 1))
	stop, changes := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				changes <- n
				return
			default:
			}
			if err := setX(e, "b", float64(n)); err != nil {
				panic(err)
			}
			_ = e.Update(t.Context(), func(tx *Tx) error {
				s, err := tx.Set("b")
				if err == nil {
					_, err = s.Remove([]byte("x"))
				}
				return err
			}, "b")
		}
	}()
	const copies = 2000
	for range copies {
		n, err := e.Copy(context.Background(), "a", "b")
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
	close(stop)
	t.Logf("%d copies, %d changes to them", copies, <-changes)
	require.NoError(t, e.Close())
}
