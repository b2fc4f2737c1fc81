package delayqueue

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// cut is a disk after a power cut, with the calls that had ended before it and those that had started.
type cut struct {
	fs             *memfs.FS
	ended, started int64
	what           string
}

// past is the state of the queue after a call.
type past struct {
	text     string
	payloads map[string]string // of items that are not dead
}

func (o *naive) past() past {
	p := past{o.String(), map[string]string{}}
	for id, i := range o.items {
		if i.state != dead {
			p.payloads[id] = i.payload
		}
	}
	return p
}

// TestPowerCut cuts the power before every operation that changes the disk, during random calls with snapshots and reopens. Each time the
// queue is in the state after some call, not earlier than the last that had returned. From then on the queue delivers every item that was not
// acknowledged in that state, with its payload, and no other.
func TestPowerCut(t *testing.T) {
	total, delivered, seeds := 0, 0, times(8)
	for seed := range uint64(seeds) {
		mem := memfs.NewCrashable()
		var started, ended atomic.Int64 // calls
		var cuts []cut
		p := newPlayer(t, 100+seed, powercut.Before(mem, func(op errorfs.Op) {
			n := len(cuts)
			x := cut{ended: ended.Load(), what: fmt.Sprintf("cut %d, before %v of %s", n, op.Kind, op.Path)}
			x.fs = powercut.Clone(mem, 50*(n%3), uint64(n))
			x.started = started.Load() // after the clone: what starts later cannot be in it
			cuts = append(cuts, x)
		}))
		p.w.Add(time.Second)
		history := []past{p.o.past()}
		for i := range times(60) {
			started.Add(1)
			p.step()
			history = append(history, p.o.past())
			ended.Add(1)
			if i%20 == 12 {
				require.NoError(t, p.e.Snapshot())
			} else if i%20 == 18 {
				require.NoError(t, p.e.Close())
				p.open()
			}
		}
		require.NoError(t, p.e.Close())
		for _, x := range cuts {
			delivered += p.recovers(x, history)
		}
		total += len(cuts)
	}
	t.Logf("%d power cuts, %d seeds: the queue is as after one of the calls, %d items delivered with their payloads, 0 acknowledged ones", total, seeds, delivered)
}

// recovers opens a disk after a power cut, finds its state in history, and delivers and acknowledges all items.
func (p *player) recovers(x cut, history []past) (delivered int) {
	late := p.w.Now().Add(time.Hour) // every lease has run out
	e := mustEngine(p.t, x.fs, func() time.Time { return late })
	q := mustOpen(p.t, e, p.spec)
	text, err := dump(q)
	require.NoError(p.t, err, x.what)
	possible := history[x.ended : x.started+1]
	now := slices.IndexFunc(possible, func(s past) bool { return s.text == text })
	require.GreaterOrEqual(p.t, now, 0, "%s: is\n%s\nnot any of %d from\n%s", x.what, text, len(possible), possible[0].text)

	got := map[string]string{}
	for {
		leases := mustLease(p.t, q, 3, time.Minute)
		if len(leases) == 0 {
			break
		}
		for _, l := range leases {
			got[l.ID] = string(l.Payload)
		}
		require.NoError(p.t, q.Ack(context.Background(), leases...))
	}
	dead, err := q.Dead(context.Background(), 0, 100)
	require.NoError(p.t, err)
	for _, d := range dead { // items that were alive at the power cut, and had had all their deliveries
		if _, alive := possible[now].payloads[d.ID]; alive {
			require.Equal(p.t, p.spec.MaxDeliveries, d.Deliveries)
			got[d.ID] = string(d.Payload)
		}
	}
	require.True(p.t, maps.Equal(possible[now].payloads, got), "%s: delivered %v, not %v", x.what, got, possible[now].payloads)
	require.NoError(p.t, e.Close())
	return len(got)
}
