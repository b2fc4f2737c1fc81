package delayqueue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// newMemory returns an engine without a disk.
func newMemory(t testing.TB, clock func() time.Time) *engine.Engine {
	e, err := engine.New(engine.Options{Clock: clock})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func mustEngine(t testing.TB, fs persist.FS, clock func() time.Time) *engine.Engine {
	e, err := engine.Open("data", engine.Options{Clock: clock, FS: fs})
	require.NoError(t, err)
	return e
}

func mustOpen(t testing.TB, e *engine.Engine, spec Spec) *Queue {
	q, err := Open(e, spec)
	require.NoError(t, err)
	return q
}

// newQueue returns a queue in memory with the clock w.
func newQueue(t testing.TB, w *testclock.Clock, maxDeliveries int) *Queue {
	return mustOpen(t, newMemory(t, w.Now), Spec{Name: "q", MaxDeliveries: maxDeliveries})
}

// pushAll pushes items without a payload, due now.
func pushAll(t testing.TB, q *Queue, ids ...string) {
	for _, id := range ids {
		require.NoError(t, q.Push(context.Background(), Item{ID: id}))
	}
}

func mustLease(t testing.TB, q *Queue, n int, d time.Duration) []Lease {
	leases, err := q.Lease(context.Background(), n, d)
	require.NoError(t, err)
	return leases
}

// ids returns the IDs of leases as "a b".
func ids(leases []Lease) string {
	var list []string
	for _, l := range leases {
		list = append(list, l.ID)
	}
	return strings.Join(list, " ")
}

func mustStats(t testing.TB, q *Queue) Stats {
	st, err := q.Stats(context.Background())
	require.NoError(t, err)
	return st
}

// dump returns all that is stored of a queue, a line for each item. It returns an error if D7 is violated.
func dump(q *Queue) (text string, err error) {
	var lines []string
	payloads := map[string]string{}
	err = q.view(context.Background(), func(r rows) error {
		for kv, err := range r.tx.Scan(q.itemKey("")) {
			if err != nil {
				return err
			}
			payloads[strings.TrimPrefix(string(kv.Key), q.itemKey(""))] = string(kv.Value)
		}
		for i, s := range []*engine.Set{r.ready, r.leased, r.dead} {
			for _, e := range s.Append(nil, 0, s.Len()) {
				payload, ok := payloads[string(e.Member)]
				if !ok {
					return fmt.Errorf("%q has no payload, or two states", e.Member)
				}
				delete(payloads, string(e.Member))
				lines = append(lines, line(state(i), e, payload))
			}
		}
		return nil
	})
	if err == nil && len(payloads) > 0 {
		err = fmt.Errorf("payloads without an item: %v", payloads)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), err
}

func line(s state, e zset.Entry, payload string) string {
	m := markOf(e.Tie)
	return fmt.Sprintf("%s %v %d number %d deliveries %d %s", e.Member, s, int64(e.Score)-testclock.Noon.UnixMicro(), m.number, m.deliveries, payload)
}

// times is n, or less in builds that are slow and short runs.
func times(n int) int {
	if invariants.Enabled || testing.Short() {
		return (n + 4) / 5
	}
	return n
}
