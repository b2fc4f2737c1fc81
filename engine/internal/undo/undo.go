package undo

import (
	"strings"
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// Log records what members had before a transaction first changed them. A rollback restores that, and a commit writes the new state of
// these members to the log, each once however often it changed. The zero value is empty.
type Log struct {
	Records []Record
	first   [1]Record           // backs records while one is enough
	pooled  *undoRecords        // backs records from the second on, while it is big enough; nil: none was taken from the pool
	index   map[string]struct{} // the members in records; filled only beyond maxSearched
	texts   *Texts              // backs the strings in records
	follows bool                // Again has members
	again   []string            // that have changed again; all: every one with a record may have
	all     bool
}

// Follow makes the log list members that change again, for Again.
func (l *Log) Follow() { l.follows = true }

// Again walks members with a record, among them all that have changed since Follow, or the last call.
func (l *Log) Again(yield func(member string) bool) {
	again, all := l.again, l.all
	l.again, l.all = nil, false
	for _, member := range again {
		if !yield(member) {
			return
		}
	}
	if !all {
		return
	}
	for _, r := range l.Records {
		if !yield(r.Member) {
			return
		}
	}
}

// repeat notes that a member with a record changes again. A list longer than the records is of no use.
func (l *Log) repeat(member []byte) {
	switch {
	case l.all:
	case len(l.again) < len(l.Records):
		l.again = append(l.again, string(member))
	default:
		l.again, l.all = nil, true
	}
}

// Texts backs the strings of the logs of one transaction, so that they share allocations.
type Texts struct {
	b    strings.Builder
	logs int // the number of logs, for the size of the first allocation
}

// Share makes a log that has no records take its strings from t, as do others of the transaction.
func (l *Log) Share(t *Texts) {
	l.texts = t
	t.logs++
}

// Record is the state of a member before the transaction.
type Record struct {
	Member string
	Had    bool  // the set had the member; otherwise the rest is zero
	Score  int64 // as zset.As shows it
	Tie    string
}

// maxSearched is the number of records up to which a member is searched for without an index.
const maxSearched = 16

// undoRecords is memory for the records of one transaction. The pool hands it from transaction to transaction.
type undoRecords [2 * maxSearched]Record

var recordsPool = sync.Pool{New: func() any { return new(undoRecords) }}

// Release gives pooled memory back. The log must not be used any more.
func (l *Log) Release() {
	if l.pooled != nil {
		clear(l.pooled[:])
		recordsPool.Put(l.pooled)
		l.pooled, l.Records = nil, nil
	}
}

// Record records a member's present state, unless the log has the member already. O(1).
func (l *Log) Record(v *zset.IntView, member []byte) {
	if l.has(member) {
		return
	}
	score, tie, had := v.Get(member)
	l.add(member, tie, score, had)
}

// RecordOld records what a member had before a change that has been made already, unless the log has the member. O(1).
func (l *Log) RecordOld(member, tie []byte, score int64, had bool) {
	if !l.has(member) {
		l.add(member, tie, score, had)
	}
}

// RecordAll records members whose present states are these entries, except for members that the log has already. O(entries).
func (l *Log) RecordAll(entries []zset.IntEntry) {
	for _, e := range entries {
		if !l.has(e.Member) {
			l.add(e.Member, e.Tie, e.Score, true)
		}
	}
}

// add appends a record of a member that the log does not have.
func (l *Log) add(member, tie []byte, score int64, had bool) {
	switch len(l.Records) {
	case 0:
		l.Records = l.first[:0]
	case len(l.first):
		l.pooled = recordsPool.Get().(*undoRecords)
		l.Records = append(l.pooled[:0], l.Records...)
	}
	if l.texts == nil {
		l.Share(new(Texts))
	}
	text := l.texts.copied(member, tie)
	r := Record{Member: text[:len(member)], Had: had, Score: score, Tie: text[len(member):]}
	l.Records = append(l.Records, r)
	if len(l.Records) <= maxSearched {
		return
	}
	if l.index == nil {
		l.index = make(map[string]struct{}, 2*len(l.Records))
		for _, earlier := range l.Records {
			l.index[earlier.Member] = struct{}{}
		}
	}
	l.index[r.Member] = struct{}{}
}

// textBlock is about how many bytes of text share one allocation. It is freed when no string in it is referenced any more.
const textBlock = 1 << 10

// copied returns a string of a member and its tie.
func (t *Texts) copied(member, tie []byte) string {
	n, b := len(member)+len(tie), &t.b
	if b.Cap()-b.Len() < n {
		count := 8
		if b.Cap() == 0 {
			count = t.logs // most transactions change one member of each set
		}
		*b = strings.Builder{}
		b.Grow(max(n, min(count*n, textBlock)))
	}
	from := b.Len()
	b.Write(member)
	b.Write(tie)
	return b.String()[from:]
}

// has reports whether the log has a record of a member, which is about to change or has just changed. O(1).
func (l *Log) has(member []byte) bool {
	found := l.find(member)
	if found && l.follows {
		l.repeat(member)
	}
	return found
}

func (l *Log) find(member []byte) bool {
	if l.index != nil {
		_, ok := l.index[string(member)]
		return ok
	}
	for i := range l.Records {
		if l.Records[i].Member == string(member) {
			return true
		}
	}
	return false
}
