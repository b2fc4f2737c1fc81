package groups

import (
	"github.com/zrankdb/zrank/engine"
)

// Rename gives a member's place in its group to another one: see board.Groups.Rename.
func (k *Kind) Rename(member, to string) Change {
	m := &moving{k: k}
	m.check = func(s *step) error {
		switch leaves := &m.steps[0]; {
		case leaves.was == nil:
			return k.notInGroup(member)
		case member == to:
			return k.inGroup(leaves)
		case s != leaves:
			return k.mayJoin(s)
		}
		return nil
	}
	m.follow = func(tx *engine.Tx, steps []step, sources []Source) error {
		scored, each := Scored{}, len(sources)/2
		for i := range each {
			if err := sources[i].Rename(tx, &sources[each+i], steps[0].was, scored); err != nil {
				return err
			}
		}
		return nil
	}
	m.begin = func(tx *engine.Tx) error {
		g := k.g.Noted(tx, []byte(member))
		if g == nil {
			return k.notInGroup(member)
		}
		m.steps = []step{{member: member, leaves: true}, {member: to, group: g.Name}}
		return nil
	}
	return Change{k.prepare, m.do}
}
