package submit

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
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

// mayBeHidden reports whether the entry of a member in a period may be beside the ranking.
func (o openPeriod) mayBeHidden(b *catalog.Board, member string) bool {
	is, changes := b.Hides.Of([]byte(member))
	return is || changes
}

// removeHidden removes the entry of a hidden member, and returns it with its row, which has no rank; false if it has none.
func (o openPeriod) removeHidden(tx *engine.Tx, st *state.State, member string) (row board.Row, e rules.Entry, ok bool, err error) {
	at := o.placeOf(member)
	if err := at.OpenHidden(tx, st); err != nil {
		return row, e, false, err
	}
	return take(tx, st, &at)
}

// putHidden gives a hidden member an entry.
func (o openPeriod) putHidden(tx *engine.Tx, st *state.State, member string, e rules.Entry) error {
	at := o.placeOf(member)
	if err := at.OpenHidden(tx, st); err != nil {
		return err
	}
	score, tie := st.Rules.Encode(make([]byte, 0, rules.MaxTie), e)
	_, _, err := at.Put(tie, score)
	return err
}
