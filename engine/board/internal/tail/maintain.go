package tail

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/buckets"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Maintain makes the steps that a commit may have made due: the head has too many members, or the bucket of a member. Errors: those of the engine.
func Maintain(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, member []byte) error {
	s, release := begin(b, st, t, slot)
	defer release()
	moved, err := true, error(nil)
	for most, i := t.Top.N+t.Top.Reserve, 0; i < maxTrims && moved && err == nil; i++ {
		moved, err = s.trim(most)
		most = t.Top.N + t.Top.Reserve/2
	}
	if err == nil {
		number, _ := slot.Tail.Find(buckets.Hash(member))
		err = s.splitFull(number)
	}
	if err == errs.ErrAgain { // the next period has begun
		return nil
	}
	return err
}

// maxTrims is the number of trims that Maintain makes at most.
const maxTrims = 4

// Trim makes trims until the head has at most n and the reserve. Errors: those of the engine, that of ctx.
func Trim(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		moved, err := trimOnce(b, st, t, slot)
		if err == errs.ErrAgain || !moved && err == nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// trimOnce makes one trim.
func trimOnce(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (moved bool, err error) {
	s, release := begin(b, st, t, slot)
	defer release()
	return s.trim(t.Top.N + t.Top.Reserve)
}

// Refill moves the best members of the tail to the head until it has n and want more, or the tail has none. Errors: ErrAgain if the period accepts
// no results any more or the board has another state, those of the engine.
func Refill(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, want int) error {
	s, release := begin(b, st, t, slot)
	defer release()
	for {
		if done, err := s.refill(t.Top.N + max(want, t.Top.Reserve/2)); done || err != nil {
			return err
		}
	}
}

// Prepare makes a Refill if the head has no reserve left, for a transaction that cannot begin again. Errors: those of the engine.
func Prepare(b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) error {
	if _, more := slot.Tail.Best(); !more {
		return nil
	}
	var size int
	err := b.Engine().View([]string{slot.Key}, func(tx *engine.Tx) error {
		head, err := tx.IntSet(slot.Key, st.Form)
		if err == nil {
			size = head.Len()
		}
		return err
	})
	if err != nil || size > t.Top.N {
		return err
	}
	if err := Refill(b, st, t, slot, 1); err != errs.ErrAgain {
		return err
	}
	return nil
}
