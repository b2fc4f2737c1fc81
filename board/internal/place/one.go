package place

import (
	"context"

	"github.com/zrankdb/zrank/engine"
)

// oneSet is a place in a ranking that is one set.
type oneSet struct{ *Place }

func (p oneSet) appendKeys(dst []string, _ bool) []string { return append(dst, p.Slot.Key) }

func (p oneSet) open(tx *engine.Tx) (err error) {
	p.set, err = tx.IntSet(p.Slot.Key, p.State.Form)
	p.ranking = p.set
	return err
}

func (p oneSet) get() (score int64, tie []byte, ok bool) { return p.set.Get(p.Member) }

func (p oneSet) put(tie []byte, score int64) (before, after int, err error) {
	moved, err := p.set.Put(p.Member, tie, score)
	return moved.Before, moved.After, err
}

func (p oneSet) take() error {
	_, err := p.set.Remove(p.Member)
	return err
}

func (p oneSet) rank() int {
	if rank, ok := p.set.Rank(p.Member); ok {
		return rank
	}
	return -1
}

func (p oneSet) version() uint64 { return p.set.Version() }

func (p oneSet) isStepDue(bool) bool { return false }

func (p oneSet) maintain(context.Context) error { return nil }
