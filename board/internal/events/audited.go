package events

import (
	"github.com/zrankdb/zrank/board"
)

// auditKinds are the kinds of events of the kinds of entries in the audit log.
var auditKinds = map[board.AuditKind]board.EventKind{board.AuditBan: board.EventBanned, board.AuditUnban: board.EventUnbanned, board.AuditHide: board.EventHidden, board.AuditShow: board.EventShown, board.AuditRevert: board.EventReverted,
	board.AuditErase: board.EventErased, board.AuditRename: board.EventRenamed, board.AuditMerge: board.EventMerged, board.AuditCorrect: board.EventCorrected}

// Audited writes the event of an entry that the transaction has added to the audit log with a number; some kinds of entries have none. That of an erasure has no name: the log would keep it.
func (w *Writer) Audited(entry *board.AuditEntry, number uint64) error {
	kind, ok := auditKinds[entry.Kind]
	if !ok {
		return nil
	}
	e := &board.Event{Kind: kind, Member: entry.Member, Other: entry.To, By: entry.By, Audit: number, Count: len(entry.Rows)}
	if entry.Kind == board.AuditErase {
		e.Member = ""
	}
	return w.Note(e)
}
