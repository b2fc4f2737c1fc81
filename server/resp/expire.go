package resp

import (
	"time"
)

// Times at which keys vanish, as clients write and read them.

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
		at, err := moment(n, u, from, t.now(), t.step.m.name)
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
				ms = max(ms-t.now().UnixMilli(), 0)
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
