package submit

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Closed is a closed period whose ranking is to be changed by moderation.
type Closed struct{ openPeriod }

// OfClosed returns a closed period.
func OfClosed(t *state.Timeline, r *state.Record) (c Closed, err error) {
	p, err := t.Cal.Parse(r.Period)
	if err != nil {
		return c, err
	}
	return OfSlot(t, t.SlotOf(p)), nil
}

// OfSlot returns a period.
func OfSlot(t *state.Timeline, slot *state.Slot) (c Closed) {
	c.t, c.slot = t, slot
	if c.slot.Parts != nil {
		c.division = c.slot.Parts.Now()
	}
	return c
}

// Slot returns the slot of the period.
func (c Closed) Slot() *state.Slot { return c.slot }

// IsOneSet reports whether the ranking is one set, whose key it returns.
func (c Closed) IsOneSet() (key string, ok bool) {
	return c.slot.Key, c.division == nil && c.t.Top == nil
}

// AppendKeys appends the keys of the sets that Remove needs, and with that of the set beside the ranking Move.
func (c Closed) AppendKeys(dst []string, member string) []string {
	return c.appendKeys(dst, member)
}

// Remove removes a member's entry, and returns its row with its ordinal rank, from 1. Errors: ErrMoved, ErrShort of package tail: see UnblockClosed; those of the
// engine.
func (c Closed) Remove(tx *engine.Tx, b *catalog.Board, st *state.State, member string) (row board.Row, ok bool, err error) {
	at := c.placeOf(member)
	if err := at.Open(tx, b, st, nil); err != nil {
		return row, false, err
	}
	row, _, ok, err = take(tx, st, &at)
	return row, ok, err
}

// RemoveHidden removes the entry of a hidden member, and reports whether it had one. Errors: those of the engine.
func (c Closed) RemoveHidden(tx *engine.Tx, st *state.State, member string) (ok bool, err error) {
	_, _, ok, err = c.removeHidden(tx, st, member)
	return ok, err
}

// Move hides a member in the period, or shows it there, and reports whether it had an entry. Errors: those of Remove.
func (c Closed) Move(tx *engine.Tx, b *catalog.Board, st *state.State, member string, hide bool) (ok bool, err error) {
	_, ok, err = c.move(tx, b, st, member, hide)
	return ok, err
}

// UnblockClosed makes a call begin again after what it has found in its way in closed periods: see unblock. The caller holds no lock of the board.
func UnblockClosed(ctx context.Context, err error, b *catalog.Board, st *state.State, list []Closed) error {
	all := make([]openPeriod, len(list))
	for i := range list {
		all[i] = list[i].openPeriod
	}
	return unblock(ctx, err, b, st, periodsOf(all), 2) // a merge removes one member, and the other one may leave the head
}
