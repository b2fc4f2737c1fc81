package ratelimit

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// A log is a set with one member for each event. The score is the time of the event, in microseconds since 1970. The member is a number
// that no other event of the log has. Only this file depends on that.

// extraTrim bounds the old events that one call removes from a log: at most twice its cost plus extraTrim. So the work of a call is bounded,
// and a log shrinks faster than it grows.
const extraTrim = 64

// lastTime is the first time that is too late, in microseconds since 1970. A time before it plus any window is still exact as a float64.
const lastTime = 1<<53 - int64(MaxWindow/time.Microsecond)

// micros converts a time of the clock to the microseconds of a log. Error: ErrTime.
func micros(t time.Time) (int64, error) {
	m := t.UnixMicro()
	if m < 0 || m >= lastTime {
		return 0, fmt.Errorf("%w: %s", ErrTime, t)
	}
	return m, nil
}

func duration(micros int64) time.Duration { return time.Duration(micros) * time.Microsecond }

// latest returns the later of now and the time of a log's last event. So time stands still for the log while the clock is behind that
// event. O(log events).
func latest(log *zset.View, now int64) int64 {
	if log.Len() == 0 {
		return now
	}
	return max(now, at(log, log.Len()-1))
}

// status returns the state of a limit at a time of the clock, and how long a call of this cost must wait until the limit allows it. The
// wait is 0 if the limit allows the call now. O(log events).
func (l Limit) status(log *zset.View, now int64, cost int) (st Status, wait int64) {
	window, end := l.Window.Microseconds(), latest(log, now)
	used := log.Above(float64(end - window))
	st = Status{Limit: l, Remaining: max(l.Max-used, 0)}
	if used > 0 {
		st.ResetAfter = duration(at(log, log.Len()-1) + window - now)
	}
	if over := used + cost - l.Max; over > 0 {
		wait = at(log, log.Len()-used+over-1) + window - now // until the last of the events that must leave the window has left it
	}
	return st, wait
}

// at returns the time of the event with a rank. The rank must exist. O(log events).
func at(log *zset.View, rank int) (micros int64) {
	for _, score := range log.Range(rank, rank+1) {
		micros = int64(score)
	}
	return micros
}

// record adds cost events to a log. First it removes some events that have left the longest window (R5). O(cost log events).
func (l *Limiter) record(log *engine.Set, now int64, cost int) error {
	end := latest(log.View, now)
	old := log.Len() - log.Above(float64(end-l.longest))
	if _, err := log.RemoveRange(0, min(old, 2*cost+extraTrim)); err != nil {
		return err
	}
	for range cost {
		// Each Add changes the version of the set, so no two events get the same number. The member omits leading zero bytes.
		var number [8]byte
		binary.BigEndian.PutUint64(number[:], log.Version())
		member := number[:]
		for len(member) > 1 && member[0] == 0 {
			member = member[1:]
		}
		if _, err := log.Add(member, float64(end)); err != nil {
			return err
		}
	}
	return l.expire(log, end)
}

// grace is how long a log stays, at least, after its last event has left the longest window: the clock may go back.
const grace = 10 * time.Second

// expire sets the expiry of a log whose last event has this time: the end of the longest window, plus grace, plus up to an eighth of the
// window. Because of the eighth, only some events have to move the expiry.
func (l *Limiter) expire(log *engine.Set, last int64) error {
	gone := time.UnixMicro(last + l.longest).Add(grace)
	if at, ok := log.Expiry(); ok && !at.Before(gone) {
		return nil
	}
	_, err := log.ExpireAt(gone.Add(duration(l.longest/8) + time.Millisecond)) // ExpireAt cuts to the millisecond
	return err
}
