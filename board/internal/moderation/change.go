package moderation

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/submit"
	"github.com/zrankdb/zrank/engine"
)

// change is a call that changes a member.
type change struct {
	b      *catalog.Board
	kind   audit.Kind
	member string
	to     string // of Rename and Merge: the other member
	board.Action
	dry    *board.Moderated // of a dry run, else nil
	closed []places.Found   // the places in closed periods as ready has found them
}

// newChange checks what a call was given. Errors: ErrMember, ErrAction, engine.ErrInTx.
func newChange(b *catalog.Board, kind audit.Kind, member string, a board.Action) (*change, error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
	if member == "" || len(member) > board.MaxMember {
		return nil, board.ErrMember
	}
	if err := b.CheckSubmits(); err != nil {
		return nil, err
	}
	if err := a.Validate(kind); err != nil {
		return nil, err
	}
	c := &change{b: b, kind: kind, member: member, Action: a}
	if a.DryRun {
		c.dry = new(board.Moderated)
	}
	return c, nil
}

// perform makes the first commit of a change by calling first, which returns the job that is left, and runs the job to its end. In a dry run first returns
// errDry, and all is rolled back.
func (c *change) perform(ctx context.Context, first func() (*job, error)) (board.Moderated, error) {
	j, err := first()
	if err == errDry {
		return c.preview(ctx, j)
	}
	if err != nil {
		return board.Moderated{}, err
	}
	c.b.Env().WakeClosed() // should this goroutine not finish it
	return c.finish(ctx, j)
}

// preview completes the result of a dry run, whose first transaction has been rolled back: the stages of the job run, and roll back their transactions too.
func (c *change) preview(ctx context.Context, j *job) (board.Moderated, error) {
	unlock, err := c.b.LockModeration(ctx)
	if err != nil {
		return board.Moderated{}, err
	}
	defer unlock()
	err = (&run{b: c.b, j: j, dry: c.dry}).stages(ctx)
	return *c.dry, err
}

// put stores the job at the end of the first transaction of a change. Error: errDry in a dry run.
func (c *change) put(tx *engine.Tx, st *state.State, j *job) error {
	if c.dry != nil {
		return errDry
	}
	return j.put(tx, st.Name)
}

// ready closes the periods whose time is up, and indexes the closed ones, so that every period accepts results or is indexed. It looks up the member's places in
// closed periods, since the first commit has the sets of open periods locked.
func (c *change) ready(ctx context.Context, st *state.State) error {
	if err := closing.CloseBoard(ctx, c.b); err != nil {
		return err
	}
	if err := closing.CloseBehind(ctx, c.b); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := places.All(ctx, c.b, st); err != nil {
		return err
	}
	return c.b.Engine().View(ctx, func(tx *engine.Tx) (err error) {
		c.closed, err = places.InTx(c.b.Owner(), tx, st, c.member)
		return err
	})
}

// remove removes the member from the open periods, and stores the entry of the audit log, a job for the closed ones, and what also adds, in the same commit.
// closed are the places in closed periods.
func (c *change) remove(ctx context.Context, also func(tx *engine.Tx, st *state.State, j *job) error) (j *job, err error) {
	err = c.b.Retry(func(st *state.State) error {
		if err := c.ready(ctx, st); err != nil {
			return err
		}
		why := feed.Banned
		if c.kind == audit.Erase {
			why = feed.Erased
		}
		_, err := submit.RemoveAnd(ctx, c.b, st, c.member, why, func(tx *engine.Tx, removed []board.Removed) error {
			j, err = c.begin(tx, st, auditlog.New(c.kind, c.member, c.Action), removedPlaces(removed), &remover)
			if err != nil {
				return err
			}
			if also != nil {
				if err := also(tx, st, j); err != nil {
					return err
				}
			}
			return c.put(tx, st, j)
		})
		return err
	})
	return j, err
}

// begin writes the entry of the audit log in the first commit of a change, unless it is a dry run, and returns its job, in which e changes the closed periods; nil: all that have
// the member change. Error: ErrAgain if a period is not indexed.
func (c *change) begin(tx *engine.Tx, st *state.State, entry audit.Entry, open []board.Place, e *editor) (j *job, err error) {
	if due, _ := places.Due(st); len(due) > 0 {
		return nil, state.ErrAgain
	}
	number := uint64(0)
	if c.dry != nil {
		*c.dry = board.Moderated{Places: open}
	} else if number, err = c.log(tx, st, entry, open); err != nil {
		return nil, err
	}
	closed := c.closed
	if e != nil {
		closed = e.choose(slices.Clone(closed))
	}
	return &job{Entry: number, Kind: c.kind, Member: []byte(c.member), Reason: c.Reason, KeepRanks: c.KeepRanks, Total: len(closed)}, nil
}

// log writes the entry of the audit log and its event, and moves the watch of a member that is erased or gets another name.
func (c *change) log(tx *engine.Tx, st *state.State, entry audit.Entry, places []board.Place) (number uint64, err error) {
	if number, err = auditlog.Add(tx, st.Name, entry, places); err != nil {
		return 0, err
	}
	switch entry.Kind {
	case audit.Erase, audit.Rename, audit.Merge:
		if err := c.b.MoveWatch(tx, c.member, entry.To); err != nil {
			return 0, err
		}
	}
	w := c.b.Events(tx, st)
	return number, w.Audited(&entry, number)
}

// finish runs the job of a change to its end, and returns what the audit log says of the change.
func (c *change) finish(ctx context.Context, j *job) (r board.Moderated, err error) {
	if err := runThrough(ctx, c.b, j.Entry); err != nil {
		return board.Moderated{Entry: j.Entry}, fmt.Errorf("%w: entry %d of the audit log: it goes on in the background", err, j.Entry)
	}
	name := c.b.State().Name
	err = c.b.Engine().View(ctx, func(tx *engine.Tx) error {
		e, err := auditlog.Get(tx, name, j.Entry)
		if err == nil {
			r = board.Moderated{Entry: j.Entry, Awards: e.Awards, Hash: e.Hash, Traces: e.Traces}
			r.Places, err = auditlog.Places(tx, name, e)
		}
		return err
	})
	return r, err
}
