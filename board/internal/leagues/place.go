package leagues

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Place puts a member into a cohort of an open period, unless it is in one: into the last cohort of its tier and of the band of its skill, or into a new one. The
// transaction has named the keys of the cohorts and of the tiers, and Ready has been called before. O(log members). Errors: those of the engine.
func Place(tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot, member []byte, skill int64) error {
	set, err := open(tx, slot.CohortKey)
	if err != nil {
		return err
	}
	if _, in := set.Score(member); in {
		return nil
	}
	tiers, err := open(tx, t.TierKey)
	if err != nil {
		return err
	}
	_, err = set.Add(member, filling(set.IntView, tierOf(tiers, st, member), st.Spec.Leagues.Band(skill), st.Spec.Leagues.Size).score(board.Unsettled))
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

// PlaceAll stores the cohorts of an open period of a board that gets leagues, under their key: members are put together in the order of the ranking, in the
// lowest tier and band. from are the keys of the sets with its entries, of a form. O(n log n).
func PlaceAll(ctx context.Context, own engine.Owner, key string, size int, from []string, f engine.Form) error {
	all, err := own.CopyAll(ctx, from, slices.Repeat([]engine.Form{f}, len(from)))
	if err != nil {
		return err
	}
	build, err := engine.Form{}.Builder()
	if err != nil {
		return err
	}
	i := 0
	for _, entries := range all {
		for e := range entries.Entries(0, entries.Len()) {
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
