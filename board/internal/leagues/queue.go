package leagues

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// queueStep is the number of members that one commit puts from the queue into cohorts.
const queueStep = 64

// emptyQueue puts the members in the queue of a period into cohorts, and returns when that is on
// the disk. After a crash the others are still in the queue.
func (w work) emptyQueue(ctx context.Context) error {
	keys, total := []string{w.slot.CohortKey, w.t.TierKey}, 0
	for placed := queueStep; placed == queueStep; total += placed {
		begin := time.Now()
		err := w.held(func() error {
			return w.b.Owner().UpdateLater(ctx, keys, func(tx *engine.Tx) (err error) {
				placed, err = w.placeNext(tx)
				return err
			})
		})
		if err == nil && placed == queueStep {
			err = catalog.Rest(ctx, begin)
		}
		if err != nil {
			return err
		}
	}
	if total == 0 {
		return nil
	}
	return w.b.Engine().Barrier(ctx)
}

// placeNext puts the next members in the queue into cohorts, and returns their number.
func (w work) placeNext(tx *engine.Tx) (placed int, err error) {
	if err := w.b.CheckWritable(w.st); err != nil {
		return 0, err
	}
	set, err := open(tx, w.slot.CohortKey)
	if err != nil {
		return 0, err
	}
	tiers, err := open(tx, w.t.TierKey)
	if err != nil {
		return 0, err
	}
	from := set.Seek(numberOf(queue, 0, 0).score(0), nil)
	next := set.Append(nil, from, from+queueStep)
	for _, e := range next {
		n, _ := split(e.Score)
		n = filling(set.IntView, tierOf(tiers, w.st, e.Member), n.band(), w.st.Spec.Leagues.Size)
		if _, err := set.Add(e.Member, n.score(board.Unsettled)); err != nil {
			return 0, err
		}
	}
	return len(next), nil
}
