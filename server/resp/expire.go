package resp

import (
	"math"
	"time"
)

// Times at which keys vanish, as clients write and read them.

// unit is what a command counts time in: so many milliseconds.
type unit int64

const (
	milliseconds unit = 1
	seconds      unit = 1000
)

// epoch is where a command counts time from.
type epoch bool

const (
	fromNow  epoch = false
	from1970 epoch = true
)

// lastExpiry is the last millisecond after 1970 at which a key can vanish, in the year 9999: the engine's last. Keys that are to vanish
// later do so then.
const lastExpiry = 253_402_300_799_999

// timeOf is a millisecond after 1970 as the engine has it.
func timeOf(ms int64) time.Time { return time.UnixMilli(min(ms, lastExpiry)) }

// moment returns the millisecond after 1970 that a command means. The command's name is for the error.
func moment(n int64, u unit, from epoch, now time.Time, name string) (ms int64, err error) {
	if n > math.MaxInt64/int64(u) || n < math.MinInt64/int64(u) {
		return 0, errExpireTime(name)
	}
	ms = n * int64(u)
	if from == fromNow {
		if ms > math.MaxInt64-now.UnixMilli() {
			return 0, errExpireTime(name)
		}
		ms += now.UnixMilli()
	}
	return ms, nil
}

func errExpireTime(name string) refusal {
	return refusal("ERR invalid expire time in '" + name + "' command")
}

// expireIf are the conditions of EXPIRE.
type expireIf struct{ nx, xx, gt, lt bool }

func parseExpireIf(words [][]byte) (c expireIf, err error) {
	for _, word := range words {
		switch {
		case is(word, "nx"):
			c.nx = true
		case is(word, "xx"):
			c.xx = true
		case is(word, "gt"):
			c.gt = true
		case is(word, "lt"):
			c.lt = true
		default:
			return c, refusal("ERR Unsupported option " + clip(word, len(word)))
		}
	}
	if c.nx && (c.xx || c.gt || c.lt) {
		return c, refusal("ERR NX and XX, GT or LT options at the same time are not compatible")
	}
	if c.gt && c.lt {
		return c, refusal("ERR GT and LT options at the same time are not compatible")
	}
	return c, nil
}

// allow says whether a key that vanishes at one moment, 0 for never, may vanish at another instead.
func (c expireIf) allow(was, at int64) bool {
	switch {
	case c.nx && was != 0, c.xx && was == 0:
		return false
	case c.gt:
		return was != 0 && at > was
	case c.lt:
		return was == 0 || at < was
	}
	return true
}

// unixMilli is a time as conditions compare it: 0 is never.
func unixMilli(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// expireBy is EXPIRE and its like.
func expireBy(u unit, from epoch) func(*txn, [][]byte) error {
	return func(t *txn, a [][]byte) error {
		c, err := parseExpireIf(a[3:])
		if err != nil {
			return err
		}
		n, err := parseInt[int64](a[2])
		if err != nil {
			return err
		}
		at, err := moment(n, u, from, t.tx.Now(), t.step.m.name)
		if err != nil {
			return err
		}
		name := t.name(a[1])
		h, err := t.look(name)
		if err != nil {
			return err
		}
		done := h.kind != none && c.allow(unixMilli(h.expires), at)
		if done {
			if err := t.expire(name, timeOf(at)); err != nil {
				return err
			}
		}
		t.w.Int(number(done))
		return nil
	}
}

// expiryOf is TTL and its like: -2 is no key, -1 one that stays.
func expiryOf(u unit, from epoch) func(*txn, [][]byte) error {
	return func(t *txn, a [][]byte) error {
		h, err := t.look(t.name(a[1]))
		switch {
		case err != nil:
			return err
		case h.kind == none:
			t.w.Int(-2)
		case h.expires.IsZero():
			t.w.Int(-1)
		default:
			ms := h.expires.UnixMilli()
			if from == fromNow {
				ms = max(ms-t.tx.Now().UnixMilli(), 0)
			}
			t.w.Int((ms + int64(u)/2) / int64(u))
		}
		return nil
	}
}

func persist(t *txn, a [][]byte) error {
	name := t.name(a[1])
	h, err := t.look(name)
	if err != nil {
		return err
	}
	if !h.expires.IsZero() {
		if err := t.persist(name); err != nil {
			return err
		}
	}
	t.w.Int(number(!h.expires.IsZero()))
	return nil
}
