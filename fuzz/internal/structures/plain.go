package structures

import (
	"maps"
	"slices"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// Plain is a machine of sets in a Go map. It does what an engine does with keys, transactions and restarts, in the simplest way.
type Plain struct {
	oracle.Values
	sets   map[string]apply.Set
	fresh  func(tieWidth int) apply.Set
	reload func(apply.Set) (apply.Set, error) // replaces each set at a reopen; nil: a reopen does nothing
}

// NewPlain returns an empty machine. fresh makes its sets. reload replaces each set at a reopen; nil: a reopen does nothing.
func NewPlain(fresh func(int) apply.Set, reload func(apply.Set) (apply.Set, error)) *Plain {
	return &Plain{Values: oracle.Values{}, sets: map[string]apply.Set{}, fresh: fresh, reload: reload}
}

// Floats returns the set of a key, which it makes if there is none.
func (p *Plain) Floats(key string) (apply.Set, error) {
	if p.sets[key] == nil {
		p.sets[key] = p.fresh(apply.TieWidth(key))
	}
	return p.sets[key], nil
}

// Run runs a block. It restores a copy of everything after a transaction that is rolled back.
func (p *Plain) Run(b script.Block) (replies []string, err error) {
	rollback := func() {}
	if b.RolledBack() {
		rollback = p.Save()
	}
	for _, op := range b.Ops {
		replies = append(replies, apply.Op(p, op))
	}
	rollback()
	return replies, nil
}

// Save returns a function that restores the present contents.
func (p *Plain) Save() (restore func()) {
	values, saved := maps.Clone(p.Values), map[string][]zset.Entry{}
	for key, s := range p.sets {
		saved[key] = s.Append(nil, 0, s.Len())
	}
	return func() {
		p.Values, p.sets = values, map[string]apply.Set{}
		for key, entries := range saved {
			s := p.fresh(apply.TieWidth(key))
			for _, e := range entries {
				if _, err := s.AddTied(e.Member, e.Tie, e.Score); err != nil {
					panic(err)
				}
			}
			p.sets[key] = s
		}
	}
}

// Keys returns the keys of all sets with members.
func (p *Plain) Keys() ([]string, error) {
	sets := maps.Clone(p.sets)
	maps.DeleteFunc(sets, func(_ string, s apply.Set) bool { return s.Len() == 0 })
	return slices.Sorted(maps.Keys(sets)), nil
}

// Between reloads every set if the operation is reopen. Errors: those of reload.
func (p *Plain) Between(op script.Op) (err error) {
	if p.reload == nil || op.Kind != "reopen" {
		return nil
	}
	for key, s := range p.sets {
		if p.sets[key], err = p.reload(s); err != nil {
			return err
		}
	}
	return nil
}

// Does reports whether a kind of operation does anything.
func (p *Plain) Does(kind string) bool {
	return kind == "reopen" && p.reload != nil || !slices.Contains(machine.DiskKinds, kind)
}

// Close does nothing.
func (p *Plain) Close() error { return nil }

// BareSet gives a zset.Set the changes of an engine.Set.
type BareSet struct{ *zset.Set }

// Remove removes a member.
func (s BareSet) Remove(member []byte) (removed bool, err error) { return s.Set.Remove(member), nil }

// RemoveRange removes the entries with ranks [lo, hi).
func (s BareSet) RemoveRange(lo, hi int) (int, error) { return s.Set.RemoveRange(lo, hi), nil }

// PopMin removes up to n entries with the lowest scores and returns them.
func (s BareSet) PopMin(n int) ([]zset.Entry, error) { return s.Set.PopMin(nil, n), nil }

// PopMax removes up to n entries with the highest scores and returns them.
func (s BareSet) PopMax(n int) ([]zset.Entry, error) { return s.Set.PopMax(nil, n), nil }

// zsetMachine returns a machine of zset.Sets. A reopen encodes them as pages of a snapshot and loads these.
func zsetMachine(o zset.Options) (machine.Machine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	fresh := func(tieWidth int) apply.Set {
		o.TieWidth = tieWidth
		s, err := zset.New(o)
		if err != nil {
			panic(err)
		}
		return BareSet{s}
	}
	return NewPlain(fresh, func(s apply.Set) (apply.Set, error) {
		from := s.(BareSet).Set
		o.TieWidth = from.TieWidth()
		to, err := zset.NewBuilder(o)
		if err != nil {
			return nil, err
		}
		for i := range from.Pages() {
			if err := to.LoadPage(from.AppendPage(nil, i)); err != nil {
				return nil, err
			}
		}
		return BareSet{to.Set()}, nil
	}), nil
}
