package serve

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGCPercent: the smaller the scanned part of live memory, the lower the percentage, which never exceeds Go's default.
func TestGCPercent(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		scan, live uint64
		want       int
	}{
		{0, 0, 100}, {mb, 2 * mb, 100}, {4 * mb, 4 * mb, 100}, {400 * mb, 400 * mb, 100}, {200 * mb, 400 * mb, 51},
		{mb, 50 * mb, 10}, {4 * mb, 44 * mb, 18}, {8 * mb, 1200 * mb, 1}, {8 * mb, 9000 * mb, 1},
	} {
		require.Equal(t, c.want, gcPercent(c.scan, c.live), "%+v", c)
	}
}

// TestCollectByPointers: beside a large allocation without pointers collectByPointers lowers the GC percentage. At its end it restores the
// default.
func TestCollectByPointers(t *testing.T) {
	t.Setenv("GOGC", "")
	sets := make([]byte, 256<<20)
	percent := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	debug.FreeOSMemory() // it runs a collection, which measures live memory
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { collectByPointers(ctx); close(done) }()
		time.Sleep(2 * gcInterval)
		t.Logf("%d %% beside %d MiB", percent(), len(sets)>>20)
		require.Less(t, percent(), uint64(50))
		stop()
		<-done
		require.EqualValues(t, defaultPercent, percent())
	})
	require.Zero(t, sets[len(sets)-1])
}
