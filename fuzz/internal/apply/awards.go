package apply

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// claim claims an award, and in the same transaction appends it to what is stored under script.Paid.
func claim(st State, op script.Op) string {
	b, err := st.(WithBoards).Boards().Named(op.Key)
	if err != nil {
		return boardReply("", err)
	}
	id, err := ClaimedBy(b, op)
	if err != nil {
		return boardReply("", err)
	}
	a, err := b.Claim(context.Background(), op.Member, id)
	if err != nil {
		return boardReply("", err)
	}
	paid, _, err := st.Get(script.Paid)
	if err != nil {
		return boardReply("", err)
	}
	return boardReply(awardText(a), st.Put(script.Paid, slices.Concat(paid, []byte(awardText(a)))))
}

// awardsByHand runs an operation that changes awards but for claim.
func awardsByHand(b Leaderboard, op script.Op) string {
	if op.Kind == "resettle" {
		return resettle(b, op)
	}
	id, err := ClaimedBy(b, op)
	switch {
	case err != nil:
	case op.Kind == "withhold":
		err = b.Withhold(context.Background(), id, fmt.Sprintf("doubts about %q", op.Member))
	default:
		err = b.Release(context.Background(), id)
	}
	return boardReply("", err)
}

// resettle settles a period again.
func resettle(b Leaderboard, op script.Op) string {
	n := max(op.Lo, 0)
	s, err := settled(b, n)
	if err != nil {
		return boardReply("", err)
	}
	r := awards.Resettlement{Reason: op.String(), DryRun: n%4 == 3}
	for i := n; i < min(op.Hi, len(script.Players)); i++ {
		r.Without = append(r.Without, script.Players[i])
	}
	c, err := b.Resettle(context.Background(), s.Window, s.Period, r)
	text := fmt.Sprintf("gained %d lost %d too much %d:", c.Gained, c.Lost, c.TooMuch)
	for _, x := range c.Changes {
		text += fmt.Sprintf(" %q rank %d was%s is%s granted%s to grant%s too much%s,", x.Member, x.Rank, tierNames(x.Was), tierNames(x.Is), tierNames(x.Granted),
			tierNames(x.ToGrant), tierNames(x.TooMuch))
	}
	return boardReply(text, err)
}

// settles has the methods that find a settlement.
type settles interface {
	Spec() board.Spec
	Settlements(ctx context.Context, window string) ([]awards.Settlement, error)
}

// settled returns the n-th settlement of the board's first window from the newest, round and round. Error: awards.ErrNoAward if there is none.
func settled(b settles, n int) (awards.Settlement, error) {
	list, err := b.Settlements(context.Background(), b.Spec().Windows[0].Name)
	switch {
	case err != nil:
		return awards.Settlement{}, err
	case len(list) == 0:
		return awards.Settlement{}, awards.ErrNoAward
	}
	return list[len(list)-1-n%len(list)], nil
}

// ClaimedBy returns the id of the award that an operation claims, withholds or releases. Error: awards.ErrNoAward if no period of the board's first window has awards.
func ClaimedBy(b settles, op script.Op) (string, error) {
	n, owner, revision := max(op.Lo, 0), op.Member, 1
	s, err := settled(b, n/4)
	if err != nil {
		return "", err
	}
	switch n % 4 {
	case 2:
		revision = s.Revision
	case 3:
		owner = script.Players[(slices.Index(script.Players, owner)+1)%len(script.Players)]
	}
	return AwardID(s.Board, s.Window, s.Period, revision, owner), nil
}

// AwardID returns the id of an award.
func AwardID(boardName, window, period string, revision int, member string) string {
	return strings.Join([]string{url.PathEscape(boardName), url.PathEscape(window), url.PathEscape(period), strconv.Itoa(revision), url.PathEscape(member)}, "/")
}

// awardText writes an award.
func awardText(a awards.Award) string {
	return fmt.Sprintf("%s revision %d rank %d %v%s had%s too much%s %s, ", a.ID, a.Revision, a.Rank, a.State, tierNames(a.Tiers), tierNames(a.Had), tierNames(a.TooMuch), a.Reason)
}

func tierNames(tiers []awards.Tier) (text string) {
	for _, t := range tiers {
		text += " " + t.Name
	}
	return text
}

// dumpAwards writes the awards of the settled periods of a window.
func dumpAwards(text *strings.Builder, b Leaderboard, w board.Window) error {
	list, err := b.Settlements(context.Background(), w.Name)
	if err != nil {
		return err
	}
	for _, s := range list {
		fmt.Fprintf(text, " awards of %s settled=%v revision=%d awards=%d waiting=%d without=%q %s:", s.Period, s.Settled, s.Revision, s.Awards, s.Waiting, s.Without, s.Reason)
		var unranked []string // of these some may have the place that others have by now
		for a, err := range b.Awards(context.Background(), w.Name, s.Period) {
			switch {
			case err != nil:
				return err
			case a.Rank == 0:
				unranked = append(unranked, awardText(a))
			default:
				text.WriteString(" " + awardText(a))
			}
		}
		slices.Sort(unranked)
		text.WriteString(" " + strings.Join(unranked, " "))
	}
	return nil
}
