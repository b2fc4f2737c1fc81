package groups

import (
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// closedPeriodOf returns the period of a derived board that follows a closed period of its source,
// and false if there is none that can follow it: no group was ranked there, it was dropped, or who was
// in which group is not known. Error: ErrAgain if it has not been closed yet.
func closedPeriodOf(b *catalog.Board, t *state.Timeline, slot *state.Slot) (p period, ok bool, err error) {
	p = period{b: b, f: b.Following(), st: b.State(), closed: true, past: true}
	if p.t, p.slot, ok = p.st.Follows(t, slot); !ok {
		return p, false, nil
	}
	if !p.t.IsClosed(p.slot) {
		isBehind := func(s *state.Slot) bool { return s.Name == p.slot.Name }
		if slices.ContainsFunc(p.t.OpenSlots(), isBehind) {
			err = state.ErrAgain
		}
		return p, false, err
	}
	_, known := b.Past(p.t.Window.Name, p.slot.Middle())
	return p, known && p.t.RecordOf(p.slot.Name) != nil, nil
}

// pastOf returns the period as the history of the kind knows it.
func (p *period) pastOf() catalog.Past {
	past, _ := p.b.Past(p.t.Window.Name, p.slot.Middle())
	return past
}

func (p *period) renamedKey(member string) string {
	return boardkey.Renamed(p.st.Name, p.t.Window.Name, p.slot.Name, member)
}

// numberThen returns the number of the group that a member was in when the period closed; 0 for
// none.
func (p *period) numberThen(tx *engine.Tx, member string) (number int64, err error) {
	stored, renamed, err := tx.Get(p.renamedKey(member))
	switch {
	case err != nil:
		return 0, err
	case renamed:
		return catalog.DecodeJoined(stored)
	}
	before, err := stays(tx, p.f.Groups.Name, member)
	if err != nil {
		return 0, err
	}
	if number, ok := before.In(p.pastOf()); ok {
		return number, nil
	}
	return joined(tx, p.f.Groups.Name, member)
}

// groupThen returns the group that a member was in when the period closed; nil for none.
func (p *period) groupThen(tx *engine.Tx, member string) (*catalog.Group, error) {
	number, err := p.numberThen(tx, member)
	if err != nil || number == 0 {
		return nil, err
	}
	return p.numberedThen(tx, number)
}

// numberedThen returns a group by its number, nil if it had been dissolved when the period closed.
func (p *period) numberedThen(tx *engine.Tx, number int64) (*catalog.Group, error) {
	if g := p.f.Groups.Numbered(number); g != nil {
		return g, nil
	}
	d, ok, err := readDissolved(tx, p.f.Groups.Name, number)
	if err != nil || !ok || !d.At.IsAfter(p.pastOf()) {
		return nil, err
	}
	return &catalog.Group{Name: d.Name, Key: []byte(d.Name), Number: number}, nil
}

// membersThen returns the members that a group had when the period closed. O(members of the group
// then and since).
func (p *period) membersThen(tx *engine.Tx, g *catalog.Group) (list []string, err error) {
	kind, all := p.f.Groups.Name, map[string]bool{}
	note := func(name string, _ []byte) error {
		all[name] = true
		return nil
	}
	for _, prefix := range []string{boardkey.StayedPrefix(kind, g.Number), p.renamedKey("")} {
		if err := catalog.EachKey(tx, prefix, note); err != nil {
			return nil, err
		}
	}
	_ = p.eachPresent(tx, g, func(name string) error { return note(name, nil) })
	for _, name := range slices.Sorted(maps.Keys(all)) {
		number, err := p.numberThen(tx, name)
		if err != nil {
			return nil, err
		}
		if number == g.Number {
			list = append(list, name)
		}
	}
	return list, nil
}

// eachPresent calls fn with the members that a group has now.
func (p *period) eachPresent(tx *engine.Tx, g *catalog.Group, fn func(name string) error) error {
	const step = 256
	var names []string
	for last := ""; ; last = names[len(names)-1] {
		names = p.f.Groups.AppendMembers(tx, names[:0], g, last, step)
		for _, name := range names {
			if err := fn(name); err != nil {
				return err
			}
		}
		if len(names) < step {
			return nil
		}
	}
}

// carry stores that a member of the period is the same under another name, and forgets that of a
// member that is erased.
func (p *period) carry(tx *engine.Tx, c *catalog.Change) error {
	if c.Why == feed.Erased {
		return tx.Delete(p.renamedKey(string(c.Member)))
	}
	if !c.Renames {
		return nil
	}
	number, err := p.numberThen(tx, string(c.Member))
	if err != nil {
		return err
	}
	if err := tx.Delete(p.renamedKey(string(c.Member))); err != nil {
		return err
	}
	return tx.Put(p.renamedKey(string(c.To)), catalog.EncodeJoined(number))
}
