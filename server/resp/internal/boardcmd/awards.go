package boardcmd

import (
	"context"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// selection says which awards of a period BOARD.AWARDS answers.
type selection struct {
	state  *awards.State // nil: all
	member string        // "": all
	count  int           // the most
}

// parseSelection reads [STATE s] [MEMBER m] [COUNT n], in any order.
func parseSelection(words [][]byte) (o selection, err error) {
	o.count = maxRows
	for ; len(words) > 1; words = words[2:] {
		switch command.Upper(string(words[0])) {
		case "STATE":
			state, err := awards.ParseState(strings.ToLower(string(words[1])))
			if err != nil {
				return o, command.Refusal("ERR no such state '" + command.Clip(words[1], 128) + "'; there are waiting, failed, granted, withheld, expired")
			}
			o.state = &state
		case "MEMBER":
			o.member = string(words[1])
		case "COUNT":
			if o.count, err = parseRows(words[1]); err != nil {
				return o, err
			}
		default:
			return o, command.ErrSyntax
		}
	}
	if len(words) > 0 {
		return o, command.ErrSyntax
	}
	return o, nil
}

// awards is BOARD.AWARDS name window period [STATE s] [MEMBER m] [COUNT n]
func (b *commands) awards(c *session.Client, a [][]byte) error {
	o, err := parseSelection(a[4:])
	if err != nil {
		return err
	}
	found, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	var list []awards.Award
	if o.member != "" {
		list, err = o.ofMember(c.Host.Work, found, string(a[2]), string(a[3]))
	} else {
		list, err = o.ofPeriod(c.Host.Work, &c.Out, found, string(a[2]), string(a[3]))
	}
	if err != nil {
		return noWindow(found, a[2], err)
	}
	if c.Out.Over() == nil {
		writeAwards(&c.Out, list)
	}
	return nil
}

// ofPeriod returns the awards of a period that are selected. It stops when they are too many for the reply.
func (o selection) ofPeriod(ctx context.Context, w *wire.Writer, of board.Board, window, period string) (list []awards.Award, err error) {
	for a, err := range of.Awards(ctx, window, period) {
		if err != nil || len(list) == o.count || len(list)%rowsAtATime == 0 && !w.Expect(len(list), leastAward) {
			return list, err
		}
		if o.state == nil || *o.state == a.State {
			list = append(list, a)
		}
	}
	return list, nil
}

// ofMember returns the award of the member in a period, if it is selected.
func (o selection) ofMember(ctx context.Context, of board.Board, window, period string) (list []awards.Award, err error) {
	for _, err := range of.Awards(ctx, window, period) { // an error says that the period has none
		if err != nil {
			return nil, err
		}
		break
	}
	all, err := of.AwardsOf(ctx, o.member)
	for _, a := range all {
		if a.Window == window && a.Period == period && (o.state == nil || *o.state == a.State) && o.count != 0 {
			list = append(list, a)
		}
	}
	return list, err
}

// claim is BOARD.CLAIM name member [id]
func (b *commands) claim(c *session.Client, a [][]byte) error {
	if len(a) > 4 {
		return command.ErrArity("board.claim")
	}
	found, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	if len(a) == 4 {
		award, err := found.Claim(c.Host.Work, string(a[2]), string(a[3]))
		if err == nil {
			writeAward(&c.Out, award)
		}
		return err
	}
	list, err := found.Claimable(c.Host.Work, string(a[2]))
	if err == nil {
		writeAwards(&c.Out, list)
	}
	return err
}

// leastAward is less than the number of bytes of an award.
const leastAward = 150

// writeAwards writes awards, as far as the reply has room for them.
func writeAwards(w *wire.Writer, list []awards.Award) {
	w.Array(len(list))
	for _, a := range list {
		if w.Over() != nil {
			return
		}
		writeAward(w, a)
	}
}

// writeAward writes an award.
func writeAward(w *wire.Writer, a awards.Award) {
	w.Map(14)
	writeText(w, "id", a.ID)
	w.BulkString("revision")
	w.Int(int64(a.Revision))
	w.BulkString("owed")
	w.Int(a.Owed)
	writeText(w, "member", a.Member)
	writeRank(w, "rank", board.Row{Rank: a.Rank})
	w.BulkString("score") // empty in answers about one member, and where the period is not kept any more
	w.Array(a.Score.Len())
	writeScore(w, a.Score)
	writeText(w, "state", a.State.String())
	writeTiers(w, "tiers", a.Tiers)
	writeTiers(w, "had", a.Had)
	writeTiers(w, "too-much", a.TooMuch)
	writeTime(w, "expires", a.Expires)
	w.BulkString("failures")
	w.Int(int64(a.Failures))
	writeTime(w, "next", a.Next)
	w.BulkString("reason")
	if a.Reason == "" {
		w.Null()
	} else {
		w.BulkString(a.Reason)
	}
}

// writeTiers writes tiers under a name: the name and the payload of each.
func writeTiers(w *wire.Writer, name string, tiers []awards.Tier) {
	w.BulkString(name)
	w.Array(len(tiers))
	for _, t := range tiers {
		w.Array(2)
		w.BulkString(t.Name)
		w.BulkString(t.Payload)
	}
}
