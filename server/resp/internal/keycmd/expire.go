package keycmd

import (
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// expireIf is the conditions of EXPIRE.
type expireIf struct{ nx, xx, gt, lt bool }

// parseExpireIf reads the words NX, XX, GT and LT. Errors: a refusal.
func parseExpireIf(words [][]byte) (c expireIf, err error) {
	for _, word := range words {
		switch {
		case command.Is(word, "nx"):
			c.nx = true
		case command.Is(word, "xx"):
			c.xx = true
		case command.Is(word, "gt"):
			c.gt = true
		case command.Is(word, "lt"):
			c.lt = true
		default:
			return c, command.Refusal("ERR Unsupported option " + command.Clip(word, len(word)))
		}
	}
	if c.nx && (c.xx || c.gt || c.lt) {
		return c, command.Refusal("ERR NX and XX, GT or LT options at the same time are not compatible")
	}
	if c.gt && c.lt {
		return c, command.Refusal("ERR GT and LT options at the same time are not compatible")
	}
	return c, nil
}

// allow reports whether a key whose expiry is was, in Unix milliseconds, 0 for never, may get the expiry at.
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

// unixMilli returns Unix milliseconds, 0 for the zero time.
func unixMilli(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// expireBy returns EXPIRE, PEXPIRE, EXPIREAT or PEXPIREAT: u is the unit of their time, from is its origin.
func expireBy(u keyspace.Unit, from keyspace.Epoch) func(*session.Txn, [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		c, err := parseExpireIf(a[3:])
		if err != nil {
			return err
		}
		n, err := command.ParseInt[int64](a[2])
		if err != nil {
			return err
		}
		at, err := keyspace.Moment(n, u, from, t.Now(), t.Step.Command.Name)
		if err != nil {
			return err
		}
		name, h, err := t.Lookup(a[1])
		if err != nil {
			return err
		}
		done := h.Kind != keyspace.None && c.allow(unixMilli(h.Expires), at)
		if done {
			if err := t.Expire(name, keyspace.TimeOf(at)); err != nil {
				return err
			}
		}
		t.Out.Int(command.Bit(done))
		return nil
	}
}

// expiryOf returns TTL, PTTL, EXPIRETIME or PEXPIRETIME, which answer -2 for a key without a value and -1 for one without an expiry.
func expiryOf(u keyspace.Unit, from keyspace.Epoch) func(*session.Txn, [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		h, err := t.Get(t.Name(a[1]))
		switch {
		case err != nil:
			return err
		case h.Kind == keyspace.None:
			t.Out.Int(-2)
		case h.Expires.IsZero():
			t.Out.Int(-1)
		default:
			ms := h.Expires.UnixMilli()
			if from == keyspace.FromNow {
				ms = max(ms-t.Now().UnixMilli(), 0)
			}
			t.Out.Int((ms + int64(u)/2) / int64(u))
		}
		return nil
	}
}

func persist(t *session.Txn, a [][]byte) error {
	name, h, err := t.Lookup(a[1])
	if err != nil {
		return err
	}
	if !h.Expires.IsZero() {
		if err := t.Persist(name); err != nil {
			return err
		}
	}
	t.Out.Int(command.Bit(!h.Expires.IsZero()))
	return nil
}
