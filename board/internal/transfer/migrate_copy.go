package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// copier writes the rankings of a board under new rules.
type copier struct {
	own       engine.Owner
	old, next *state.State
	frozen    func(rules.Entry) (rules.Entry, error) // converts the entries of closed periods and baselines
	made      []string                               // keys of rankings under the new rules
}

// copyTarget is where a copy goes.
type copyTarget struct {
	keys      []string
	parts     *state.Parts // nil: there is one key
	layout    string       // the private key of the layout of parts
	unordered bool         // entries have no order of arrival, as in parts
	first     uint64       // the arrival of the first entry to arrive
	convert   func(rules.Entry) (rules.Entry, error)
}

// targetOf returns the ranking of a period as the target of a copy. On a board with Top all entries
// go to the head: see package tail.
func targetOf(t *state.Timeline, period string) copyTarget {
	p := t.PartsOf(period)
	if p == nil {
		return copyTarget{keys: []string{t.Key(period)}}
	}
	layout := boardkey.Layout(t.Board, t.Window.Name, period, t.Version)
	return copyTarget{parts: p, keys: p.Now().Keys, layout: layout, unordered: true}
}

// hiddenOf returns the set beside the ranking of a period as the target of a copy.
func (t copyTarget) hiddenOf(line *state.Timeline, period string) copyTarget {
	t.keys, t.parts = []string{line.HiddenKey(period)}, nil
	return t
}

// builders returns a builder for each key.
func (t copyTarget) builders(f engine.Form) (all []*zset.IntBuilder, err error) {
	for range t.keys {
		b, err := f.Builder()
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// part returns the index of the key that a member goes to.
func (t copyTarget) part(member []byte) int {
	return ranking.PartOf(member, len(t.keys))
}

// layOut gives a target the parts that a number of members needs, and stores their layout, unless their number is fixed.
func (c *copier) layOut(ctx context.Context, to *copyTarget, members int) error {
	if to.parts == nil || to.parts.Limit == 0 {
		return nil
	}
	l := ranking.LayoutFor(members, to.parts.Limit)
	to.parts.Set(l)
	to.keys = to.parts.Now().Keys
	return storeKeys(ctx, c.own, []stored{{to.layout, []byte(l.String())}})
}

// copy writes a ranking under the new rules and other keys, and returns the digest of the old one,
// and the arrivals of its entries in order. The entries of hidden members arrive among those of the
// ranking, whose arrivals are given.
func (c *copier) copy(
	ctx context.Context, from []string, to copyTarget, among []uint64,
) (digest uint64, arrivals []uint64, err error) {
	z, err := catalog.CopySets(ctx, c.own, from, c.old.Form)
	if err != nil || z.Len() == 0 {
		return 0, nil, err
	}
	digest = c.own.Digest(z.View())
	if arrivals = among; arrivals == nil {
		arrivals = arrivalsOf(c.old.Rules, z)
	}
	if _, err := c.store(ctx, z, to, arrivals); err != nil {
		return 0, nil, fmt.Errorf("%q: %w", from[0], err)
	}
	return digest, arrivals, nil
}

// store stores the entries of a set under the new rules, and returns the keys of their sets.
// Arrivals become their indexes among those in order. Error: board.ErrSpec for an entry that the
// rules do not allow.
func (c *copier) store(ctx context.Context, z *zset.IntSet, to copyTarget, arrivals []uint64) ([]string, error) {
	if err := c.layOut(ctx, &to, z.Len()); err != nil {
		return nil, err
	}
	build, err := to.builders(c.next.Form)
	if err != nil {
		return nil, err
	}
	var tieArray [rules.MaxTie]byte
	n := 0
	for x := range z.Entries(0, z.Len()) {
		if n++; n%1024 == 1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := c.old.Rules.Decode(x.Score, x.Tie)
		index, _ := slices.BinarySearch(arrivals, e.Arrival)
		if to.convert != nil {
			if e, err = to.convert(e); err != nil {
				return nil, fmt.Errorf("%w: member %q: %w", board.ErrSpec, x.Member, err)
			}
		}
		if e.Arrival = to.first + uint64(index); to.unordered { // arrivals in two parts cannot be compared
			e.Arrival = 0
		}
		score, tie := c.next.Rules.Encode(tieArray[:0], e)
		if err := build[to.part(x.Member)].AddTied(x.Member, tie, score); err != nil {
			return nil, fmt.Errorf("member %q: %w", x.Member, err)
		}
	}
	c.made = append(c.made, to.keys...)
	for i, b := range build {
		if err := c.own.StoreInts(ctx, to.keys[i], b.Set()); err != nil {
			return nil, err
		}
	}
	return slices.Clone(to.keys), nil
}

// convertVacancies returns the vacancies of a closed period under the new rules, whose entries had the arrivals in order. It leaves out those whose scores the
// rules do not allow: nobody could change such a score any more to make the migration possible.
func (c *copier) convertVacancies(old ranking.Vacancies, arrivals []uint64) ranking.Vacancies {
	var all []ranking.Vacancy
	for _, v := range old {
		was := c.old.Rules.Decode(v.Score, v.Tie)
		e, err := c.frozen(was)
		if err != nil {
			continue
		}
		before, _ := slices.BinarySearch(arrivals, was.Arrival)
		if e.Arrival = uint64(before); c.next.Rules.Ties() == rules.LastToReach { // of the entry next to it, behind which it is
			e.Arrival++
		}
		v.Score, v.Tie = c.next.Rules.Encode(nil, e)
		all = append(all, v)
	}
	return ranking.NewVacancies(all)
}

// arrivalsOf returns the arrivals of the entries of sets in ascending order. The version of a new
// set begins with its number of entries, so all later arrivals are higher than the indexes of
// these.
func arrivalsOf(of *rules.Rules, sets ...*zset.IntSet) (all []uint64) {
	for _, z := range sets {
		for e := range z.Entries(0, z.Len()) {
			all = append(all, of.Decode(e.Score, e.Tie).Arrival)
		}
	}
	slices.Sort(all)
	return all
}
