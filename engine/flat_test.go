package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// use is the resources that a process holds.
type use struct {
	goroutines, files int
	heap              uint64
}

func (u use) String() string {
	return fmt.Sprintf("%d goroutines, %d files, %.1f MB of heap", u.goroutines, u.files, float64(u.heap)/1e6)
}

func inUse() use {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd") // elsewhere: none
	return use{runtime.NumGoroutine(), len(files), m.HeapAlloc}
}

// openAndClose opens an engine, changes something, and closes it; every tenth time it fails to open in between.
func openAndClose(dir string, i int) error {
	e, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	if i%10 == 0 {
		if _, err := Open(dir, Options{}); err == nil {
			return fmt.Errorf("opened twice")
		}
	}
	err = e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set("a")
		if err == nil {
			_, err = s.IncrBy([]byte("x"), 1)
		}
		return err
	}, "a")
	if err == nil && i%4 == 0 {
		err = e.Snapshot()
	}
	if err != nil {
		return err
	}
	return e.Close()
}

// TestRow43Flat: opening and closing over and over leaves no goroutine and no open file behind.
func TestRow43Flat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	rounds := matrix.Pick(50, 1000)
	for i := range 10 {
		require.NoError(t, openAndClose(dir, i))
	}
	before := settled(inUse())
	for i := range rounds {
		require.NoError(t, openAndClose(dir, i))
	}
	after := settled(before)
	require.LessOrEqual(t, after.goroutines, before.goroutines)
	require.LessOrEqual(t, after.files, before.files)
	matrix.Row(t, 43, "%d times opened, changed and closed: before %v, after %v", rounds, before, after)
}

// settled waits until the resources in use are at most those before, or for a limited time: finished goroutines need a moment to end.
func settled(before use) use {
	after := inUse()
	for range 100 {
		if after.goroutines <= before.goroutines && after.files <= before.files {
			break
		}
		<-time.After(10 * time.Millisecond)
		after = inUse()
	}
	return after
}
