package zset

import (
	"bytes"
	"iter"

	"github.com/zrankdb/zrank/zset/internal/members"
)

// Build returns a set of the entries of a sequence, in any order. It is a Builder for many members: it does not look whether a member is there while it
// takes the entries, and makes the table of members at the end, with the given number of goroutines; for ten million members that takes a third of the
// time. If a member comes several times, its last score counts, and twice is one such member; nil if there is none. Ties are 0. Errors: those of
// NewBuilder and of Builder.Add. O(n log n); it needs 16 extra bytes for each member while it runs.
func Build(o Options, workers int, entries iter.Seq2[[]byte, float64]) (s *Set, twice []byte, err error) {
	b, err := NewBuilder(o)
	if err == nil {
		twice, err = b.addAll(workers, entries)
	}
	if err != nil {
		return nil, nil, err
	}
	return b.Set(), twice, nil
}

// addAll adds all entries to an empty builder: those that a listpack takes one by one, and the others at once.
func (b *BuilderOf[S]) addAll(workers int, entries iter.Seq2[[]byte, S]) (twice []byte, err error) {
	var bulk *members.Bulk
	for member, score := range entries {
		if bulk != nil {
			if err := b.putBulk(bulk, member, score); err != nil {
				return nil, err
			}
			continue
		}
		n := b.Len()
		if err := b.Add(member, score); err != nil {
			return nil, err
		}
		if b.Len() == n {
			twice = bytes.Clone(member)
		}
		if b.core.big() != nil {
			bulk = b.core.big().table.BulkMore(workers)
		}
	}
	if bulk != nil {
		b.refs, b.walk, b.workers = nil, true, workers
		if again := bulk.Finish(); again != nil {
			twice = again
		}
	}
	return twice, nil
}

// putBulk is Add for an entry of a big set, which does not look for the member.
func (b *BuilderOf[S]) putBulk(bulk *members.Bulk, member []byte, score S) error {
	switch {
	case isNaN(score):
		return ErrNaN
	case len(member) > MaxMember:
		return ErrMemberTooLong
	case !bulk.Put(keyOf(score), zeros[:b.core.limits().tieWidth], member):
		return ErrFull
	}
	return nil
}
