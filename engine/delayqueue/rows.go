package delayqueue

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// rows are a queue's items in a transaction. Only this file depends on how they are stored.
type rows struct {
	q                   *Queue
	tx                  *engine.Tx
	ready, leased, dead *engine.Set
	now                 int64 // by the engine's clock, in microseconds since 1970
}

// rows returns the queue's items in a transaction.
func (q *Queue) rows(tx *engine.Tx) (r rows, err error) {
	r = rows{q: q, tx: tx}
	for i, s := range []**engine.Set{&r.ready, &r.leased, &r.dead} {
		if *s, err = tx.SetTied(q.keys[i], tieWidth); err != nil {
			return rows{}, err
		}
	}
	if r.now = tx.Now().UnixMicro(); !exact(r.now) {
		return rows{}, fmt.Errorf("%w: the clock shows %s", ErrTime, tx.Now())
	}
	return r, nil
}

// update runs fn on the queue's items, in one transaction.
func (q *Queue) update(ctx context.Context, fn func(rows) error) error {
	return q.e.Update(ctx, func(tx *engine.Tx) error { return q.in(tx, fn) }, q.keys...)
}

// view is update for reading.
func (q *Queue) view(ctx context.Context, fn func(rows) error) error {
	return q.e.View(ctx, func(tx *engine.Tx) error { return q.in(tx, fn) }, q.keys...)
}

func (q *Queue) in(tx *engine.Tx, fn func(rows) error) error {
	r, err := q.rows(tx)
	if err != nil {
		return err
	}
	return fn(r)
}

// exact reports whether a float64 score holds the time exactly.
func exact(micros int64) bool { return -1<<53 <= micros && micros <= 1<<53 }

// micros returns a time in microseconds since 1970, rounded up. Error: ErrTime.
func micros(t time.Time) (int64, error) {
	m := t.UnixMicro()
	if t.Nanosecond()%1000 != 0 {
		m++
	}
	if year := t.Year(); year < 1600 || year > 2300 || !exact(m) { // UnixMicro overflows far outside
		return 0, fmt.Errorf("%w: %s", ErrTime, t)
	}
	return m, nil
}

// after returns the time d after now, in microseconds.
func (r rows) after(d time.Duration) (int64, error) { return micros(time.UnixMicro(r.now).Add(d)) }

const tieWidth = 16

// mark is the content of a member's tie: number 8 | deliveries 8.
type mark struct {
	number     uint64
	deliveries int
}

func (m mark) tie() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, m.number), uint64(m.deliveries))
}

func markOf(tie []byte) mark {
	d := binary.BigEndian.Uint64(tie[8:])
	return mark{binary.BigEndian.Uint64(tie), int(min(d, math.MaxInt))}
}

// put adds an item to a set, or changes its place there. O(log items).
func put(s *engine.Set, id string, m mark, at int64) error {
	_, err := s.AddTied([]byte(id), m.tie(), float64(at))
	return err
}

// find returns the set that an item is in, or nil. O(1).
func (r rows) find(id string) *engine.Set {
	for _, s := range []*engine.Set{r.ready, r.leased, r.dead} {
		if _, ok := s.Score([]byte(id)); ok {
			return s
		}
	}
	return nil
}

// forget removes an item from the set that it is in, and its payload.
func (r rows) forget(s *engine.Set, id string) error {
	if _, err := s.Remove([]byte(id)); err != nil {
		return err
	}
	return r.tx.Delete(r.q.itemKey(id))
}

// until returns how many entries of a set have a time not after at. O(log items).
func until(s *engine.Set, at int64) int { return s.Len() - s.Above(float64(at)) }

// first returns the earliest time in a set. O(log items).
func first(s *engine.Set) (at int64, ok bool) {
	for _, score := range s.Range(0, 1) {
		return int64(score), true
	}
	return 0, false
}

func (q *Queue) itemKey(id string) string { return q.prefix + "item/" + id }

// payload returns an item's payload.
func (r rows) payload(id string) ([]byte, error) {
	b, ok, err := r.tx.Get(r.q.itemKey(id))
	if err == nil && !ok {
		err = fmt.Errorf("%w: item %q of queue %q has no payload", engine.ErrCorrupt, id, r.q.spec.Name)
	}
	return b, err
}

// numbers reserves n consecutive numbers that no push or lease has had before, and returns the first.
func (r rows) numbers(n int) (from uint64, err error) {
	key := r.q.prefix + "number"
	b, ok, err := r.tx.Get(key)
	if err != nil {
		return 0, err
	}
	var last uint64
	if ok && len(b) != 8 {
		return 0, fmt.Errorf("%w: private key %q has %d bytes, not 8", engine.ErrCorrupt, key, len(b))
	}
	if ok {
		last = binary.BigEndian.Uint64(b)
	}
	return last + 1, r.tx.Put(key, binary.BigEndian.AppendUint64(nil, last+uint64(n)))
}

// timeOf returns the time in an entry's score.
func timeOf(e zset.Entry) time.Time { return time.UnixMicro(int64(e.Score)) }
