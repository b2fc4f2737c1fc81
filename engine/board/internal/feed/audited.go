package feed

import "github.com/zrankdb/zrank/engine/board/internal/auditlog"

// auditKinds are the kinds of events of the kinds of entries in the audit log.
var auditKinds = map[auditlog.Kind]Kind{auditlog.Ban: Banned, auditlog.Unban: Unbanned, auditlog.Hide: Hidden, auditlog.Show: Shown, auditlog.Revert: Reverted,
	auditlog.Erase: Erased, auditlog.Rename: Renamed, auditlog.Merge: Merged, auditlog.Correct: Corrected}

// Audited writes the event of an entry that the transaction has added to the audit log with a number; some kinds of entries have none. That of an erasure has no name: the log would keep it.
func (w *Writer) Audited(entry *auditlog.Entry, number uint64) error {
	kind, ok := auditKinds[entry.Kind]
	if !ok {
		return nil
	}
	e := &Event{Kind: kind, Member: entry.Member, Other: entry.To, By: entry.By, Audit: number, Count: len(entry.Rows)}
	if entry.Kind == auditlog.Erase {
		e.Member = ""
	}
	return w.Note(e)
}
