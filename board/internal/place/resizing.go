package place

import (
	"bytes"
	"context"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Rankings whose number of parts follows that of their members split and merge their parts. A step
// is a small transaction. Steps of a period run one after the other, while submissions go on:
//
//   - A step begins a split or a merge: it stores the layout in which some members are in one of
//     two parts. It moves none.
//   - Further steps go through the part that gives members away, some entries at a time, in the
//     order of the ranking, and move those that have another part now. A submission that changes
//     the entry of such a member moves it as well, so no entry comes to stand before the place of
//     the next step that would have to move.
//   - The step that finds no more entries also stores the layout in which the two parts are as all
//     others.
//
// A layout is changed by the transaction of the step alone, which has the two parts locked: see
// state.Parts. A step that moves entries changes no answer of any read. Steps do not wait for the
// disk: after a crash the stored layout says which parts to look into, and the next steps go
// through the part again from its first entry.
//
// A submission or a removal that finds a step due makes it after its own commit, unless another
// goroutine makes one at the moment. So parts are split and merged while the board is written to,
// and stay as they are otherwise. A closed period keeps its layout.

// partsStep is a step of one period. Nobody else makes one meanwhile.
type partsStep struct {
	b     *catalog.Board
	st    *state.State
	t     *state.Timeline
	slot  *state.Slot
	parts *state.Parts
	now   *state.Division
}

// stepParts makes a step of a period, if one is due and nobody else makes one. The caller is in no
// transaction, and holds no lock of the board. Errors: those of the engine.
func stepParts(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) error {
	release, ok := b.TryHoldState()
	if !ok { // the board is being migrated
		return nil
	}
	defer release()
	if !slot.Parts.Steps.TryLock() {
		return nil
	}
	defer slot.Parts.Steps.Unlock()
	s := &partsStep{b, st, t, slot, slot.Parts, slot.Parts.Now()}
	var err error
	if s.now.IsSteady() {
		err = s.begin(ctx)
	} else {
		err = s.move(ctx)
	}
	if err == state.ErrAgain { // the period accepts no results any more, or the board has another state
		return nil
	}
	return err
}

// begin begins a split or a merge, if one is due.
func (s *partsStep) begin(ctx context.Context) error {
	p, tx, err := catalog.OpenParts(ctx, s.b.Owner(), s.parts, s.st.Form)
	if err != nil {
		return err
	}
	members := p.Len()
	s.b.Owner().EndView(tx)
	p.Release()
	l, ok := s.now.Next(members, s.parts.Limit)
	if !ok {
		return nil
	}
	s.parts.Next = state.Position{}
	next := s.parts.Under(l)
	return s.run(ctx, next, func(tx *engine.Tx, from, to *engine.IntSet) error { return s.store(tx, next) })
}

// run runs the transaction of a step, with the parts between which members move under a division.
func (s *partsStep) run(ctx context.Context, d *state.Division, fn func(tx *engine.Tx, from, to *engine.IntSet) error) error {
	i, j := d.Move()
	err := s.b.Owner().UpdateLater(ctx, []string{d.Keys[i], d.Keys[j]}, func(tx *engine.Tx) error {
		if err := s.b.CheckWritable(s.st); err != nil {
			return err
		}
		if !s.t.Accepts(s.slot, tx.Now()) {
			return state.ErrAgain
		}
		from, err := tx.IntSet(d.Keys[i], s.st.Form)
		if err != nil {
			return err
		}
		to, err := tx.IntSet(d.Keys[j], s.st.Form)
		if err != nil {
			return err
		}
		return fn(tx, from, to)
	})
	s.parts.End(err == nil || s.isStored())
	return err
}

// isStored reports whether the transaction of a step that returned an error was committed all the
// same, with another layout: see engine.ErrStalled.
func (s *partsStep) isStored() bool {
	d := s.parts.Pending()
	if d == nil {
		return false
	}
	text, err := s.b.Env().Stored(s.key())
	return err == nil && string(text) == d.String()
}

// key returns the key of the layout.
func (s *partsStep) key() string {
	return boardkey.Layout(s.st.Name, s.t.Window.Name, s.slot.Name, s.st.Version)
}

// move moves members between the parts, if any of the next entries is one that moves. Behind the
// last entry it makes the layout steady.
func (s *partsStep) move(ctx context.Context) error {
	var next state.Position
	err := s.run(ctx, s.now, func(tx *engine.Tx, from, to *engine.IntSet) error {
		next = s.parts.Next
		lo := 0
		if next.Begun {
			lo = from.Seek(next.Score, next.Text)
		}
		hi := lo + ranking.PartStep(s.parts.Limit)
		list := from.Append(nil, lo, hi)
		if hi >= from.Len() {
			if err := s.store(tx, s.parts.Under(s.now.Done())); err != nil {
				return err
			}
		}
		for _, e := range list {
			next = behind(e)
			if home, old := s.now.Homes(e.Member); home == old {
				continue
			}
			if _, err := from.Remove(e.Member); err != nil {
				return err
			}
			if _, err := to.Put(e.Member, e.Tie, e.Score); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.parts.Next = next
	}
	return err
}

// behind returns the place right behind an entry.
func behind(e zset.IntEntry) state.Position {
	return state.Position{Score: e.Score, Text: append(append(bytes.Clone(e.Tie), e.Member...), 0), Begun: true}
}

// store stores the layout of a division in a transaction that has the parts of its move locked, and
// makes it the present one.
func (s *partsStep) store(tx *engine.Tx, d *state.Division) error {
	s.parts.Begin(d)
	return tx.Put(s.key(), []byte(d.String()))
}
