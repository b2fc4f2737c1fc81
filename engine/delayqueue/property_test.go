package delayqueue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/persist"
)

// player makes random calls to a queue and to the oracle.
type player struct {
	t     testing.TB
	rng   *rand.Rand
	w     *testclock.Clock
	fs    persist.FS // nil: memory only
	e     *engine.Engine
	spec  Spec
	q     *Queue
	o     *naive
	given []Lease // the last leases, stale ones too
	count map[string]int
}

func newPlayer(t testing.TB, seed uint64, fs persist.FS) *player {
	p := &player{t: t, rng: rand.New(rand.NewPCG(seed, 2)), w: testclock.New(), fs: fs, count: map[string]int{}}
	p.spec = Spec{Name: "q/1", MaxDeliveries: p.rng.IntN(4)}
	p.o = newNaive(p.spec.MaxDeliveries)
	p.open()
	return p
}

func (p *player) open() {
	if p.fs == nil {
		p.e = newMemory(p.t, p.w.Now)
	} else {
		p.e = mustEngine(p.t, p.fs, p.w.Now)
	}
	p.q = mustOpen(p.t, p.e, p.spec)
}

func (p *player) id() string { return fmt.Sprintf("i%d", p.rng.IntN(12)) }

func (p *player) micros(n int) time.Duration { return time.Duration(p.rng.IntN(n)) * time.Microsecond }

// lease returns one of the last leases given.
func (p *player) lease() Lease {
	if len(p.given) == 0 {
		return Lease{ID: p.id(), Number: 1}
	}
	p.given = p.given[max(0, len(p.given)-12):]
	return p.given[p.rng.IntN(len(p.given))]
}

// moves are the calls; one that is listed more often is made more often.
var moves = []func(p *player, now time.Time) string{
	(*player).push, (*player).push, (*player).push, (*player).push,
	(*player).take, (*player).take, (*player).take, (*player).take, (*player).take,
	(*player).ack, (*player).ack, (*player).nack, (*player).nack, (*player).extend, (*player).remove, (*player).redrive,
}

func (p *player) step() {
	switch p.rng.IntN(16) {
	case 0:
		p.w.Add(-p.micros(60))
	case 1:
		p.w.Add(p.micros(400))
	default:
		p.w.Add(p.micros(15))
	}
	p.count[moves[p.rng.IntN(len(moves))](p, p.w.Now())]++
}

// same checks that a call had the oracle's error.
func (p *player) same(name string, want, got error) string {
	if want == nil {
		require.NoError(p.t, got, name)
		return name
	}
	require.ErrorIs(p.t, got, want, name)
	return name + ": " + want.Error()
}

func (p *player) push(now time.Time) string {
	var items []Item
	for range 1 + p.rng.IntN(3) {
		item := Item{ID: p.id(), Payload: fmt.Append(nil, "v", p.rng.IntN(1000)), New: p.rng.IntN(2) == 0}
		if p.rng.IntN(3) > 0 {
			item.Due = now.Add(p.micros(120) - 20*time.Microsecond)
		}
		items = append(items, item)
	}
	return p.same("push", p.o.push(now, items), p.q.Push(context.Background(), items...))
}

func (p *player) take(now time.Time) string {
	n, d := 1+p.rng.IntN(4), time.Microsecond+p.micros(80)
	got, want := mustLease(p.t, p.q, n, d), p.o.lease(now, n, d)
	for i := range got {
		got[i].Due, got[i].Until = got[i].Due.UTC(), got[i].Until.UTC()
	}
	require.Equal(p.t, want, got)
	p.given = append(p.given, got...)
	return fmt.Sprintf("lease of %d", len(got))
}

func (p *player) ack(time.Time) string {
	leases := []Lease{p.lease(), p.lease()}[:1+p.rng.IntN(2)]
	return p.same("ack", p.o.ack(leases), p.q.Ack(context.Background(), leases...))
}

func (p *player) nack(now time.Time) string {
	l, delay := p.lease(), p.micros(50)
	return p.same("nack", p.o.nack(now, l, delay), p.q.Nack(context.Background(), l, delay))
}

func (p *player) extend(now time.Time) string {
	l, d := p.lease(), time.Microsecond+p.micros(100)
	got, err := p.q.Extend(context.Background(), l, d)
	if err == nil {
		require.True(p.t, got.Until.Equal(now.Add(d)))
	}
	return p.same("extend", p.o.extend(now, l, d), err)
}

func (p *player) remove(time.Time) string {
	ids := []string{p.id(), p.id()}
	if p.rng.IntN(4) > 0 {
		return "nothing"
	}
	n, err := p.q.Remove(context.Background(), ids...)
	require.NoError(p.t, err)
	require.Equal(p.t, p.o.remove(ids), n)
	return "remove"
}

// redrive compares the dead items, and in one of three cases redrives them all.
func (p *player) redrive(now time.Time) string {
	var ids []string
	list, err := p.q.Dead(context.Background(), 0, 100)
	require.NoError(p.t, err)
	for i, want := range p.o.in(dead, now.Add(1e6*time.Hour)) {
		d := list[i]
		require.Equal(p.t, []any{want.id, want.payload, want.deliveries, want.at}, []any{d.ID, string(d.Payload), d.Deliveries, d.At.UTC()})
		ids = append(ids, want.id)
	}
	require.Len(p.t, list, len(ids))
	if ids = append(ids, p.id()); p.rng.IntN(3) > 0 {
		return "dead"
	}
	n, err := p.q.Redrive(context.Background(), ids...)
	require.NoError(p.t, err)
	require.Equal(p.t, p.o.redrive(now, ids), n)
	return "redrive"
}

// check compares all stored items and the figures with the oracle.
func (p *player) check() {
	text, err := dump(p.q)
	require.NoError(p.t, err)
	require.Equal(p.t, p.o.String(), text)
	st := mustStats(p.t, p.q)
	if !st.Next.IsZero() {
		st.Next = st.Next.UTC()
	}
	require.Equal(p.t, p.o.stats(p.w.Now()), st)
}

// TestAgainstOracle makes random calls, with a clock that leaps ahead and goes back, in memory and on a disk that is closed and opened again.
// Every answer, and everything stored after every call, equals the oracle's.
func TestAgainstOracle(t *testing.T) {
	calls, total := 0, map[string]int{}
	for seed := range uint64(times(60)) {
		var fs persist.FS
		if seed%3 == 0 {
			fs = memfs.New()
		}
		p := newPlayer(t, seed, fs)
		for i := range 300 {
			p.step()
			p.check()
			if fs != nil && i%60 == 59 {
				require.NoError(t, errors.Join(p.e.Snapshot(), p.e.Close()))
				p.open()
				p.check()
			}
			calls++
		}
		if fs != nil {
			require.NoError(t, p.e.Close())
		}
		for call, n := range p.count {
			total[call] += n
		}
	}
	t.Logf("%d calls, 0 differences: %v", calls, total)
}
