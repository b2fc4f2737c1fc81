package moderation

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine"
)

// A call that was interrupted is made again. Its first commit may be there: then the member is banned, hidden, or has the new name already. The call says so
// with its error, and returns the receipt of that change, with all that was left of it done.

// undone is what ends a change of a kind: a receipt from before it is none of the present state.
var undone = map[audit.Kind]audit.Kind{audit.Ban: audit.Unban, audit.Unban: audit.Ban, audit.Hide: audit.Show, audit.Show: audit.Hide}

// orAgain is perform. If that returns already, the error of a change that has been made, it returns the receipt of that change too.
func (c *change) orAgain(ctx context.Context, already error, first func() (*job, error)) (board.Moderated, error) {
	r, err := c.perform(ctx, first)
	if c.dry != nil || !errors.Is(err, already) {
		return r, err
	}
	e, failed := c.newest(ctx)
	if failed == nil && e.Number > 0 {
		r, failed = c.finish(ctx, &job{Entry: e.Number})
	}
	if failed != nil {
		err = errors.Join(err, failed)
	}
	return r, err
}

// newest returns the newest entry of the audit log that is of the kind of the change and about its members, the zero entry if there is none, or one that undoes it
// is newer. O(entries since).
func (c *change) newest(ctx context.Context) (found audit.Entry, err error) {
	name := c.b.State().Name
	err = c.b.Engine().View(ctx, func(tx *engine.Tx) error {
		last, err := auditlog.Last(tx, name)
		for number := last; number > 0 && err == nil; number-- {
			var e audit.Entry
			if e, err = auditlog.Get(tx, name, number); err != nil || e.Member != c.member || e.To != c.to {
				continue
			}
			switch e.Kind {
			case c.kind:
				found = e
				return nil
			case undone[c.kind]:
				return nil
			}
		}
		return err
	})
	return found, err
}
