package relocation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
)

const (
	manyRounds = 20  // after so many, changes wait however many there are
	fewChanges = 200 // with so few left, changes wait
	manyCopies = 3   // how often everything is copied if changes are not known any more
)

// Run moves a board: see the package's doc.
func Run(ctx context.Context, name string, from, to Store, o Options) (r Report, err error) {
	r.Board = name
	src, err := from.Source(ctx, name)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, src.Close(context.WithoutCancel(ctx))) }()
	leaves := src.LeavesTo()
	if r.Resumed = leaves != (Destination{}); r.Resumed {
		open, err := to.Has(ctx, name, leaves.ID)
		if err != nil {
			return r, err
		}
		if r.Finished = open; open {
			return r, src.Left(ctx)
		}
	}
	if err := checkLeftOut(ctx, src, o, &r); err != nil {
		return r, err
	}
	tgt, err := to.Target(ctx, src.Spec(), leaves.ID)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, tgt.Close()) }()
	m := &move{from: src, to: tgt, o: o}
	return r, m.copyAndHand(ctx, Destination{to.Address(), tgt.ID()}, &r)
}

// checkLeftOut notes what would be left behind. Error: ErrLeftOut, unless the options allow it.
func checkLeftOut(ctx context.Context, src Source, o Options, r *Report) (err error) {
	r.LeftOut, err = src.LeftOut(ctx)
	if err == nil && len(r.LeftOut) > 0 && !o.Partial {
		err = fmt.Errorf("%w: %q has %s", ErrLeftOut, r.Board, strings.Join(r.LeftOut, ", "))
	}
	return err
}

// copyAndHand copies the board and makes it that of the target. It begins again if the source does not know all changes any more, also if it finds that while it holds them: until
// it leaves, the copy may be thrown away (RL1).
func (m *move) copyAndHand(ctx context.Context, to Destination, r *Report) (err error) {
	for range manyCopies {
		var late Changes
		if late, err = m.copyAndCompare(ctx, r); err == nil {
			err = m.hand(ctx, late, to, r)
		}
		if err != ErrFellBehind { // joined with that of Release it is final
			break
		}
	}
	return err
}

// copyAndCompare copies everything, what changes meanwhile, and compares it. It returns what has changed since the comparison began.
func (m *move) copyAndCompare(ctx context.Context, r *Report) (late Changes, err error) {
	if _, err := m.from.Changed(ctx); err != nil {
		return late, err
	}
	if err := m.copyAll(ctx); err != nil {
		return late, err
	}
	if _, err := m.rounds(ctx, r); err != nil {
		return late, err
	}
	if late, err = m.compareAll(ctx); err != nil {
		return late, err
	}
	if err := m.copyChanges(ctx, late); err != nil {
		return late, err
	}
	later, err := m.rounds(ctx, r)
	late.merge(later)
	return late, err
}

// rounds copies what has changed until that is little, and returns all of it.
func (m *move) rounds(ctx context.Context, r *Report) (all Changes, err error) {
	for range manyRounds {
		changes, err := m.from.Changed(ctx)
		if err != nil {
			return all, err
		}
		m.begin("follow", changes.Len())
		if err := m.copyChanges(ctx, changes); err != nil {
			return all, err
		}
		all.merge(changes)
		if r.Rounds++; changes.Len() <= fewChanges {
			break
		}
	}
	return all, nil
}

// hand makes the board that of the target.
func (m *move) hand(ctx context.Context, late Changes, to Destination, r *Report) (err error) {
	if err := m.from.Hold(ctx); err != nil {
		return err
	}
	defer func() {
		if failed := m.from.Release(context.WithoutCancel(ctx)); failed != nil {
			err = errors.Join(err, failed)
		}
	}()
	if err := checkLeftOut(ctx, m.from, m.o, r); err != nil { // by an operator, since the move began
		return err
	}
	changes, err := m.from.Changed(ctx)
	if err != nil {
		return err
	}
	r.Waited = changes.Len()
	m.begin("switch", changes.Len())
	if err := m.copyChanges(ctx, changes); err != nil {
		return err
	}
	changes.merge(late)
	if err := m.compareChanges(ctx, changes); err != nil {
		return err
	}
	h, err := m.from.Header(ctx)
	if err != nil {
		return err
	}
	if err := m.compareLens(ctx, h, r); err != nil {
		return err
	}
	if err := m.to.Finish(ctx, h); err != nil {
		return err
	}
	if err := m.from.Leave(ctx, to); err != nil {
		return err
	}
	if err := m.to.Open(ctx); err != nil {
		return fmt.Errorf("%w: %q: move it again: %w", ErrLeaving, r.Board, err)
	}
	r.Finished = true
	return m.from.Left(ctx)
}

// Abort ends a move that is not complete: the board stays where it was, and what was copied is deleted. to may be nil if that store is gone for good.
// Errors: board.ErrBoardExists if the move is complete, ErrLeaving if the board goes to another store.
func Abort(ctx context.Context, name string, from, to Store) (err error) {
	src, err := from.Source(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close(ctx)) }()
	if to == nil {
		return src.Stay(ctx)
	}
	leaves := src.LeavesTo()
	if leaves != (Destination{}) {
		open, err := to.Has(ctx, name, leaves.ID)
		if err != nil {
			return err
		}
		if open {
			return fmt.Errorf("%w: %q is open at %s", board.ErrBoardExists, name, to.Address())
		}
	}
	tgt, err := to.Target(ctx, src.Spec(), leaves.ID)
	if err != nil {
		return err
	}
	if err := errors.Join(tgt.Discard(ctx), tgt.Close()); err != nil {
		return err
	}
	return src.Stay(ctx)
}
