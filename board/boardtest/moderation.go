package boardtest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// parseModeration reads MEMBER and the fields of an Action.
func parseModeration(call func(b board.Board, ctx context.Context, member string, do board.Action) (board.Moderated, error)) func(a *args) action {
	return func(a *args) action {
		member, do := a.word("the member"), a.moderation()
		return onBoard(func(p *player, b board.Board) (string, error) {
			got, err := call(b, context.Background(), member, do)
			return moderatedText(got), err
		})
	}
}

// unban is board.Board.Unban as the other calls are: it has no context.
func unban(b board.Board, _ context.Context, member string, do board.Action) (board.Moderated, error) {
	return b.Unban(context.Background(), member, do)
}

// parseMove reads MEMBER TO and the fields of an Action, for rename and merge.
func parseMove(call func(b board.Board, ctx context.Context, member, to string, do board.Action) (board.Moderated, error)) func(a *args) action {
	return func(a *args) action {
		member, to, do := a.word("the member"), a.word("the other member"), a.moderation()
		return onBoard(func(p *player, b board.Board) (string, error) {
			got, err := call(b, context.Background(), member, to, do)
			return moderatedText(got), err
		})
	}
}

// parseCorrect reads MEMBER WINDOW/PERIOD SCORE… [at=TIME] and the fields of an Action.
func parseCorrect(a *args) action {
	member := a.word("the member")
	var sub board.ClosedSubmission
	sub.Window, sub.Period = a.period()
	sub.Score = a.score(a.rest())
	at, do := a.momentOf("at"), a.moderation()
	return onBoard(func(p *player, b board.Board) (string, error) {
		sub.At = at(p.clock.now())
		got, err := b.Correct(context.Background(), member, sub, do)
		return moderatedText(got), err
	})
}

// moderatedText writes what a change of a member has done.
func moderatedText(m board.Moderated) string {
	text, places := "", "no places"
	if m.Entry > 0 {
		text = fmt.Sprintf("entry %d: ", m.Entry)
	}
	if len(m.Places) > 0 {
		places = placesText(m.Places)
	}
	text += places
	if m.Awards > 0 {
		text += fmt.Sprintf("; %d awards", m.Awards)
	}
	for i, t := range m.Traces {
		if i == 0 {
			text += "; erased"
		}
		text += strings.TrimRight(fmt.Sprintf(" %d %s %s", t.Count, t.Kind, t.Name), " ") + ","
	}
	return strings.TrimSuffix(text, ",")
}

// placesText writes places of a member, and what has become of them.
func placesText(places []board.Place) string {
	return list(places, func(p board.Place) string {
		return fmt.Sprintf("%s %s becomes %s", periodText(p), placeText(p.Rank, p.Score), placeText(p.NewRank, p.NewScore))
	})
}

func periodText(p board.Place) string {
	if p.Closed {
		return p.Window + "/" + p.Period + " closed"
	}
	return p.Window + "/" + p.Period
}

func placeText(rank int, score board.Score) string {
	if rank == 0 {
		return "nothing"
	}
	return fmt.Sprint(rank, " ", score)
}

// parseMember reads MEMBER.
func parseMember(a *args) action {
	member := a.word("the member")
	return onBoard(func(p *player, b board.Board) (string, error) {
		m, err := b.Member(context.Background(), member)
		var words []string
		if m.Banned {
			words = append(words, "banned")
		}
		for _, h := range m.Windows {
			for _, x := range h.Places {
				text := periodText(x) + " " + placeText(x.Rank, x.Score)
				if x.Hidden {
					text = fmt.Sprintf("%s hidden %v", periodText(x), x.Score)
				}
				words = append(words, text)
			}
			if h.BestRank.Rank > 0 {
				words = append(words, fmt.Sprintf("best of %s %d in %s, %v in %s", h.Window, h.BestRank.Rank, h.BestRank.Period, h.BestScore.Score, h.BestScore.Period))
			}
		}
		if len(words) == 0 {
			words = append(words, "nothing")
		}
		return strings.Join(words, "; "), err
	})
}

// parseAudit reads [member=MEMBER] [by=NAME] [kind=KIND] [since=TIME].
func parseAudit(a *args) action {
	var f audit.Filter
	f.Member, _ = a.option("member")
	f.By, _ = a.option("by")
	kind, _ := a.option("kind")
	f.Kind = audit.Kind(kind)
	since := a.momentOf("since")
	return onBoard(func(p *player, b board.Board) (string, error) {
		f.Since = since(p.clock.now())
		var all []audit.Entry
		for e, err := range b.Audit(context.Background(), f) {
			if err != nil {
				return "", err
			}
			all = append(all, e)
		}
		return list(all, auditText), nil
	})
}

// auditText writes an entry of the audit log.
func auditText(e audit.Entry) string {
	text := fmt.Sprintf("%d %s %s %s", e.Number, e.At.Format(time.RFC3339), e.Kind, auditName(e.Member, e.Hash))
	if e.To != "" || e.ToHash != "" {
		text += " to " + auditName(e.To, e.ToHash)
	}
	text += " by " + quote(e.By)
	if e.Reason != "" {
		text += " for " + quote(e.Reason)
	}
	if e.Places > 0 {
		text += fmt.Sprintf(" places %d", e.Places)
	}
	if e.Awards > 0 {
		text += fmt.Sprintf(" awards %d", e.Awards)
	}
	if !e.Done {
		text += " not done"
	}
	return text
}

// auditName writes a member of the audit log; the hash of an erased one is another in each store.
func auditName(member, hash string) string {
	if member == "" && hash != "" {
		return "HASH"
	}
	return quote(member)
}

// moderation takes the fields of an Action.
func (a *args) moderation() (do board.Action) {
	do.By, _ = a.option("by")
	do.Reason, _ = a.option("reason")
	dry, _ := a.option("dry")
	do.DryRun = dry == "true"
	return do
}
