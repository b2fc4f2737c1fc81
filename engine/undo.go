package engine

import (
	"strings"
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// undoLog records what members had before a transaction first changed them. A rollback restores that, and a commit writes the new state of
// these members to the log, each once however often it changed. The zero value is empty.
type undoLog struct {
	records []undoRecord
	first   [1]undoRecord       // backs records while one is enough
	pooled  *undoRecords        // backs records from the second on, while it is big enough; nil: none was taken from the pool
	index   map[string]struct{} // the members in records; filled only beyond maxSearched
	texts   strings.Builder     // backs the strings in records
}

// undoRecord is the state of a member before the transaction.
type undoRecord struct {
	member string
	had    bool  // the set had the member; otherwise the rest is zero
	score  int64 // as zset.As shows it
	tie    string
}

// maxSearched is the number of records up to which a member is searched for without an index.
const maxSearched = 16

// undoRecords is memory for the records of one transaction of a pipeline. The pool hands it from transaction to transaction.
type undoRecords [2 * maxSearched]undoRecord

var recordsPool = sync.Pool{New: func() any { return new(undoRecords) }}

// release gives pooled memory back. The log must not be used any more.
func (l *undoLog) release() {
	if l.pooled != nil {
		clear(l.pooled[:])
		recordsPool.Put(l.pooled)
		l.pooled, l.records = nil, nil
	}
}

// record records a member's present state, unless the log has the member already. O(1).
func (l *undoLog) record(v *zset.IntView, member []byte) {
	if l.has(member) {
		return
	}
	score, tie, had := v.Get(member)
	l.add(member, tie, score, had)
}

// recordAll records members whose present states are these entries, but for members that the log has already. O(entries).
func (l *undoLog) recordAll(entries []zset.IntEntry) {
	for _, e := range entries {
		if !l.has(e.Member) {
			l.add(e.Member, e.Tie, e.Score, true)
		}
	}
}

// add appends a record of a member that the log does not have.
func (l *undoLog) add(member, tie []byte, score int64, had bool) {
	switch len(l.records) {
	case 0:
		l.records = l.first[:0]
	case len(l.first):
		l.pooled = recordsPool.Get().(*undoRecords)
		l.records = append(l.pooled[:0], l.records...)
	}
	text := l.copied(member, tie)
	r := undoRecord{member: text[:len(member)], had: had, score: score, tie: text[len(member):]}
	l.records = append(l.records, r)
	if len(l.records) <= maxSearched {
		return
	}
	if l.index == nil {
		l.index = make(map[string]struct{}, 2*len(l.records))
		for _, earlier := range l.records {
			l.index[earlier.member] = struct{}{}
		}
	}
	l.index[r.member] = struct{}{}
}

// textBlock is about how much text is in one piece of memory. A piece stays in memory as long as one member in it is referenced.
const textBlock = 1 << 10

// copied returns a string of a member and its tie. Strings of one transaction share pieces of memory.
func (l *undoLog) copied(member, tie []byte) string {
	n, b := len(member)+len(tie), &l.texts
	if b.Cap()-b.Len() < n {
		size := n
		if len(l.records) > 0 {
			size = max(n, min(8*n, textBlock))
		}
		*b = strings.Builder{}
		b.Grow(size)
	}
	from := b.Len()
	b.Write(member)
	b.Write(tie)
	return b.String()[from:]
}

// has reports whether the log has a record of a member. O(1).
func (l *undoLog) has(member []byte) bool {
	if l.index != nil {
		_, ok := l.index[string(member)]
		return ok
	}
	for i := range l.records {
		if l.records[i].member == string(member) {
			return true
		}
	}
	return false
}
