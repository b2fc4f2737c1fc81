package place

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// inParts is a place in a ranking in parts, as it is divided when the Place is made. While parts
// split or merge, the entry may still be in another part than the one that it is put into: leaves.
// If there is one part only, the set tells ranks; in several they are counted if the Place says so.
type inParts struct{ *Place }

func (p inParts) appendKeys(dst []string, all bool) []string {
	if all || p.Counts {
		return append(dst, p.division.Keys...)
	}
	return p.division.AppendHomes(dst, p.Member)
}

func (p inParts) open(tx *engine.Tx) (err error) {
	home, old := p.division.HomesOf(p.Member)
	if p.set, err = tx.IntSet(home, p.State.Form); err != nil {
		return err
	}
	if p.division.Sets() == 1 {
		p.ranking = p.set
	}
	if old != home {
		p.leaves, err = tx.IntSet(old, p.State.Form)
	}
	if err == nil && !p.Slot.Parts.Is(p.division) {
		err = state.ErrMoved
	}
	return err
}

func (p inParts) get() (score int64, tie []byte, ok bool) {
	if score, tie, ok = p.set.Get(p.Member); ok || p.leaves == nil {
		return score, tie, ok
	}
	return p.leaves.Get(p.Member)
}

func (p inParts) put(tie []byte, score int64) (before, after int, err error) {
	if p.ranking == nil {
		before = p.rank()
	}
	if p.leaves != nil {
		if _, err := p.leaves.Remove(p.Member); err != nil {
			return -1, -1, err
		}
	}
	moved, err := p.set.Put(p.Member, tie, score)
	if p.ranking == nil {
		return before, p.rank(), err
	}
	return moved.Before, moved.After, err
}

func (p inParts) take() error {
	if p.leaves != nil {
		if _, err := p.leaves.Remove(p.Member); err != nil {
			return err
		}
	}
	_, err := p.set.Remove(p.Member)
	return err
}

func (p inParts) rank() int {
	switch {
	case p.ranking != nil:
		return oneSet(p).rank()
	case !p.Counts:
		return -1
	}
	parts, err := catalog.PartsIn(p.tx, p.Slot.Parts, p.division, p.State.Form)
	if err != nil {
		return -1
	}
	defer parts.Release()
	var l ranking.Look
	l.Begin(parts, p.State.Rules)
	row, _, _, err := l.Find(p.Name)
	if err != nil {
		return -1
	}
	return row.Rank - 1
}

// version implements kind: the versions of two parts cannot be compared.
func (p inParts) version() uint64 { return 0 }

func (p inParts) isStepDue(had bool) bool {
	switch {
	case p.Slot.Parts.Limit == 0:
		return false
	case !p.division.IsSteady():
		return true
	}
	home, _ := p.division.Homes(p.Member)
	return !had && p.division.IsFull(home, p.set.Len(), p.Slot.Parts.Limit)
}

func (p inParts) maintain(ctx context.Context) error {
	if p.Slot.Parts.Limit == 0 {
		return nil
	}
	return stepParts(ctx, p.Board, p.State, p.T, p.Slot)
}
