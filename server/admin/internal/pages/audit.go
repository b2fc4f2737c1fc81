package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/server/access"
)

const (
	auditShown = 200
	auditBoard = 1000 // entries of one board that are looked at beyond those that are shown
)

// Audit is the page of what moderators have done.
type Audit struct {
	Names             []string // of boards, for the filter
	Board, Member, By string
	Kind              string
	Kinds             []string
	Entries           []AuditRow // the newest first
	More              bool
}

// AuditRow is an entry and its board.
type AuditRow struct {
	Board string
	audit.Entry
}

const auditNames = 500 // names in the list of boards

func (s *Site) audit(r Request) (any, error) {
	p := Audit{Board: r.Query.Get("board"), Member: MemberOf(r.Query.Get("member")), By: r.Query.Get("by"), Kind: r.Query.Get("kind")}
	f := audit.Filter{Member: p.Member, By: p.By}
	for _, kind := range audit.Kinds() {
		p.Kinds = append(p.Kinds, string(kind))
	}
	if p.Kind != "" {
		kind, err := audit.ParseKind(p.Kind)
		if err != nil {
			return nil, err
		}
		f.Kind = kind
	}
	names, err := s.names(r)
	if err != nil {
		return nil, err
	}
	p.Names = names[:min(len(names), auditNames)]
	if p.Board != "" {
		names = []string{p.Board}
		if !slices.Contains(p.Names, p.Board) {
			p.Names = append(slices.Clone(p.Names), p.Board)
		}
	}
	for _, name := range names {
		if !r.Who.Can(access.Moderate, name) {
			return nil, ErrHidden
		}
		if err := s.appendAudit(r.Context, &p, name, f); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.Entries, func(x, y AuditRow) int { return cmp.Or(y.At.Compare(x.At), cmp.Compare(y.Number, x.Number)) })
	if len(p.Entries) > auditShown {
		p.Entries, p.More = p.Entries[:auditShown], true
	}
	return p, nil
}

// appendAudit appends the last entries of a board.
func (s *Site) appendAudit(ctx context.Context, p *Audit, name string, f audit.Filter) error {
	b, err := s.Boards.Board(ctx, name)
	if err != nil {
		if p.Board == "" {
			return nil // dropped meanwhile
		}
		return err
	}
	var last []AuditRow
	for entry, err := range b.Audit(ctx, f) {
		if err != nil {
			return err
		}
		if last = append(last, AuditRow{name, entry}); len(last) >= 2*auditBoard {
			last, p.More = append(last[:0], last[auditBoard:]...), true
		}
	}
	p.Entries = append(p.Entries, last...)
	return nil
}
