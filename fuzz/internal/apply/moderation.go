package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// moderate runs an operation that changes what a board has of a member. It returns false for any other operation.
func moderate(b Leaderboard, op script.Op) (reply string, ok bool) {
	var m board.Moderated
	var err error
	switch ctx, a := context.Background(), action(op); op.Kind {
	case "ban":
		m, err = b.Ban(ctx, op.Member, a)
	case "unban":
		m, err = b.Unban(ctx, op.Member, a)
	case "hide":
		m, err = b.Hide(ctx, op.Member, a)
	case "show":
		m, err = b.Show(ctx, op.Member, a)
	case "erase":
		m, err = b.Erase(ctx, op.Member, a)
	case "renamed":
		m, err = b.Rename(ctx, op.Member, op.Other, a)
	case "merge":
		m, err = b.Merge(ctx, op.Member, op.Other, a)
	default:
		return "", false
	}
	return boardReply(fmt.Sprintf("entry %d awards %d%s: %s", m.Entry, m.Awards, tracesText(m.Hash, m.Traces), placesText(b.Spec(), m.Places, counts(b.Spec(), op.Kind))), err), true
}

// action returns who moderates a board, and why.
func action(op script.Op) board.Action {
	a := board.Action{By: "ops", Reason: fmt.Sprintf("doubts about %q", op.Member), DryRun: op.Low == "dry"}
	if op.Low == "anonymous" {
		a.By = ""
	}
	return a
}

// counts reports whether the places of closed periods that a change tells of have the exact rank of every member, and how many others have moved.
func counts(spec board.Spec, kind string) bool {
	switch kind {
	case "rename", "renamed", "merge", "revert":
		return spec.Top == nil
	}
	return true
}

// tracesText writes what was erased besides places, and whether there is a hash in place of a name.
func tracesText(hash string, traces []audit.Trace) (text string) {
	if hash != "" {
		text = " erased"
	}
	for _, t := range traces {
		text += fmt.Sprintf(", %s %s %d", t.Kind, t.Name, t.Count)
	}
	return text
}

// placesText writes places of a member. exact is as in placeText.
func placesText(spec board.Spec, places []board.Place, exact bool) string {
	var text strings.Builder
	for _, p := range places {
		text.WriteString(placeText(spec, p, exact) + "; ")
	}
	return text.String()
}

// placeText writes a place. A rank in an open period that may be beyond the best n, whatever n was at the
// time, is written as a range: an oracle has Unknown for one that was known within bounds, which places do
// not have. A rank like that in a closed period is left out unless ranks of these are exact.
func placeText(spec board.Spec, p board.Place, exact bool) string {
	if !exact {
		p.Moved = 0
	}
	rank := func(n int) string {
		switch {
		case n <= boardspecs.LeastTop:
			return fmt.Sprint(n)
		case n == board.Unknown:
			return anyRank
		case !p.Closed:
			return rankText(board.Row{Rank: n, Beyond: true})
		case !exact && spec.Top != nil:
			return "beyond"
		}
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s %s closed=%v hidden=%v %s of %d with %v -> %s with %v moved %d", p.Window, p.Period, p.Closed, p.Hidden, rank(p.Rank), p.Members, p.Score,
		rank(p.NewRank), p.NewScore, p.Moved)
}

// history writes what a board has of a member.
func history(b Leaderboard, member string) string {
	m, err := b.Member(context.Background(), member)
	var text strings.Builder
	fmt.Fprintf(&text, "%q banned=%v", m.Name, m.Banned)
	for _, h := range m.Windows {
		if len(h.Places) > 0 {
			best := placeText(b.Spec(), h.BestRank, true)
			if b.Spec().Top != nil && h.BestRank.Rank > boardspecs.LeastTop { // see placeText
				best = "beyond"
			}
			fmt.Fprintf(&text, " %s: %s best rank %s best score %s", h.Window, placesText(b.Spec(), h.Places, true), best, placeText(b.Spec(), h.BestScore, true))
		}
	}
	return boardReply(text.String(), err)
}

// dumpModeration writes the histories of all members, the changes that are in progress and the audit log.
func dumpModeration(text *strings.Builder, b Leaderboard) error {
	ctx := context.Background()
	for _, member := range slices.Compact(slices.Sorted(slices.Values(script.Players))) {
		text.WriteString(" member " + history(b, member))
	}
	jobs, err := b.Jobs(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(text, " jobs %d", len(jobs))
	for e, err := range b.Audit(ctx, audit.Filter{}) {
		if err != nil {
			return err
		}
		places, err := b.AuditPlaces(ctx, e.Number)
		if err != nil {
			return err
		}
		fmt.Fprintf(text, " audit %d %s %s %q%s %q%s %s %s %s rows=%d places=%d awards=%d done=%v: %s", e.Number, e.At.Format(time.RFC3339Nano), e.Kind,
			e.Member, tracesText(e.Hash, e.Traces), e.To, tracesText(e.ToHash, nil), e.Tier, e.By, e.Reason, e.Rows, e.Places, e.Awards, e.Done,
			placesText(b.Spec(), places, counts(b.Spec(), string(e.Kind))))
	}
	if b.Spec().Journal > 0 {
		text.WriteString(" journal " + journal(b, board.JournalQuery{}))
	}
	return nil
}

// revert takes submissions of a member back.
func revert(b Leaderboard, op script.Op, now time.Time) string {
	r := board.Reversion{Since: now.Add(time.Duration(op.Hi) * time.Second)}
	if op.Lo < 8 {
		r = board.Reversion{Row: rowOf(b, op)}
	}
	res, err := b.Revert(context.Background(), op.Member, r, action(op))
	return boardReply(fmt.Sprintf("entry %d rows %d: %s", res.Entry, res.Rows, placesText(b.Spec(), res.Places, counts(b.Spec(), op.Kind))), err)
}

// rowOf returns the number of the row of the journal that an operation is about: of the submissions of its member the one that Lo says, from the newest, round and
// round; if Lo is 7 the newest row of anybody. It is 1 if there is none.
func rowOf(b Leaderboard, op script.Op) uint64 {
	var numbers []uint64
	for row, err := range b.Journal(context.Background(), board.JournalQuery{}) {
		if err == nil && (op.Lo == 7 || row.Member == op.Member && !row.Removal) {
			numbers = append(numbers, row.Number)
		}
	}
	if len(numbers) == 0 {
		return 1
	}
	return numbers[max(op.Lo, 0)%7%len(numbers)]
}

// journal writes rows of the journal of a board.
func journal(b Leaderboard, q board.JournalQuery) string {
	var text strings.Builder
	for row, err := range b.Journal(context.Background(), q) {
		if err != nil {
			return boardReply("", err)
		}
		if row.Removal { // without its time: after a crash a change of closed periods goes on later
			fmt.Fprintf(&text, "%d %q removed, ", row.Number, row.Member)
			continue
		}
		fmt.Fprintf(&text, "%d %s %q %v at %s once=%q reverted=%d, ", row.Number, row.Arrived.Format(time.RFC3339Nano), row.Member, row.Score,
			row.At.Format(time.RFC3339Nano), row.Once, row.Reverted)
	}
	return text.String()
}

// refused returns the error of a submission. That of a banned member for a closed period may be either error: it is ErrBanned then.
func refused(b Leaderboard, member string, err error) error {
	banned, unknown := b.IsBanned(context.Background(), member)
	if errors.Is(err, board.ErrPeriodClosed) && unknown == nil && banned {
		return board.ErrBanned
	}
	return err
}
