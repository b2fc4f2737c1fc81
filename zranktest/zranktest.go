// Package zranktest tests games that keep leaderboards: a database in memory, and a clock that the test moves.
//
//	db, clock := zranktest.New(t, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
//	arena, err := db.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}})
//	arena.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(15)})
//	clock.Advance(12 * time.Hour) // the day is closed
//
// # What it promises
//
//   - Time stands still between two calls of Advance and Set. A test needs neither a sleep nor a loop that waits.
//   - What is due is done when Advance and Set return: periods are closed, cohorts and awards are settled, and awards are delivered.
//   - Each is done at its own time: the clock stops at each end of a period that has members, and at each time at which an award that has failed is tried
//     again. So three days close one after the other, and what a Grant of the first submits is in the second.
//   - An error of this work ends the test. A Grant that fails does not: the test's log has a line, as awards.Award.Failures has a count.
//   - Grant runs on the goroutine that moves the clock, so that it may use the test's assertions.
//   - Databases are independent of one another, so tests may be parallel.
//
// A set of the engine that expires is gone at once, though Engine.Count may count it for a second. A test of a program that opens its database itself, in a
// directory say, gives it engine.Options.Clock and local.Options.Manual, and calls Boards.SettleDue: that is all that this package does.
package zranktest

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// Clock is the clock of a database. Now may be called from any goroutine, Advance and Set from that of the test.
type Clock struct {
	tb  testing.TB
	db  *zrank.DB
	now atomic.Pointer[time.Time]
}

// New returns a database in memory, which is closed at the end of the test, and its clock, which shows start. Warnings of the boards are in the test's log.
func New(tb testing.TB, start time.Time) (*zrank.DB, *Clock) {
	tb.Helper()
	c := &Clock{tb: tb}
	c.now.Store(&start)
	log := slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	db, err := zrank.New(&zrank.Options{Engine: engine.Options{Clock: c.Now}, Boards: local.Options{Logger: log, Manual: true}})
	if err != nil {
		tb.Fatalf("zranktest: %v", err)
	}
	c.db = db
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Errorf("zranktest: closing the database: %v", err)
		}
	})
	return db, c
}

// Now returns the time.
func (c *Clock) Now() time.Time { return *c.now.Load() }

// Advance is Set to the time d from now.
func (c *Clock) Advance(d time.Duration) {
	c.tb.Helper()
	c.Set(c.Now().Add(d))
}

// Set moves the clock to a time, step by step, and does what is due at each step. It also does what is due now, such as the awards of a period that CloseNow
// has closed. A clock that goes back changes nothing: what is closed stays closed.
func (c *Clock) Set(t time.Time) {
	c.tb.Helper()
	for {
		c.settle()
		next, ok := c.db.Boards().NextDue()
		if !ok || !next.Before(t) {
			break
		}
		next = next.In(t.Location())
		c.now.Store(&next)
	}
	c.now.Store(&t)
	c.settle()
}

// settle does what is due.
func (c *Clock) settle() {
	c.tb.Helper()
	_, err := c.db.Boards().SettleDue(c.tb.Context())
	if err == nil {
		err = c.db.Boards().CountDue(c.tb.Context())
	}
	if err != nil {
		c.tb.Fatalf("zranktest: at %s: %v", c.Now().Format(time.RFC3339), err)
	}
}
