package leagues

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Observer puts a member that gets its first entry of a period by a submission into a cohort: the
// last one of its tier and of the band of its skill, or a new one; or into the queue (CO4).
type Observer struct{}

// Changed implements catalog.Observer. O(log members).
func (Observer) Changed(tx *engine.Tx, _ *catalog.Board, c *catalog.Change) error {
	if !c.T.HasCohorts || c.Why != feed.Submitted || c.Had {
		return nil
	}
	set, err := open(tx, c.Slot.CohortKey)
	if err != nil {
		return err
	}
	if _, in := set.Score(c.Member); in {
		return nil
	}
	tiers, err := open(tx, c.T.TierKey)
	if err != nil {
		return err
	}
	queues, err := queues(tx, c, set.IntView)
	if err != nil {
		return err
	}
	l, tier, size := c.State.Spec.Leagues, queue, 1
	if !queues {
		tier, size = tierOf(tiers, c.State, c.Member), c.State.Spec.Leagues.Size
	}
	n := filling(set.IntView, tier, l.Band(c.Skill), size)
	_, err = set.Add(c.Member, n.score(board.Unsettled))
	return err
}

// queues reports whether a member is put into the queue: others are in it, an earlier period is
// open, or a cohort of the member there is not settled. Then the queue is emptied after this
// transaction, which has the set of the period locked.
func queues(tx *engine.Tx, c *catalog.Change, v *zset.IntView) (bool, error) {
	switch {
	case c.T.IsReady(c.Slot):
		return false, nil
	case hasQueue(v) || !c.T.IsNext(c.Slot):
		return true, nil
	}
	for _, p := range c.T.Promoting() {
		set, err := open(tx, c.T.CohortKey(p.Period))
		if err != nil {
			return false, err
		}
		score, in := set.Score(c.Member)
		if _, o := split(score); in && o == board.Unsettled {
			return true, nil
		}
	}
	return false, nil
}

// hasQueue reports whether members are in the queue of a period.
func hasQueue(v *zset.IntView) bool { return v.Seek(numberOf(queue, 0, 0).score(0), nil) < v.Len() }

// filling returns the cohort of a tier and band that takes the next member.
func filling(v *zset.IntView, tier, band, size int) number {
	end := v.Seek(numberOf(tier, band+1, 0).score(0), nil)
	for _, score := range v.Range(end-1, end) {
		n, _ := split(score)
		switch {
		case n.tier() != tier || n.band() != band:
		case end-v.Seek(n.score(0), nil) < size:
			return n
		default:
			return n + 1
		}
	}
	return numberOf(tier, band, 0)
}

// QueueAll stores the members of an open period of a board that gets leagues as its queue, under
// the key of its cohorts: in the order of the ranking, in the lowest band, hidden ones behind the
// others. from are the keys of the sets of the ranking, of a form, and hidden that beside it.
// O(n log n).
func QueueAll(ctx context.Context, own engine.Owner, key string, from []string, hidden string, f engine.Form) error {
	sets, err := own.CopyAll(ctx, append(from, hidden), slices.Repeat([]engine.Form{f}, len(from)+1))
	if err != nil {
		return err
	}
	var ranked []zset.IntEntry
	for _, set := range sets[:len(from)] {
		ranked = append(ranked, set.Append(nil, 0, set.Len())...)
	}
	slices.SortFunc(ranked, func(a, b zset.IntEntry) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), bytes.Compare(a.Tie, b.Tie), bytes.Compare(a.Member, b.Member))
	})
	ranked = sets[len(from)].Append(ranked, 0, sets[len(from)].Len())
	if len(ranked) == 0 {
		return nil
	}
	build, err := engine.Form{}.Builder()
	if err != nil {
		return err
	}
	for i, e := range ranked {
		if err := build.Add(e.Member, numberOf(queue, 0, int64(i)).score(board.Unsettled)); err != nil {
			return err
		}
	}
	return own.StoreInts(ctx, key, build.Set())
}
