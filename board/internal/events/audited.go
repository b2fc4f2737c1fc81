package events

import (
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/feed"
)

// auditKinds are the kinds of events of the kinds of entries in the audit log.
var auditKinds = map[audit.Kind]feed.Kind{audit.Ban: feed.Banned, audit.Unban: feed.Unbanned, audit.Hide: feed.Hidden, audit.Show: feed.Shown, audit.Revert: feed.Reverted,
	audit.Erase: feed.Erased, audit.Rename: feed.Renamed, audit.Merge: feed.Merged, audit.Correct: feed.Corrected}

// Audited writes the event of an entry that the transaction has added to the audit log with a number; some kinds of entries have none. That of an erasure has no name: the log would keep it.
func (w *Writer) Audited(entry *audit.Entry, number uint64) error {
	kind, ok := auditKinds[entry.Kind]
	if !ok {
		return nil
	}
	e := &feed.Event{Kind: kind, Member: entry.Member, Other: entry.To, By: entry.By, Audit: number, Count: len(entry.Rows)}
	if entry.Kind == audit.Erase {
		e.Member = ""
	}
	return w.Note(e)
}
