package persist

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// TestBulkGivesWay: a bulk's commit is in Pebble when its Wait returns, at any level. It pauses if others commit too, and only then.
func TestBulkGivesWay(t *testing.T) {
	for _, o := range []Options{{Level: Sync}, {Level: Interval, Interval: time.Hour}, {Level: None}} {
		synctest.Test(t, func(t *testing.T) {
			o.FS = memfs.NewCrashable()
			s, err := open("db", o, small)
			require.NoError(t, err)
			for _, others := range []bool{false, true} {
				b := s.Bulk()
				for range 20 {
					time.Sleep(time.Millisecond) // the step takes so long
					if others {
						mustAppend(t, s, put("other", "m", "v"))
					}
					var own Batch
					put("a", "m", "v")(&own)
					seq, err := s.Append(&own)
					require.NoError(t, err)
					began := time.Now()
					require.NoError(t, b.Wait(t.Context(), seq, 1))
					require.GreaterOrEqual(t, s.AppliedSeq(), seq)
					require.Equal(t, others, time.Since(began) >= 3*time.Millisecond, "%v", time.Since(began))
				}
			}
			require.NoError(t, s.Close())
		})
	}
}
