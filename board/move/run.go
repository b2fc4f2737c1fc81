package move

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// How a board moves:
//
//  1. The target makes a board that nobody sees yet, and the source begins to note which members
//     change.
//  2. Every period is copied, the closed ones too, and the Once keys. Then the members that have
//     changed meanwhile are copied again, until they are few.
//  3. Every entry is compared with the source.
//  4. The source holds its changes: they wait. What has changed since is copied and compared, and
//     the numbers of members of all periods are compared.
//  5. The source stores that the board leaves. From now on it refuses every call with a
//     *board.RelocatedError, after a restart too.
//  6. The target opens the board, and the source stores that it has left.
//
// If the source does not know all changes any more, in step 4 too, the move begins again at step 2,
// twice at most. Invariants RL1 to RL3 are in package relocation.

const (
	manyRounds = 20  // after so many, changes wait however many there are
	fewChanges = 200 // with so few left, changes wait
	manyCopies = 3   // how often everything is copied if changes are not known any more
)

// run moves a board.
func run(ctx context.Context, name string, from, to relocation.Store, o Options) (r Report, err error) {
	r.Board = name
	src, err := from.Source(ctx, name)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, src.Close(context.WithoutCancel(ctx))) }()
	leaves := src.LeavesTo()
	if r.Resumed = leaves != (relocation.Destination{}); r.Resumed {
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
	return r, m.copyAndHand(ctx, relocation.Destination{Address: to.Address(), ID: tgt.ID()}, &r)
}

// checkLeftOut notes what would be left behind. Error: ErrLeftOut, unless the options allow it.
func checkLeftOut(ctx context.Context, src relocation.Source, o Options, r *Report) (err error) {
	r.LeftOut, err = src.LeftOut(ctx)
	if err == nil && len(r.LeftOut) > 0 && !o.Partial {
		err = fmt.Errorf("%w: %q has %s", ErrLeftOut, r.Board, strings.Join(r.LeftOut, ", "))
	}
	return err
}

// copyAndHand copies the board and makes it that of the target. It begins again if the source does not know all changes any more, also if it finds that while it holds them: until
// it leaves, the copy may be thrown away (RL1).
func (m *move) copyAndHand(ctx context.Context, to relocation.Destination, r *Report) (err error) {
	for range manyCopies {
		var late relocation.Changes
		if late, err = m.copyAndCompare(ctx, r); err == nil {
			err = m.hand(ctx, late, to, r)
		}
		if err != relocation.ErrFellBehind { // joined with that of Release it is final
			break
		}
	}
	return err
}

// copyAndCompare copies everything, what changes meanwhile, and compares it. It returns what has changed since the comparison began.
func (m *move) copyAndCompare(ctx context.Context, r *Report) (late relocation.Changes, err error) {
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
	late.Merge(later)
	return late, err
}

// rounds copies what has changed until that is little, and returns all of it.
func (m *move) rounds(ctx context.Context, r *Report) (all relocation.Changes, err error) {
	for range manyRounds {
		changes, err := m.from.Changed(ctx)
		if err != nil {
			return all, err
		}
		m.begin("follow", changes.Len())
		if err := m.copyChanges(ctx, changes); err != nil {
			return all, err
		}
		all.Merge(changes)
		if r.Rounds++; changes.Len() <= fewChanges {
			break
		}
	}
	return all, nil
}

// hand makes the board that of the target.
func (m *move) hand(ctx context.Context, late relocation.Changes, to relocation.Destination, r *Report) (err error) {
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
	changes.Merge(late)
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

// abort ends a move that is not complete: the board stays where it was, and what was copied is
// deleted. to may be nil if that store is gone for good. Errors: board.ErrBoardExists if the move
// is complete, ErrLeaving if the board goes to another store.
func abort(ctx context.Context, name string, from, to relocation.Store) (err error) {
	src, err := from.Source(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close(ctx)) }()
	if to == nil {
		return src.Stay(ctx)
	}
	leaves := src.LeavesTo()
	if leaves != (relocation.Destination{}) {
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
