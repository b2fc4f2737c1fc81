package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkStall measures how long writers wait: two goroutines update a big set, one member a commit, while a snapshot writes all its pages, and then
// for the same time without a snapshot. With 10 million members the preparation takes a minute.
func BenchmarkStall(b *testing.B) {
	for _, members := range []int{1_000_000, 10_000_000} {
		for _, level := range []Durability{Interval, Sync} {
			b.Run(fmt.Sprintf("durability=%v/members=%d", level, members), func(b *testing.B) {
				var logText bytes.Buffer
				e, err := Open(b.TempDir(), Options{Durability: level, SnapshotBytes: -1, Logger: slog.New(slog.NewTextHandler(&logText, nil))})
				require.NoError(b, err)
				defer e.Close()
				prepare(b, e, members)
				logText.Reset()
				wait, wrote := 2*time.Second, 0.0
				for _, running := range []bool{true, false} {
					stop := make(chan struct{})
					waits := make(chan []time.Duration, 2)
					for i := range 2 {
						go func() { waits <- stalls(b, e, members, uint64(i), stop) }()
					}
					if running {
						start := time.Now()
						require.NoError(b, e.Snapshot())
						wait, wrote = time.Since(start), float64(e.checkpoints.LastWritten.Load())
					} else {
						<-time.After(wait)
					}
					close(stop)
					report(b, append(<-waits, <-waits...), map[bool]string{true: "snapshot", false: "alone"}[running])
				}
				b.ReportMetric(wrote/1e6/wait.Seconds(), "MB/s")
				b.ReportMetric(float64(bytes.Count(logText.Bytes(), []byte("behind"))), "pebble_stalls")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func stallMember(dst []byte, i int) []byte {
	dst = append(dst[:0], "member:0000000000000"...)
	binary.BigEndian.PutUint32(dst[16:], uint32(i))
	return dst
}

// prepare fills a set in commits of ten thousand.
func prepare(b *testing.B, e *Engine, members int) {
	var member []byte
	for lo := 0; lo < members; lo += 10_000 {
		mustUpdate(b, e, []string{"arena"}, func(tx *Tx) {
			s := named(b, tx, "arena")
			for i := lo; i < lo+10_000; i++ {
				member = stallMember(member, i)
				_, _ = s.Add(member, float64(i))
			}
		})
	}
	require.NoError(b, e.Flush())
}

// stalls updates members until it is stopped, and returns how long each update took.
func stalls(b *testing.B, e *Engine, members int, seed uint64, stop chan struct{}) (waits []time.Duration) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var member []byte
	waits = make([]time.Duration, 0, 1<<22)
	for {
		select {
		case <-stop:
			return waits
		default:
		}
		member = stallMember(member, rng.IntN(members))
		start := time.Now()
		err := e.Update(b.Context(), func(tx *Tx) error {
			s, err := tx.Set("arena")
			if err == nil {
				_, err = s.Add(member, rng.Float64()*1e6)
			}
			return err
		}, "arena")
		waits = append(waits, time.Since(start))
		if err != nil {
			b.Error(err)
			return waits
		}
	}
}

func report(b *testing.B, waits []time.Duration, when string) {
	slices.Sort(waits)
	at := func(q float64) float64 { return float64(waits[int(q*float64(len(waits)-1))].Microseconds()) }
	b.ReportMetric(at(0.5), "us_p50_"+when)
	b.ReportMetric(at(0.999), "us_p99.9_"+when)
	b.ReportMetric(at(1), "us_most_"+when)
	b.ReportMetric(float64(len(waits)), "updates_"+when)
}
