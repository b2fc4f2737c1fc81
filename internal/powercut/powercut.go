// Package powercut takes what power cuts leave of disks that are in memory, for tests and fuzzing.
package powercut

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/zrankdb/zrank/internal/memfs"
)

// Changes reports whether an operation changes the disk.
func Changes(op errorfs.Op) bool {
	return op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpFileClose && op.Kind != errorfs.OpFilePreallocate
}

// Before returns fs with do called before every operation that changes it: one call at a time.
func Before(fs vfs.FS, do func(op errorfs.Op)) vfs.FS {
	var mu sync.Mutex
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if Changes(op) {
			mu.Lock()
			defer mu.Unlock()
			do(op)
		}
		return nil
	}))
}

// Clone returns the disk as a power cut would leave it now, with so many percent of what is not flushed.
func Clone(disk *memfs.FS, percent int, seed uint64) *memfs.FS {
	rng := rand.New(rand.NewPCG(seed, uint64(percent)))
	return disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng})
}

// Check checks disks in the background until the channel is closed; each says of itself what it is. The function returned waits, and tells
// what was wrong with the first few.
func Check[T fmt.Stringer](disks <-chan T, check func(T) error) (wait func() []error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var bad []error
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for disk := range disks {
				err := check(disk)
				mu.Lock()
				if err != nil && len(bad) < 3 {
					bad = append(bad, fmt.Errorf("%v: %w", disk, err))
				}
				mu.Unlock()
			}
		})
	}
	return func() []error { wg.Wait(); return bad }
}
