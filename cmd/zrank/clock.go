package main

import (
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// clock is the time of a data directory. One that replay feeds lives in the time of its data: it is as late there as the latest event
// that was seen, and that is stored with the events. So periods end when the data says so, whenever it is replayed and looked at. A
// directory with boards and without such a time, a game server's, has the real time.
type clock struct {
	at atomic.Pointer[time.Time] // nil: the real time
}

// clockKey is the private key that holds the time of the data.
const clockKey = "clock"

// dawn is before all data: nothing is due while a directory is being opened, before its clock is known.
var dawn = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)

func newClock() *clock {
	c := &clock{}
	c.at.Store(&dawn)
	return c
}

// now tells the time.
func (c *clock) now() time.Time {
	if at := c.at.Load(); at != nil {
		return *at
	}
	return time.Now()
}

// start sets the clock of an engine by what is stored in it.
func (c *clock) start(e *engine.Engine) error {
	return e.View(nil, func(tx *engine.Tx) error {
		text, ok, err := tx.Get(clockKey)
		if err != nil {
			return err
		}
		if ok {
			t, err := time.Parse(time.RFC3339Nano, string(text))
			if err != nil {
				return fmt.Errorf("stored time of the data: %w", err)
			}
			c.at.Store(&t)
			return nil
		}
		for _, err := range tx.Scan(boardKeys) {
			c.at.Store(nil)
			return err
		}
		return nil
	})
}

// serve is start for who serves a directory while the real time goes on: one without boards is in it too.
func (c *clock) serve(e *engine.Engine, log *slog.Logger) error {
	if err := c.start(e); err != nil {
		return err
	}
	switch at := c.at.Load(); at {
	case nil:
	case &dawn:
		c.at.Store(nil)
	default:
		log.Warn("the directory lives in the time of its data, which stands still", "time", at.Format(time.RFC3339))
	}
	return nil
}

// boardKeys begins the private keys of boards.
const boardKeys = "board."

// claim stores that the directory lives in the time of its data, before the first board is made: with a board and no time it would be
// taken for a game server's.
func (c *clock) claim(e *engine.Engine) error {
	if at := c.at.Load(); at != &dawn {
		return nil
	}
	return e.Update(nil, func(tx *engine.Tx) error { return c.put(tx, dawn) })
}

// move sets the clock forward to a time of the data.
func (c *clock) move(t time.Time) {
	if at := c.at.Load(); at != nil && t.After(*at) {
		c.at.Store(&t)
	}
}

// back takes a move back, of events that did not get in.
func (c *clock) back(t time.Time) {
	if c.at.Load() != nil {
		c.at.Store(&t)
	}
}

// put stores a time of the data in a transaction.
func (c *clock) put(tx *engine.Tx, t time.Time) error {
	if c.at.Load() == nil {
		return nil
	}
	return tx.Put(clockKey, t.UTC().AppendFormat(nil, time.RFC3339Nano))
}
