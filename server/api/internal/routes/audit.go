package routes

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// AuditEntries is a page of the audit log.
type AuditEntries struct {
	Entries []audit.Entry `json:"entries" doc:"In order."`
	More    bool          `json:"more" doc:"There are more: ask again with after set to the number of the last one."`
}

// AuditOf selects entries of the audit log.
type AuditOf struct {
	OnBoard
	Member string    `query:"member" doc:"Entries about a member, also if it has been erased since."`
	By     string    `query:"by" doc:"Entries of an operator."`
	Kind   string    `query:"kind" doc:"ban, unban, hide, show, revert, erase, rename, merge, correct or tier."`
	Since  time.Time `query:"since" doc:"Entries from a time on."`
	Until  time.Time `query:"until" doc:"Entries before a time."`
	After  uint64    `query:"after" doc:"Entries with higher numbers."`
	N      int       `query:"n" default:"100" doc:"How many at most."`
	name   boardjson.Text
}

// Resolve implements huma.Resolver.
func (p *AuditOf) Resolve(huma.Context) []error { return resolve(&p.name, "member", p.Member) }

// PlacesList is the places of a member.
type PlacesList struct {
	Places []board.Place `json:"places"`
}

// JobsList is changes of closed periods that are in progress.
type JobsList struct {
	Jobs []board.Job `json:"jobs" doc:"In the order in which they began."`
}

// JournalOf selects rows of a journal.
type JournalOf struct {
	OnBoard
	Member string    `query:"member" doc:"Rows of a member."`
	Since  time.Time `query:"since" doc:"Rows that arrived then or later."`
	Before uint64    `query:"before" doc:"Rows with lower numbers: for the next page."`
	N      int       `query:"n" default:"100" doc:"How many at most."`
	name   boardjson.Text
}

// Resolve implements huma.Resolver.
func (p *JournalOf) Resolve(huma.Context) []error { return resolve(&p.name, "member", p.Member) }

// JournalRows is a page of a journal.
type JournalRows struct {
	Rows []board.JournalRow `json:"rows" doc:"Newest first."`
	More bool               `json:"more" doc:"There are more: ask again with before set to the number of the last one."`
}

// registerAudit registers reads for operators.
func registerAudit(r *Router) {
	const tag = "Moderation"
	add(r, operation("getMember", "GET /v1/boards/{board}/member", tag, "What the board has of a member: its places in all periods"), readerOwn, func(ctx context.Context, in *struct {
		OnBoard
		About
	}) (o board.Member, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return x.Member(ctx, in.memberName())
	})
	add(r, operation("listAudit", "GET /v1/boards/{board}/audit", tag, "The audit log"), moderator, r.audit)
	add(r, operation("getAuditPlaces", "GET /v1/boards/{board}/audit/{number}/places", tag, "The places that a change has changed so far"), moderator, func(ctx context.Context, in *struct {
		OnBoard
		Number uint64 `path:"number" doc:"The number of an entry of the audit log."`
	}) (o PlacesList, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		places, err := x.AuditPlaces(ctx, in.Number)
		return PlacesList{places}, err
	})
	add(r, operation("listJobs", "GET /v1/boards/{board}/jobs", tag, "Changes of closed periods that are in progress"), moderator, func(ctx context.Context, in *OnBoard) (o JobsList, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		jobs, err := x.Jobs(ctx)
		return JobsList{jobs}, err
	})
	add(r, operation("listJournal", "GET /v1/boards/{board}/journal", tag, "What was submitted, newest first"), moderator, r.journal)
}

func (r *Router) audit(ctx context.Context, in *AuditOf) (o AuditEntries, err error) {
	x, err := r.Boards.Board(ctx, in.Board)
	if err != nil {
		return o, err
	}
	f := audit.Filter{Member: string(in.name), By: in.By, Since: in.Since, Until: in.Until, After: in.After}
	if in.Kind != "" {
		if f.Kind, err = audit.ParseKind(in.Kind); err != nil {
			return o, err
		}
	}
	o.Entries, o.More, err = page(r, in.N, x.Audit(ctx, f))
	return o, err
}

func (r *Router) journal(ctx context.Context, in *JournalOf) (o JournalRows, err error) {
	x, err := r.Boards.Board(ctx, in.Board)
	if err != nil {
		return o, err
	}
	rows := x.Journal(ctx, board.JournalQuery{Member: string(in.name), Since: in.Since})
	if in.Before > 0 {
		all := rows
		rows = func(yield func(board.JournalRow, error) bool) {
			for row, err := range all {
				if (err != nil || row.Number < in.Before) && !yield(row, err) {
					return
				}
			}
		}
	}
	o.Rows, o.More, err = page(r, in.N, rows)
	return o, err
}
