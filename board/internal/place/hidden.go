package place

import (
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// beside is the place of a hidden member: a set beside the ranking of a period, in which entries
// have the form that they have there. They have no ranks.
type beside struct{ oneSet }

func (p beside) put(tie []byte, score int64) (before, after int, err error) {
	_, err = p.set.Put(p.Member, tie, score)
	return -1, -1, err
}

func (p beside) rank() int { return -1 }

// version implements kind: entries beside the ranking arrive in the order of those in it.
func (p beside) version() uint64 {
	switch {
	case p.roll != nil:
		return p.roll.Version()
	case p.ranking == nil || p.division != nil:
		return 0
	}
	return p.ranking.Version()
}

// HiddenKey returns the key of the set beside the ranking.
func (p *Place) HiddenKey() string { return p.T.HiddenKey(p.Slot.Name) }

// OpenHidden opens the set beside the ranking, which has the entry of a hidden member. Errors: those
// of the engine.
// The results of a rolling window that Open has opened stay open.
func (p *Place) OpenHidden(tx *engine.Tx) (err error) {
	roll := p.roll
	p.close()
	p.tx, p.isBeside, p.roll = tx, true, roll
	p.set, err = tx.IntSet(p.HiddenKey(), p.State.Form)
	return err
}

// OpenWithRanking is OpenHidden, and opens the ranking too if it is one set: for its version and
// its length; in a rolling window it removes what has left. Errors: as Open.
func (p *Place) OpenWithRanking(tx *engine.Tx) (err error) {
	if p.division != nil && !p.Slot.Parts.Is(p.division) {
		return state.ErrMoved
	}
	p.close()
	p.tx, p.isBeside = tx, true
	if p.set, err = tx.IntSet(p.HiddenKey(), p.State.Form); err != nil || !p.IsOneSet() {
		return err
	}
	if p.ranking, err = tx.IntSet(p.Slot.Key, p.State.Form); err == nil && p.T.Roll != nil {
		err = p.openResults(tx)
	}
	return err
}
