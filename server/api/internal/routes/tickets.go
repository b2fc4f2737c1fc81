package routes

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/access"
)

// access.MaxMember is board.MaxMember.
const _ = uint(access.MaxMember-board.MaxMember) + uint(board.MaxMember-access.MaxMember)

// Issuing is a result that a player may submit.
type Issuing struct {
	ops.OnBoard
	Body struct {
		Member  string      `json:"member,text"`
		Score   board.Score `json:"score"`
		At      time.Time   `json:"at,omitzero" doc:"When it happened; absent: when it is submitted."`
		Meta    []byte      `json:"meta,omitzero"`
		Windows []string    `json:"windows,omitempty"`
		Skill   int64       `json:"skill,omitempty"`
		Expires time.Time   `json:"expires,omitzero" doc:"From when on it is refused; absent: as late as may be."`
	}
}

// TicketText is a ticket.
type TicketText struct {
	Ticket string `json:"ticket" doc:"What the player submits, once."`
}

// Redeeming is a ticket that a player submits.
type Redeeming struct {
	ops.OnBoard
	Body struct {
		TicketText
		Near      int `json:"near,omitempty" doc:"Asks for so many rows before the member's own and after it; near an end of the ranking there are more on the other side. Those of each window count as rows of the answer."`
		Overtaken int `json:"overtaken,omitempty" doc:"Asks for the rows of so many of the members passed."`
	}
}

// registerTickets registers the issue and the use of score tickets.
func registerTickets(r *Router) {
	const tag = "Scores"
	add(r, operation("issueTicket", "POST /v1/boards/{board}/tickets", tag, "Signs a result that the player may then submit itself, once: for games whose players report to this server"), submitter, r.issue)
	add(r, operation("redeemTicket", "POST /v1/boards/{board}/tickets/redeem", tag, "Submits the result of a ticket; one that has been used is answered as a duplicate"), readerOwn, r.redeem)
}

// ticketed returns a board that takes tickets. It must remember Once keys for as long as tickets are valid, or one could be used twice.
func (r *Router) ticketed(ctx context.Context, name string) (board.Board, error) {
	if r.Tickets == nil {
		return nil, fmt.Errorf("%w: the server has no key for tickets", board.ErrUnsupported)
	}
	b, err := r.Boards.Board(ctx, name)
	if err != nil {
		return nil, err
	}
	if kept := time.Duration(b.Spec().OnceFor); kept > 0 && kept < r.Tickets.MaxLife() {
		return nil, fmt.Errorf("%w: the board forgets what was submitted once after %v, and tickets are valid for %v", board.ErrUnsupported, kept, r.Tickets.MaxLife())
	}
	return b, nil
}

func (r *Router) issue(ctx context.Context, in *Issuing) (o TicketText, err error) {
	b, err := r.ticketed(ctx, in.Board)
	if err != nil {
		return o, err
	}
	k := access.Ticket{Board: b.Name(), Member: in.Body.Member, Windows: in.Body.Windows, Meta: in.Body.Meta, Skill: in.Body.Skill, At: in.Body.At, Expires: in.Body.Expires}
	for i := range in.Body.Score.Len() {
		k.Score = append(k.Score, in.Body.Score.At(i).String())
	}
	o.Ticket, err = r.Tickets.Issue(k)
	return o, err
}

func (r *Router) redeem(ctx context.Context, in *Redeeming) (o board.Change, err error) {
	b, err := r.ticketed(ctx, in.Board)
	if err != nil {
		return o, err
	}
	k, err := r.Tickets.Open(in.Body.Ticket)
	if err != nil {
		return o, err
	}
	if k.Board != b.Name() {
		return o, fmt.Errorf("%w: it is for another board", access.ErrTicket)
	}
	if r.drops.covers(k.Board, k.Issued) {
		return o, fmt.Errorf("%w: the board has been dropped since it was issued", access.ErrTicket)
	}
	if p := access.FromContext(ctx); p.IsPlayer() && !p.Is(k.Member) {
		return o, fmt.Errorf("%w: the ticket is another player's", access.ErrForbidden)
	} else if !p.IsPlayer() {
		if err := p.Need(access.Submit, b.Name()); err != nil {
			return o, err
		}
	}
	score, err := boardjson.ParseScore(strings.Join(k.Score, ","))
	if err != nil {
		return o, err
	}
	sub := board.Submission{Member: k.Member, Score: score, At: k.At, Once: "ticket/" + k.ID, Meta: k.Meta, Windows: k.Windows, Skill: k.Skill,
		Near: in.Body.Near, Overtaken: in.Body.Overtaken}
	if err := r.env(ctx).ChangeOf(b, sub); err != nil {
		return o, err
	}
	return b.Submit(ctx, sub)
}
