package tail

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Maintain makes the steps that a commit may have made due: the head has too many members, or the bucket of a member. Errors: those of the engine.
func Maintain(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, member []byte) error {
	s, release := begin(b, st, t, slot)
	defer release()
	moved, err := true, error(nil)
	for most, i := t.Top.N+reserve(t, slot), 0; i < maxTrims && moved && err == nil; i++ {
		moved, err = s.trim(ctx, most)
		most = t.Top.N + reserve(t, slot)/2
	}
	if err == nil {
		number, _ := slot.Tail.Find(buckets.Hash(member))
		err = s.splitFull(ctx, number)
	}
	if err == state.ErrAgain { // the next period has begun
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
		moved, err := trimOnce(ctx, b, st, t, slot)
		if err == state.ErrAgain || !moved && err == nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// trimOnce makes one trim.
func trimOnce(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (moved bool, err error) {
	s, release := begin(b, st, t, slot)
	defer release()
	return s.trim(ctx, t.Top.N+reserve(t, slot))
}

// Refill moves the best members of the tail to the head until it has n and want more, or the tail has none. From now on heads of the period have room for
// so many. Members move in a closed period too: its ranking stays as it is. Errors: ErrAgain if the period accepts no results any more and is not closed
// yet, or the board has another state; those of the engine.
func Refill(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, want int) error {
	slot.Tail.NeedRoom(want)
	s, release := begin(b, st, t, slot)
	defer release()
	s.closed = t.IsClosed(slot)
	for {
		if done, err := s.refill(ctx, t.Top.N+max(want, reserve(t, slot)/2)); done || err != nil {
			return err
		}
	}
}

// Short makes room for more members than a transaction has found room for that cannot begin again by itself.
func Short(t *state.Timeline, slot *state.Slot) {
	slot.Tail.NeedRoom(max(2*slot.Tail.Room(), t.Top.Reserve))
}

// Prepare makes a Refill if the head has not the room that transactions have needed, for one that cannot begin again. Errors: those of the engine.
func Prepare(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) error {
	if _, more := slot.Tail.Best(); !more {
		return nil
	}
	var size int
	err := b.Engine().View(ctx, func(tx *engine.Tx) error {
		head, err := tx.IntSet(slot.Key, st.Form)
		if err == nil {
			size = head.Len()
		}
		return err
	}, slot.Key)
	want := max(slot.Tail.Room(), 1)
	if err != nil || size >= t.Top.N+want {
		return err
	}
	if err := Refill(ctx, b, st, t, slot, want); err != state.ErrAgain {
		return err
	}
	return nil
}
