package apply

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/engine/board"
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
	a, err := b.Claim(op.Member, id)
	if err != nil {
		return boardReply("", err)
	}
	paid, _, err := st.Get(script.Paid)
	if err != nil {
		return boardReply("", err)
	}
	return boardReply(awardText(a), st.Put(script.Paid, slices.Concat(paid, []byte(awardText(a)))))
}

// ClaimedBy returns the id of the award that an operation claims. Error: ErrAward if no period of the board's first window has awards.
func ClaimedBy(b interface {
	Spec() board.Spec
	Settlements(window string) ([]board.Settlement, error)
}, op script.Op) (string, error) {
	spec := b.Spec()
	window := spec.Windows[0].Name
	list, err := b.Settlements(window)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", board.ErrAward
	}
	n, owner := max(op.Lo, 0), op.Member
	if n%4 == 3 {
		owner = script.Players[(slices.Index(script.Players, owner)+1)%len(script.Players)]
	}
	return AwardID(spec.Name, window, list[len(list)-1-n/4%len(list)].Period, 1, owner), nil
}

// AwardID returns the id of an award.
func AwardID(board, window, period string, revision int, member string) string {
	return strings.Join([]string{url.PathEscape(board), url.PathEscape(window), url.PathEscape(period), strconv.Itoa(revision), url.PathEscape(member)}, "/")
}

// awardText writes an award.
func awardText(a board.Award) string {
	text := fmt.Sprintf("%s rank %d %v:", a.ID, a.Rank, a.State)
	for _, t := range a.Tiers {
		text += " " + t.Name
	}
	return text + ", "
}

// dumpAwards writes the awards of the settled periods of a window.
func dumpAwards(text *strings.Builder, b Leaderboard, w board.Window) error {
	list, err := b.Settlements(w.Name)
	if err != nil {
		return err
	}
	for _, s := range list {
		fmt.Fprintf(text, " awards of %s settled=%v revision=%d awards=%d waiting=%d:", s.Period, s.Settled, s.Revision, s.Awards, s.Waiting)
		for a, err := range b.Awards(w.Name, s.Period) {
			if err != nil {
				return err
			}
			text.WriteString(" " + awardText(a))
		}
	}
	return nil
}
