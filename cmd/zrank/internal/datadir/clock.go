package datadir

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// clock is the clock of a data directory. A directory that replay feeds has the time of its data: the time of the latest event, which is
// stored with the events. So its periods end by the events' times, whenever someone replays or reads them. A directory with boards and
// without a stored time, as of a game server, has the real time.
type clock struct {
	At atomic.Pointer[time.Time] // nil: the real time
}

// ClockKey is the private key that holds the time of the data.
const ClockKey = "clock"

// dawn is before all data: no period is due while a directory opens, before its clock is known.
var dawn = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)

// NewClock returns a clock that stands before all data until Start or Serve sets it.
func NewClock() *clock {
	c := &clock{}
	c.At.Store(&dawn)
	return c
}

// Now returns the time of the directory.
func (c *clock) Now() time.Time {
	if at := c.At.Load(); at != nil {
		return *at
	}
	return time.Now()
}

// start sets the clock by the time that is stored in the engine.
func (c *clock) start(ctx context.Context, e *engine.Engine) error {
	return e.View(ctx, func(tx *engine.Tx) error {
		text, ok, err := tx.Get(ClockKey)
		if err != nil {
			return err
		}
		if ok {
			t, err := time.Parse(time.RFC3339Nano, string(text))
			if err != nil {
				return fmt.Errorf("stored time of the data: %w", err)
			}
			c.At.Store(&t)
			return nil
		}
		for _, err := range tx.Scan(BoardKeys) {
			c.At.Store(nil)
			return err
		}
		return nil
	})
}

// Serve sets the clock of a directory that a server opens. Without a stored time the directory has the real time, also without boards.
// Errors: those of reading the stored time.
func (c *clock) Serve(ctx context.Context, e *engine.Engine, log *slog.Logger) error {
	if err := c.start(ctx, e); err != nil {
		return err
	}
	switch at := c.At.Load(); at {
	case nil:
	case &dawn:
		c.At.Store(nil)
	default:
		log.Warn("the directory lives in the time of its data, which stands still", "time", at.Format(time.RFC3339))
	}
	return nil
}

// BoardKeys is the prefix of the private keys of boards.
const BoardKeys = "board."

// Claim stores that the directory has the time of its data, before the first board is made: a directory with boards and without a stored
// time has the real time. Errors: those of the engine.
func (c *clock) Claim(ctx context.Context, e *engine.Engine) error {
	if at := c.At.Load(); at != &dawn {
		return nil
	}
	return e.Update(ctx, func(tx *engine.Tx) error { return c.Put(tx, dawn) })
}

// Move moves the clock forward to a time of the data. It does nothing if the directory has the real time.
func (c *clock) Move(t time.Time) {
	if at := c.At.Load(); at != nil && t.After(*at) {
		c.At.Store(&t)
	}
}

// Back undoes a Move whose events were not committed.
func (c *clock) Back(t time.Time) {
	if c.At.Load() != nil {
		c.At.Store(&t)
	}
}

// Put stores a time of the data in a transaction. Errors: those of the engine.
func (c *clock) Put(tx *engine.Tx, t time.Time) error {
	if c.At.Load() == nil {
		return nil
	}
	return tx.Put(ClockKey, t.UTC().AppendFormat(nil, time.RFC3339Nano))
}
