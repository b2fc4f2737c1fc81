package periods

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// Check returns an error while the change of a member is in progress.
type Check func(tx *engine.Tx, boardName string) error

// moment is what to go back to: a time, or the state after a row.
type moment struct {
	isRow bool
	at    time.Time
	row   uint64
}

// call is one call for one period.
type call struct {
	moment
	b      *catalog.Board
	st     *state.State
	t      *state.Timeline
	window int // its index
	slot   *state.Slot
	period window.Period
	check  Check
}

// looked is what operators have done so far.
type looked struct {
	audits uint64          // entries of the audit log
	out    map[string]bool // members that are hidden or banned
}

// look looks what operators have done. Errors: that of check; ErrNoPeriod if the period is not kept any more.
func (c *call) look(ctx context.Context) (l looked, err error) {
	l.out = map[string]bool{}
	err = c.b.Engine().View(ctx, func(tx *engine.Tx) (err error) {
		if err := c.check(tx, c.st.Name); err != nil {
			return err
		}
		if l.audits, err = auditlog.Last(tx, c.st.Name); err != nil {
			return err
		}
		for _, prefix := range []string{boardkey.HidePrefix(c.st.Name), boardkey.BanPrefix(c.st.Name)} {
			err := catalog.EachKey(tx, prefix, func(member string, _ []byte) error {
				l.out[member] = true
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && c.t.IsClosed(c.slot) && c.t.RecordOf(c.slot.Name) == nil {
		err = fmt.Errorf("%w: %s of %q, window %s: nobody was ranked when it was closed, or it is not kept any more", board.ErrNoPeriod, c.slot.Name, c.st.Name, c.t.Window.Name)
	}
	return l, err
}

// info describes the ranking of a time: a period that was closed later was open then.
func (c *call) info(at time.Time) board.Info {
	i := c.st.Info(c.t, c.period)
	if i.Closed && i.ClosedAt.After(at) {
		i.Closed, i.ClosedAt = false, time.Time{}
	}
	return i
}
