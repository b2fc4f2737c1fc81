package structures

import (
	"bytes"
	"errors"
	"iter"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/listpack"
)

// packed is a listpack as a sorted set. It holds up to 65,535 entries; no script makes so many.
type packed struct{ list listpack.List }

// listpackMachine returns a machine of listpacks. A reopen encodes and decodes them.
func listpackMachine() machine.Machine {
	fresh := func(tieWidth int) apply.Set { return orderedSet{&packed{listpack.New(tieWidth)}, tieWidth} }
	return NewPlain(fresh, func(s apply.Set) (apply.Set, error) {
		from := s.(orderedSet).ordered.(*packed)
		encoded := from.list.AppendTo(nil)
		list, err := listpack.Decode(encoded)
		if err == nil && !bytes.Equal(list.AppendTo(nil), encoded) {
			err = errors.New("fuzz: a listpack was decoded to one with another encoding")
		}
		return orderedSet{&packed{list}, list.TieWidth()}, err
	})
}

// Len returns the number of entries.
func (p *packed) Len() int { return p.list.Len() }

func (p *packed) find(member []byte) (rank int, key uint64, tie []byte, ok bool) {
	at, rank, ok := p.list.Find(member)
	if ok {
		key, tie, _ = p.list.Entry(at)
	}
	return rank, key, tie, ok
}

func (p *packed) put(key uint64, tie, member []byte) {
	if at, _, ok := p.list.Find(member); ok {
		p.list.Replace(at, key, tie)
		return
	}
	p.list.Insert(key, tie, member)
}

func (p *packed) remove(member []byte) {
	if at, _, ok := p.list.Find(member); ok {
		p.list.Delete(at)
	}
}

// removeRange takes the list's blocks out and adopts them again between two entries, as a caller with many lists does.
func (p *packed) removeRange(lo, hi int) {
	for range hi - lo {
		p.list.Delete(p.list.At(lo))
		block, rows := p.list.Blocks()
		p.list.Adopt(p.list.TieWidth(), block, rows)
	}
}

func (p *packed) seek(key uint64, text []byte) int { return p.list.Seek(key, text) }

func (p *packed) walk(lo, hi int) iter.Seq[keyed] {
	return func(yield func(keyed) bool) {
		for at, n := p.list.At(lo), hi-lo; n > 0; at, n = p.list.Next(at), n-1 {
			if !yield(p.entry(at)) {
				return
			}
		}
	}
}

func (p *packed) walkBack(lo, hi int) iter.Seq[keyed] {
	return func(yield func(keyed) bool) {
		for at, n := p.list.At(hi), hi-lo; n > 0; n-- {
			at = p.list.Prev(at)
			if !yield(p.entry(at)) {
				return
			}
		}
	}
}

func (p *packed) entry(at listpack.Pos) keyed {
	key, tie, member := p.list.Entry(at)
	return keyed{key, tie, member}
}
