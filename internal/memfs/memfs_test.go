package memfs

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"
)

// rounds is how often a race is run. A bare MemFS ends in a deadlock in nearly every one.
const rounds = 20

// operations are those that take MemFS's lock twice.
var operations = map[string]func(vfs.FS) error{
	"Link":          func(fs vfs.FS) error { return fs.Link("old", "new") },
	"ReuseForWrite": func(fs vfs.FS) error { return closed(fs.ReuseForWrite("old", "new", vfs.WriteCategoryUnspecified)) },
	"Lock":          func(fs vfs.FS) error { return closed(fs.Lock("lock")) },
}

func closed(f interface{ Close() error }, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

// TestCloneBesideOperations runs each operation between two clones: it waits for the first, and the second waits for it.
func TestCloneBesideOperations(t *testing.T) {
	for name, op := range operations {
		t.Run(name, func(t *testing.T) {
			for range rounds {
				fs := NewCrashable()
				clone := func(c vfs.CrashCloneCfg) { fs.CrashClone(c) }
				require.False(t, deadlocks(t, fs, clone, op), "%s and CrashClone wait for each other", name)
			}
		})
	}
}

// TestRaceOfABareMemFS shows that the test above finds a deadlock: the race without FS ends in one.
func TestRaceOfABareMemFS(t *testing.T) {
	for name, op := range operations {
		t.Run(name, func(t *testing.T) {
			for range rounds {
				fs := vfs.NewCrashableMem()
				clone := func(c vfs.CrashCloneCfg) { fs.CrashClone(c) }
				if deadlocks(t, fs, clone, op) {
					return
				}
			}
			t.Skipf("%s no longer deadlocks: once none of them does, this package can go", name)
		})
	}
}

// deadlocks reports whether an operation and a clone deadlock. It holds a first clone in its middle until the operation and a second
// clone wait for it. Then it lets the first clone go on. No other goroutine uses the file system then. So if the operation and the
// second clone both wait for a lock at the same moment, nobody will release it.
func deadlocks(t *testing.T, fs vfs.FS, clone func(vfs.CrashCloneCfg), op func(vfs.FS) error) bool {
	require.NoError(t, closed(fs.Create("old", vfs.WriteCategoryUnspecified)))
	held := &gate{reached: make(chan struct{}), open: make(chan struct{})}
	_, first := start(func() error { clone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(held)}); return nil })
	<-held.reached
	operating, operated := start(func() error { return op(fs) })
	for !waiting(operating) {
		runtime.Gosched()
	}
	cloning, cloned := start(func() error { clone(vfs.CrashCloneCfg{}); return nil })
	for !waiting(cloning) {
		runtime.Gosched()
	}
	close(held.open)
	require.NoError(t, <-first)
	for {
		select {
		case err := <-operated:
			require.NoError(t, err)
			require.NoError(t, <-cloned)
			return false
		default:
		}
		if waiting(operating, cloning) {
			return true
		}
		runtime.Gosched()
	}
}

// start runs f in a goroutine. It returns the first line of the goroutine's stack trace, and a channel for f's error.
func start(f func() error) (header string, done <-chan error) {
	name, result := make(chan string), make(chan error, 1)
	go func() {
		trace := make([]byte, 64)
		trace = trace[:runtime.Stack(trace, false)]
		name <- string(trace[:bytes.IndexByte(trace, '[')])
		result <- f()
	}()
	return <-name, result
}

var traces = make([]byte, 64<<10) // of waiting

// waiting reports whether each goroutine waits for a lock, all at one moment.
func waiting(headers ...string) bool {
	n := runtime.Stack(traces, true) // of one moment: the world is stopped
	for n == len(traces) {
		traces = make([]byte, 2*n)
		n = runtime.Stack(traces, true)
	}
	return !slices.ContainsFunc(headers, func(h string) bool { return !bytes.Contains(traces[:n], []byte(h+"[sync.")) })
}

// gate is a source of random numbers that waits at the first one.
type gate struct {
	rand.PCG
	reached, open chan struct{}
}

// Uint64 implements rand.Source.
func (g *gate) Uint64() uint64 {
	select {
	case <-g.open:
	default:
		close(g.reached)
		<-g.open
	}
	return g.PCG.Uint64()
}
