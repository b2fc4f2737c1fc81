package transfer

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// copier writes the rankings of a board under new rules.
type copier struct {
	b         *catalog.Board
	old, next *state.State
	frozen    func(rules.Entry) (rules.Entry, error) // converts the entries of closed periods and baselines
	made      []string                               // keys of rankings under the new rules
}

// target is where a copy goes.
type copyTarget struct {
	keys      []string
	parts     *state.Parts // nil: there is one key
	layout    string       // the private key of the layout of parts
	unordered bool         // entries have no order of arrival, as in parts
	first     uint64       // the arrival of the first entry to arrive
	convert   func(rules.Entry) (rules.Entry, error)
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
	return c.b.Owner().Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(to.layout, []byte(l.String())) })
}

// copy writes a ranking under the new rules and other keys, and returns the digest of the old one, and the arrivals of its entries in order. The entries of
// hidden members arrive among those of the ranking, whose arrivals are given.
func (c *copier) copy(ctx context.Context, from []string, to copyTarget, among []uint64) (digest uint64, arrivals []uint64, err error) {
	z, err := catalog.CopySets(ctx, c.b.Owner(), from, c.old.Form)
	if err != nil || z.Len() == 0 {
		return 0, nil, err
	}
	digest = c.b.Owner().Digest(z.View())
	if err := c.layOut(ctx, &to, z.Len()); err != nil {
		return 0, nil, err
	}
	build, err := to.builders(c.next.Form)
	if err != nil {
		return 0, nil, err
	}
	if arrivals = among; arrivals == nil {
		arrivals = c.arrivals(z)
	}
	var tieArray [rules.MaxTie]byte
	for batch := range batches(z) {
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		for _, x := range batch {
			old := c.old.Rules.Decode(x.Score, x.Tie)
			e, err := to.convert(old)
			if err != nil {
				return 0, nil, fmt.Errorf("%w: %q: member %q: %w", board.ErrSpec, from[0], x.Member, err)
			}
			index, _ := slices.BinarySearch(arrivals, old.Arrival)
			if e.Arrival = to.first + uint64(index); to.unordered {
				e.Arrival = 0
			}
			score, tie := c.next.Rules.Encode(tieArray[:0], e)
			if err := build[to.part(x.Member)].AddTied(x.Member, tie, score); err != nil {
				return 0, nil, fmt.Errorf("%q: member %q: %w", from[0], x.Member, err)
			}
		}
	}
	c.made = append(c.made, to.keys...)
	for i, b := range build {
		if err := c.b.Owner().StoreInts(ctx, to.keys[i], b.Set()); err != nil {
			return 0, nil, err
		}
	}
	return digest, arrivals, nil
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

// batches iterates over the entries of a set, 1024 at a time. It reuses the slice that it yields.
func batches(z *zset.IntSet) iter.Seq[[]zset.IntEntry] {
	return func(yield func([]zset.IntEntry) bool) {
		const step = 1024
		var batch []zset.IntEntry
		for lo := 0; lo < z.Len(); lo += step {
			if batch = z.Append(batch[:0], lo, lo+step); !yield(batch) {
				return
			}
		}
	}
}

// arrivals returns the arrivals of a set's entries in ascending order. copy replaces an arrival by its index in this slice, or by 0 in parts. The version of
// the new set begins with its number of entries, so all later arrivals are higher than these.
func (c *copier) arrivals(z *zset.IntSet) []uint64 {
	all := make([]uint64, 0, z.Len())
	for batch := range batches(z) {
		for _, x := range batch {
			all = append(all, c.old.Rules.Decode(x.Score, x.Tie).Arrival)
		}
	}
	slices.Sort(all)
	return all
}
