package boardcmd

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// moderates are the flags of commands that change what a board keeps of a member.
const moderates = command.Write | command.Moderate | command.NoMulti

// verb changes what a board keeps of a member.
type verb func(of board.Board, ctx context.Context, member string, a board.Action) (board.Moderated, error)

// moderate returns the command NAME name member [REASON text] [KEEPRANKS] [DRYRUN], without KEEPRANKS unless keep is set.
func (b *commands) moderate(keep bool, do verb) func(c *session.Client, a [][]byte) error {
	return func(c *session.Client, a [][]byte) error {
		action, err := parseAction(c, a[3:], keep)
		if err != nil {
			return err
		}
		of, err := b.find(c.Host.Work, a[1])
		if err != nil {
			return err
		}
		m, err := do(of, c.Host.Ctx, string(a[2]), action)
		if err == nil {
			writeModerated(&c.Out, m, action.DryRun)
		}
		return err
	}
}

// moderateTwo returns the command NAME name member other [REASON text] [DRYRUN]. other is another member, or a tier.
func (b *commands) moderateTwo(do func(of board.Board, ctx context.Context, member, other string, a board.Action) (board.Moderated, error)) func(
	c *session.Client, a [][]byte) error {
	return func(c *session.Client, a [][]byte) error {
		one := b.moderate(false, func(of board.Board, ctx context.Context, member string, action board.Action) (board.Moderated, error) {
			return do(of, ctx, member, string(a[3]), action)
		})
		return one(c, append(a[:3:3], a[4:]...))
	}
}

// parseAction reads [REASON text] [KEEPRANKS] [DRYRUN], in any order. The action is that of the client's user.
func parseAction(c *session.Client, words [][]byte, keep bool) (board.Action, error) {
	a := board.Action{By: c.User.Name}
	for ; len(words) > 0; words = words[1:] {
		switch command.Upper(string(words[0])) {
		case "DRYRUN":
			a.DryRun = true
		case "KEEPRANKS":
			if !keep {
				return a, command.ErrSyntax
			}
			a.KeepRanks = true
		case "REASON":
			if len(words) == 1 {
				return a, command.ErrSyntax
			}
			a.Reason, words = string(words[1]), words[1:]
		default:
			return a, command.ErrSyntax
		}
	}
	return a, nil
}

// writeModerated writes how much has changed, and in a dry run which places would. After a change the reply is short, so that it is never too large.
func writeModerated(w *wire.Writer, m board.Moderated, dry bool) {
	w.Map(3 + int(command.Bit(dry)))
	writeCounts(w, m)
	if dry {
		writeChanged(w, "changes", m.Places)
	}
}

// writeCounts writes the number of the entry in the audit log, and how many places and awards have changed.
func writeCounts(w *wire.Writer, m board.Moderated) {
	writeEntryNumber(w, m.Entry)
	w.BulkString("places")
	w.Int(int64(len(m.Places)))
	w.BulkString("awards")
	w.Int(int64(m.Awards))
}

// writeEntryNumber writes the number of an entry of the audit log, null in a dry run.
func writeEntryNumber(w *wire.Writer, number uint64) {
	w.BulkString("entry")
	if number == 0 {
		w.Null()
		return
	}
	w.Int(int64(number))
}

// leastPlace is less than the number of bytes of a place.
const leastPlace = 100

// writeChanged writes places under a name, "" for none, as far as the reply has room for them.
func writeChanged(w *wire.Writer, name string, places []board.Place) {
	if name != "" {
		w.BulkString(name)
	}
	if !w.Expect(len(places), leastPlace) {
		return
	}
	w.Array(len(places))
	for i := range places {
		if w.Over() != nil {
			return
		}
		writeChangedPlace(w, &places[i])
	}
}

// writeChangedPlace writes a place, with its rank and score before and after the change.
func writeChangedPlace(w *wire.Writer, p *board.Place) {
	w.Map(9)
	writeText(w, "window", p.Window)
	writeText(w, "period", p.Period)
	w.BulkString("closed")
	w.Bool(p.Closed)
	w.BulkString("hidden")
	w.Bool(p.Hidden)
	writeRank(w, "rank", board.Row{Rank: p.Rank})
	w.BulkString("score")
	w.Array(p.Score.Len())
	writeScore(w, p.Score)
	writeRank(w, "new-rank", board.Row{Rank: p.NewRank})
	w.BulkString("new-score")
	w.Array(p.NewScore.Len())
	writeScore(w, p.NewScore)
	w.BulkString("moved")
	w.Int(int64(p.Moved))
}
