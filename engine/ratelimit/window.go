package ratelimit

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// A log is a set whose scores are the times of events, in microseconds since 1970, and whose members are numbers that no
// other event of the log has. This file is all that knows it.

// extraTrim is how many events more than twice its cost a call may take out of a log. It bounds what one call does, and lets
// the log shrink faster than it can grow.
const extraTrim = 64

// lastTime is the first time, in microseconds since 1970, that is too late: what a window adds to it is still exact.
const lastTime = 1<<53 - int64(MaxWindow/time.Microsecond)

// micros returns a time of the clock as a log has it.
func micros(t time.Time) (int64, error) {
	m := t.UnixMicro()
	if m < 0 || m >= lastTime {
		return 0, fmt.Errorf("%w: %s", ErrTime, t)
	}
	return m, nil
}

func duration(micros int64) time.Duration { return time.Duration(micros) * time.Microsecond }

// latest returns the time that a log lives in when the clock says now: it stands still while the clock is behind the last
// event. O(log events).
func latest(log *zset.View, now int64) int64 {
	if log.Len() == 0 {
		return now
	}
	return max(now, at(log, log.Len()-1))
}

// status says how a limit stands to a log at a time of the clock, and how long until it allows a call of this cost: 0 if it
// does. O(log events).
func (l Limit) status(log *zset.View, now int64, cost int) (st Status, wait int64) {
	window, end := l.Window.Microseconds(), latest(log, now)
	used := log.Above(float64(end - window))
	st = Status{Limit: l, Remaining: max(l.Max-used, 0)}
	if used > 0 {
		st.ResetAfter = duration(at(log, log.Len()-1) + window - now)
	}
	if over := used + cost - l.Max; over > 0 {
		wait = at(log, log.Len()-used+over-1) + window - now // until the last of the oldest that must go has gone
	}
	return st, wait
}

// at returns the time of the event with a rank, which exists. O(log events).
func at(log *zset.View, rank int) (micros int64) {
	for _, score := range log.Range(rank, rank+1) {
		micros = int64(score)
	}
	return micros
}

// record adds events to a log, and takes out some that no limit counts any more (R5). O(cost log events).
func (l *Limiter) record(log *engine.Set, now int64, cost int) error {
	end := latest(log.View, now)
	old := log.Len() - log.Above(float64(end-l.longest))
	if _, err := log.RemoveRange(0, min(old, 2*cost+extraTrim)); err != nil {
		return err
	}
	for range cost {
		// The version is one that no event before was added at, in the life of the set. Zeros in front go.
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

// grace is how long a log stays at least when nothing in it counts any more, in case the clock goes back.
const grace = 10 * time.Second

// expire makes a log vanish when its last event, of this time, has left the longest window: somewhat later than after the
// grace, so that not every event gives the log another time to vanish.
func (l *Limiter) expire(log *engine.Set, last int64) error {
	gone := time.UnixMicro(last + l.longest).Add(grace)
	if at, ok := log.Expiry(); ok && !at.Before(gone) {
		return nil
	}
	_, err := log.ExpireAt(gone.Add(duration(l.longest/8) + time.Millisecond)) // it cuts to the millisecond
	return err
}
