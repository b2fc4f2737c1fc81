package fuzz

import (
	"maps"
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// plain is a machine of the sets of a layer below the engine, in a Go map. What an engine does for sets it does naively.
type plain struct {
	values
	sets   map[string]sortedSet
	fresh  func(tieWidth int) sortedSet
	reload func(sortedSet) (sortedSet, error) // what stands for a restart; nil: nothing
}

func newPlain(fresh func(int) sortedSet, reload func(sortedSet) (sortedSet, error)) *plain {
	return &plain{values: values{}, sets: map[string]sortedSet{}, fresh: fresh, reload: reload}
}

func (p *plain) set(key string) (sortedSet, error) {
	if p.sets[key] == nil {
		p.sets[key] = p.fresh(tieWidth(key))
	}
	return p.sets[key], nil
}

// run keeps copies of everything while a transaction that will be rolled back is under way.
func (p *plain) run(b block) (replies []string, err error) {
	rollback := func() {}
	if b.rolledBack() {
		rollback = p.save()
	}
	for _, op := range b.ops {
		replies = append(replies, apply(p, op))
	}
	rollback()
	return replies, nil
}

// save returns a function that brings everything back as it is now.
func (p *plain) save() (restore func()) {
	kept, saved := maps.Clone(p.values), map[string][]zset.Entry{}
	for key, s := range p.sets {
		saved[key] = s.Append(nil, 0, s.Len())
	}
	return func() {
		p.values, p.sets = kept, map[string]sortedSet{}
		for key, entries := range saved {
			s := p.fresh(tieWidth(key))
			for _, e := range entries {
				if _, err := s.AddTied(e.Member, e.Tie, e.Score); err != nil {
					panic(err)
				}
			}
			p.sets[key] = s
		}
	}
}

func (p *plain) keys() ([]string, error) {
	there := maps.Clone(p.sets)
	maps.DeleteFunc(there, func(_ string, s sortedSet) bool { return s.Len() == 0 })
	return slices.Sorted(maps.Keys(there)), nil
}

func (p *plain) between(op Op) (err error) {
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

func (p *plain) does(kind string) bool {
	return kind == "reopen" && p.reload != nil || !slices.Contains(aboutDisk, kind)
}

func (p *plain) close() error { return nil }

// bareSet gives a zset.Set the changes of an engine.Set.
type bareSet struct{ *zset.Set }

// Remove and what follows are those of engine.Set.
func (s bareSet) Remove(member []byte) (removed bool, err error) { return s.Set.Remove(member), nil }

func (s bareSet) RemoveRange(lo, hi int) (int, error) { return s.Set.RemoveRange(lo, hi), nil }

func (s bareSet) PopMin(n int) ([]zset.Entry, error) { return s.Set.PopMin(nil, n), nil }

func (s bareSet) PopMax(n int) ([]zset.Entry, error) { return s.Set.PopMax(nil, n), nil }

// zsetMachine makes a machine of zset.Sets under the given thresholds. It restarts through the pages of a snapshot.
func zsetMachine(o zset.Options) (machine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	fresh := func(tieWidth int) sortedSet {
		o.TieWidth = tieWidth
		s, err := zset.New(o)
		if err != nil {
			panic(err)
		}
		return bareSet{s}
	}
	return newPlain(fresh, func(s sortedSet) (sortedSet, error) {
		from := s.(bareSet).Set
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
		return bareSet{to.Set()}, nil
	}), nil
}
