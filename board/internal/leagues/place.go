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
// last one of its tier and of the band of its skill, or a new one. Ready has been called before.
type Observer struct{}

// AppendKeys implements catalog.Observer.
func (Observer) AppendKeys(dst []string, _ *catalog.Board, c *catalog.Change) []string {
	if c.T.HasCohorts && c.Why == feed.Submitted {
		dst = append(dst, c.Slot.CohortKey, c.T.TierKey)
	}
	return dst
}

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
	l := c.State.Spec.Leagues
	n := filling(set.IntView, tierOf(tiers, c.State, c.Member), l.Band(c.Skill), l.Size)
	_, err = set.Add(c.Member, n.score(board.Unsettled))
	return err
}

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

// PlaceAll stores the cohorts of an open period of a board that gets leagues, under their key:
// members are put together in the order of the ranking, in the lowest tier and band, hidden ones
// behind the others. from are the keys of the sets of the ranking, of a form, and hidden that
// beside it. O(n log n).
func PlaceAll(ctx context.Context, own engine.Owner, key string, size int, from []string, hidden string,
	f engine.Form) error {
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
	build, err := engine.Form{}.Builder()
	if err != nil {
		return err
	}
	i := 0
	for _, entries := range [][]zset.IntEntry{ranked, sets[len(from)].Append(nil, 0, sets[len(from)].Len())} {
		for _, e := range entries {
			if err := build.Add(e.Member, numberOf(0, 0, int64(i/size)).score(board.Unsettled)); err != nil {
				return err
			}
			i++
		}
	}
	if i == 0 {
		return nil
	}
	return own.StoreInts(ctx, key, build.Set())
}
