package catalog

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board"
)

// JumpGuard notices that the clock has jumped ahead: see local.Options.MaxJump. The zero value lets it jump as it likes. Its methods but Limit may be called from
// any goroutine.
type JumpGuard struct {
	most time.Duration // 0: any
	seen atomic.Int64  // the last time that was accepted, in microseconds after 1970
}

// Limit sets how far the clock may jump. The time now is accepted.
func (g *JumpGuard) Limit(most time.Duration, now time.Time) {
	g.most = most
	g.Accept(now)
}

// Accept accepts a time, however far ahead it is.
func (g *JumpGuard) Accept(now time.Time) { g.seen.Store(now.UnixMicro()) }

// Look accepts a time, unless Check refuses it. It is called about once a second. Error: that of Check.
func (g *JumpGuard) Look(now time.Time) error {
	err := g.Check(now)
	if err == nil {
		g.Accept(now)
	}
	return err
}

// Check returns an ErrTime if a time is further ahead of the last one that was accepted than the clock may jump. O(1).
func (g *JumpGuard) Check(now time.Time) error {
	if g.most == 0 {
		return nil
	}
	seen := time.UnixMicro(g.seen.Load())
	if now.Sub(seen) <= g.most {
		return nil
	}
	return fmt.Errorf("%w: the clock has jumped from %s to %s, by more than Options.MaxJump: see Boards.CloseDue", board.ErrTime,
		seen.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
}
