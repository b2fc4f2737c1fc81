package place

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// amongBest is a place in a ranking of the best n members: package tail knows which set has the
// entry. All beyond the best n have the rank n.
type amongBest struct{ *Place }

func (p amongBest) appendKeys(dst []string, _ bool) []string {
	return append(dst, tail.BucketOf(p.Slot, p.Member).Key, p.Slot.Key)
}

func (p amongBest) open(tx *engine.Tx) (err error) {
	if err = oneSet(p).open(tx); err != nil {
		return err
	}
	p.tail = &p.memory().tail
	return p.tail.Open(tx, p.State, p.T, p.Slot, p.set, p.Member)
}

// noteEnd makes the tail learn of a change that is about to be made, when the transaction has
// ended. The memory is that of the change until then.
func (p amongBest) noteEnd() {
	if p.tail.HasPlaces() {
		p.Board.Owner().NoteEnd(p.tx, p.tail)
		p.Memory = nil
	}
}

func (p amongBest) get() (score int64, tie []byte, ok bool) { return p.tail.Get() }

func (p amongBest) put(tie []byte, score int64) (before, after int, err error) {
	p.noteEnd()
	return p.tail.Put(tie, score)
}

func (p amongBest) take() error {
	p.noteEnd()
	return p.tail.Remove()
}

func (p amongBest) rank() int { return p.tail.Rank() }

func (p amongBest) version() uint64 { return p.set.Version() }

func (p amongBest) isStepDue(bool) bool { return p.tail.IsStepDue() }

func (p amongBest) maintain(ctx context.Context) error {
	return tail.Maintain(ctx, p.Board, p.State, p.T, p.Slot, p.Member)
}
