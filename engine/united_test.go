package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

// BenchmarkUnited measures how long a writer of a big set waits, one member a commit, while the set is united with a small one again and again: by pages
// as Union does, under the locks of both sets, and without a union. To repeat:
//
//	go test -run '^$' -bench 'BenchmarkUnited/members=1000000$' -benchtime 1x -timeout 30m ./engine
func BenchmarkUnited(b *testing.B) {
	const rounds = 2
	for _, members := range []int{1_000_000, 10_000_000} {
		unite := func(e *Engine) error {
			_, err := e.Union(context.Background(), zset.Combine[float64]{}, "arena", "small")
			return err
		}
		for _, row := range []struct {
			how   string
			unite func(e *Engine) error
		}{{"none", func(*Engine) error { <-time.After(time.Second); return nil }}, {"pages", unite}, {"locked", unitedLocked}} {
			b.Run(fmt.Sprintf("members=%d/how=%s", members, row.how), func(b *testing.B) {
				e, err := New(Options{})
				require.NoError(b, err)
				prepare(b, e, members)
				mustUpdate(b, e, []string{"small"}, func(tx *Tx) { add(b, tx, "small", "x", 1) })
				stop := make(chan struct{})
				waits := make(chan []time.Duration, 1)
				go func() { waits <- stalls(b, e, members, 1, stop) }()
				start := time.Now()
				for range rounds {
					require.NoError(b, row.unite(e))
				}
				b.ReportMetric(time.Since(start).Seconds()/rounds, "s/union")
				close(stop)
				report(b, <-waits, row.how)
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// unitedLocked unites the sets in one View, under the locks of both.
func unitedLocked(e *Engine) error {
	return e.View(context.Background(), func(tx *Tx) error {
		in, err := inputs(tx, []string{"arena", "small"})
		if err != nil {
			return err
		}
		_, err = zset.Union(zset.Options{}, zset.Combine[float64]{}, views(in)...)
		return err
	}, "arena", "small")
}
