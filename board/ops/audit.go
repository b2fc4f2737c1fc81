package ops

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// AuditEntries is a page of the audit log.
type AuditEntries struct {
	Entries []audit.Entry `json:"entries" doc:"In order."`
	More    bool          `json:"more" doc:"There are more: ask again with after set to the number of the last one."`
}

// PlacesList is the places of a member.
type PlacesList struct {
	Places []board.Place `json:"places"`
}

// JobsList is changes of closed periods that are in progress.
type JobsList struct {
	Jobs []board.Job `json:"jobs" doc:"In the order in which they began."`
}

// JournalRows is a page of a journal.
type JournalRows struct {
	Rows []board.JournalRow `json:"rows" doc:"Newest first."`
	More bool               `json:"more" doc:"There are more: ask again with before set to the number of the last one."`
}

// AuditArgs selects entries of the audit log.
type AuditArgs struct {
	OnBoard
	Member string    `query:"member,text" doc:"Entries about a member, also if it has been erased since."`
	By     string    `query:"by" doc:"Entries of an operator."`
	Kind   string    `query:"kind" doc:"ban, unban, hide, show, revert, erase, rename, merge, correct or tier."`
	Since  time.Time `query:"since" doc:"Entries from a time on."`
	Until  time.Time `query:"until" doc:"Entries before a time."`
	After  uint64    `query:"after" doc:"Entries with higher numbers."`
	N      int       `query:"n" default:"100" minimum:"0" doc:"How many at most."`
}

// EntryArgs is an entry of the audit log.
type EntryArgs struct {
	OnBoard
	Number uint64 `path:"number" doc:"The number of an entry of the audit log."`
}

// JournalArgs selects rows of a journal.
type JournalArgs struct {
	OnBoard
	Member string    `query:"member,text" doc:"Rows of a member."`
	Since  time.Time `query:"since" doc:"Rows that arrived then or later."`
	Before uint64    `query:"before" doc:"Rows with lower numbers: for the next page."`
	N      int       `query:"n" default:"100" minimum:"0" doc:"How many at most."`
}

// What operators read.
var (
	// GetMember is board.Board.Member, IsBanned and IsHidden.
	GetMember = onBoard(Op{ID: "getMember", Route: "GET /boards/{board}/member",
		Command: "BOARD.MEMBER board member", Cost: "O(P*log(P)) for P periods of the member", Heading: moderation, Own: true,
		Summary: "What the board has of a member: its places in all periods"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (board.Member, error) {
			return b.Member(ctx, a.Member)
		})
	// ListAudit is board.Board.Audit.
	ListAudit = onBoard(Op{ID: "listAudit", Route: "GET /boards/{board}/audit",
		Command: "BOARD.AUDIT board [MEMBER member] [BY by] [KIND kind] [SINCE since] [UNTIL until] [AFTER after] [COUNT n]", Cost: "O(E) for E entries", Heading: moderation, Right: ToModerate, Summary: "The audit log"},
		func(ctx context.Context, e *Env, b board.Board, a *AuditArgs) (o AuditEntries, err error) {
			f := audit.Filter{Member: a.Member, By: a.By, Since: a.Since, Until: a.Until, After: a.After}
			if a.Kind != "" {
				f.Kind, err = audit.ParseKind(a.Kind)
			}
			if err == nil {
				o.Entries, o.More, err = page(e, a.N, b.Audit(ctx, f))
			}
			return o, err
		})
	// GetAuditPlaces is board.Board.AuditPlaces.
	GetAuditPlaces = onBoard(Op{ID: "getAuditPlaces", Route: "GET /boards/{board}/audit/{number}/places",
		Command: "BOARD.AUDIT board ENTRY number", Cost: "O(P) for P places", Heading: moderation, Right: ToModerate,
		Summary: "The places that a change has changed so far"},
		func(ctx context.Context, e *Env, b board.Board, a *EntryArgs) (o PlacesList, err error) {
			o.Places, err = b.AuditPlaces(ctx, a.Number)
			return o, err
		})
	// ListJobs is board.Board.Jobs.
	ListJobs = onBoard(Op{ID: "listJobs", Route: "GET /boards/{board}/jobs",
		Command: "BOARD.JOBS board", Cost: "O(J) for J jobs", Heading: moderation, Right: ToModerate,
		Summary: "Changes of closed periods that are in progress"},
		func(ctx context.Context, e *Env, b board.Board, _ *OnBoard) (o JobsList, err error) {
			o.Jobs, err = b.Jobs(ctx)
			return o, err
		})
	// ListJournal is board.Board.Journal.
	ListJournal = onBoard(Op{ID: "listJournal", Route: "GET /boards/{board}/journal",
		Command: "BOARD.JOURNAL board [MEMBER member] [SINCE since] [BEFORE before] [COUNT n]", Cost: "O(J) for J rows of the journal", Heading: moderation, Right: ToModerate,
		Summary: "What was submitted, newest first"},
		func(ctx context.Context, e *Env, b board.Board, a *JournalArgs) (o JournalRows, err error) {
			rows := b.Journal(ctx, board.JournalQuery{Member: a.Member, Since: a.Since})
			o.Rows, o.More, err = page(e, a.N, before(a.Before, rows))
			return o, err
		})
)

// before returns the rows of a journal with numbers below one, or all of them.
func before(number uint64, all iter.Seq2[board.JournalRow, error]) iter.Seq2[board.JournalRow, error] {
	if number == 0 {
		return all
	}
	return func(yield func(board.JournalRow, error) bool) {
		for row, err := range all {
			if (err != nil || row.Number < number) && !yield(row, err) {
				return
			}
		}
	}
}
