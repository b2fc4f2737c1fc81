package submit

import (
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// The entries of the hidden members of a period are in a set beside its ranking, in the form that they have there. A submission of a hidden member changes its
// entry in that set, by the same rules.

// checkHidden returns ErrMoved if the member has been hidden or shown since fill looked, or is about to be: the submission needs other keys.
func (p *plan) checkHidden() error {
	if is, changes := p.b.Hides.Of(p.member); changes || is != p.hidden {
		return errs.ErrMoved
	}
	return nil
}

// openHidden opens the set beside the ranking of window i, and the ranking too if it is one set. Errors: as open.
func (p *plan) openHidden(tx *engine.Tx, i int, o *outcome) (err error) {
	slot := p.slots[i]
	if slot.Parts != nil && !slot.Parts.Is(p.divisions[i]) {
		return errs.ErrMoved
	}
	if p.isOneSet(i) {
		if o.ranking, err = tx.IntSet(slot.Key, p.st.Form); err != nil {
			return err
		}
	}
	o.set, err = tx.IntSet(p.lines[i].HiddenKey(slot.Name), p.st.Form)
	if p.within && errors.Is(err, engine.ErrNotNamed) && catalog.HasNamed(tx, slot.Key, p.st.Form) { // the member has been hidden since
		return errs.ErrMoved
	}
	return err
}

// version returns the version of the ranking if it is one set, else that of the set that has the entry.
func (o *outcome) version() uint64 {
	if o.ranking != nil {
		return o.ranking.Version()
	}
	return o.set.Version()
}

// mayBeHidden reports whether the entry of a member in a period may be beside the ranking.
func (o openPeriod) mayBeHidden(b *catalog.Board, member string) bool {
	is, changes := b.Hides.Of([]byte(member))
	return is || changes
}

// removeHidden removes the entry of a hidden member, and returns it with its row, which has no rank; false if it has none.
func (o openPeriod) removeHidden(tx *engine.Tx, st *state.State, member string) (row board.Row, e rules.Entry, ok bool, err error) {
	set, err := tx.IntSet(o.t.HiddenKey(o.slot.Name), st.Form)
	if errors.Is(err, engine.ErrNotNamed) { // the member has been hidden since the transaction named its keys
		err = errs.ErrMoved
	}
	if err != nil {
		return row, e, false, err
	}
	score, tie, ok := set.Get([]byte(member))
	if !ok {
		return row, e, false, nil
	}
	e = st.Rules.Decode(score, tie)
	ranking.SetRow(&row, st.Rules, 0, member, &e)
	_, err = set.Remove([]byte(member))
	return row, e, true, err
}

// putHidden gives a hidden member an entry.
func (o openPeriod) putHidden(tx *engine.Tx, st *state.State, member string, e rules.Entry) error {
	set, err := tx.IntSet(o.t.HiddenKey(o.slot.Name), st.Form)
	if err != nil {
		return err
	}
	score, tie := st.Rules.Encode(make([]byte, 0, rules.MaxTie), e)
	_, err = set.Put([]byte(member), tie, score)
	return err
}
