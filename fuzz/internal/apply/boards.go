package apply

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// BoardOp runs an operation of a board and returns its reply.
func BoardOp(bs Boards, op script.Op) string {
	ctx := context.Background()
	switch op.Kind {
	case "migrate":
		return boardReply("", bs.MigrateTo(boardspecs.Of(op.Key, op.Lo)))
	case "dropboard":
		return boardReply("", bs.Redefine(op.Key))
	case "unite":
		return boardReply("", bs.StoreUnion(ctx, op.Key, unionSpec(op)))
	case "united":
		return ranking(bs.Union(ctx, unionSpec(op)))
	case "stored":
		return ranking(bs.StoredUnion(ctx, op.Key))
	}
	b, err := bs.Named(op.Key)
	if err != nil {
		return boardReply("", err)
	}
	if reply, ok := changeBoard(b, op, bs.Now()); ok {
		return reply
	}
	if op.Kind == "board" {
		stored := ranking(bs.StoredUnion(ctx, op.Key))
		return readBoard(b, op, bs.Now()) + " union " + stored
	}
	return readBoard(b, op, bs.Now())
}

// unionSpec returns the union that an operation describes: the last periods of a window, doubled, and the live period of the board's first window.
func unionSpec(op script.Op) board.UnionSpec {
	n := max(op.Lo, 0)
	return board.UnionSpec{
		Combine: []board.Op{board.Sum, board.Min, board.Max, board.Best}[n%4],
		Sources: []board.UnionSource{{Board: op.Key, Window: op.Low, Last: 1 + n/3, Weights: []board.Value{board.Int(2)}}, {Board: op.Key}},
	}
}

// changeBoard runs an operation that changes a board. It returns false for any other operation.
func changeBoard(b Leaderboard, op script.Op, now time.Time) (reply string, ok bool) {
	ctx := context.Background()
	switch op.Kind {
	case "submit":
		c, err := b.Submit(ctx, Submission(op, now))
		if err != nil {
			return boardReply("", refused(b, op.Member, err)), true
		}
		return changeText(c) + standing(b, op), true
	case "batch":
		return batch(b, op, now), true
	case "ban", "unban", "hide", "show", "erase", "renamed", "merge":
		return moderate(b, op)
	case "revert":
		return revert(b, op, now), true
	case "remove":
		removed, err := b.Remove(ctx, op.Member)
		var text strings.Builder
		for _, r := range removed {
			if fmt.Fprintf(&text, "%s %s %s; ", r.Window, r.Period, boardRow(r.Row)); r.Hidden {
				text.WriteString("hidden; ")
			}
		}
		return boardReply(text.String(), err), true
	case "setmeta":
		return boardReply("", b.SetMeta(ctx, op.Low, op.Member, []byte(op.High))), true
	case "settier":
		entry, err := b.SetTier(ctx, op.Member, op.High, action(op))
		return boardReply(fmt.Sprintf("entry %d", entry), err), true
	case "withhold", "release", "resettle":
		return awardsByHand(b, op), true
	case "close":
		info, err := b.CloseNow(ctx, op.Low)
		return boardReply(infoText(info), err), true
	case "baseline":
		return boardReply("", b.SaveBaseline(ctx, op.Low, op.High)), true
	case "unbase":
		return boardReply("", b.DropBaseline(ctx, op.Low, op.High)), true
	}
	return "", false
}

// standing returns the row that a member of a submission has afterwards in the live ranking of one window.
func standing(b Leaderboard, op script.Op) string {
	r, err := b.Live(context.Background(), WindowAfter(b, op))
	if err != nil {
		return boardReply("", err)
	}
	row, ok, err := r.Rank(context.Background(), op.Member)
	if err != nil || !ok {
		return boardReply("not ranked", err)
	}
	return boardReply(boardRow(row), err)
}

// WindowAfter returns the window that the reply to a submission is about, beside the change.
func WindowAfter(b interface{ Spec() board.Spec }, op script.Op) string {
	windows := b.Spec().Windows
	return windows[len(op.Member)%len(windows)].Name
}

// Submission returns the submission that an operation describes.
func Submission(op script.Op, now time.Time) board.Submission {
	sub := board.Submission{Member: op.Member, Score: boardScoreOf(op.High), At: now.Add(time.Duration(op.Lo) * time.Second), Near: len(op.Low) % 3,
		Overtaken: len(op.Member) % 4, Skill: int64(len(op.High))}
	switch how, what, _ := strings.Cut(op.Low, "="); how {
	case "once":
		sub.Once = what
	case "meta":
		sub.Meta = []byte(what)
	case "if":
		sub.If = map[string]board.Condition{"new": board.IfNew, "ranked": board.IfRanked, "better": board.IfBetter}[what]
	}
	return sub
}

// boardScoreOf reads a score. A column that is not a number is 0.
func boardScoreOf(text string) board.Score {
	var values []board.Value
	for word := range strings.SplitSeq(text, ",") {
		v, err := rules.ParseValue(word)
		if err != nil {
			v = board.Int(0)
		}
		values = append(values, v)
	}
	return board.Values(values...)
}

// batch submits one score for several members.
func batch(b Leaderboard, op script.Op, now time.Time) string {
	var subs []board.Submission
	for i := max(op.Lo, 0); i < min(op.Hi, len(script.Players)); i++ {
		subs = append(subs, board.Submission{Member: script.Players[i], Score: boardScoreOf(op.High), At: now})
	}
	changes, err := b.SubmitAll(context.Background(), subs)
	if batch := new(board.BatchError); errors.As(err, &batch) {
		batch.Err = refused(b, subs[batch.Index].Member, batch.Err)
	}
	var text strings.Builder
	for _, c := range changes {
		text.WriteString(changeText(c))
	}
	return boardReply(text.String(), err)
}

// readBoard runs an operation that reads a board.
func readBoard(b Leaderboard, op script.Op, now time.Time) string {
	ctx := context.Background()
	switch op.Kind {
	case "member":
		return history(b, op.Member)
	case "league":
		return league(b, op)
	case "journal":
		return journal(b, board.JournalQuery{Member: op.Member, Since: now.Add(time.Duration(op.Lo) * time.Second)})
	case "board":
		return dumpBoard(b, now)
	case "ended":
		return ranking(b.LastClosed(ctx, op.Low))
	case "base":
		return ranking(b.Baseline(ctx, op.Low, op.High))
	case "period":
		all, err := b.Periods(ctx, op.Low)
		if len(all) > 0 {
			return ranking(b.Period(ctx, op.Low, all[len(all)-1-max(op.Lo, 0)%len(all)].Period))
		}
		return boardReply("none", err)
	}
	r, err := b.Live(ctx, op.Low)
	if err != nil {
		return boardReply("", err)
	}
	return readRanking(b, r, op)
}

// modes are all modes of ranks.
var modes = []board.Mode{board.Ordinal, board.Competition, board.Modified, board.Dense}

// readRanking runs an operation that reads a live ranking.
func readRanking(b Leaderboard, r board.Ranking, op script.Op) string {
	switch op.Kind {
	case "places":
		rows, err := r.Places(context.Background(), op.Lo, op.Hi)
		return boardReply(rowsText(rows), err)
	case "around":
		rows, _, err := r.Around(context.Background(), op.Member, op.Lo)
		return boardReply(rowsText(rows), err)
	case "pages":
		return pages(r, max(op.Lo, 1))
	case "between":
		return betweenText(r, boardScoreOf(op.High), boardScoreOf(op.Member))
	}
	return place(b, r, op)
}

// pages walks a ranking page by page, until the cursor does not move: the oracle returns all rows as one page, and no cursor.
func pages(r board.Ranking, size int) string {
	var text strings.Builder
	for at, moved := (board.Cursor{}), true; moved && !at.Done(); {
		rows, next, err := r.Page(context.Background(), at, size)
		if err != nil {
			return boardReply(text.String(), err)
		}
		text.WriteString(rowsText(rows))
		at, moved = next, next != at
	}
	return text.String()
}

// betweenText returns the reply to the operation between.
func betweenText(r board.Ranking, best, worst board.Score) string {
	rows, err := r.Between(context.Background(), &best, &worst, 0, -1)
	text := rowsText(rows)
	for _, mode := range modes {
		if err == nil {
			var rank int
			rank, err = r.By(mode).RankOf(context.Background(), best)
			text += fmt.Sprintf(" %d", rank)
		}
	}
	return boardReply(text, err)
}

// place returns the reply to the operation place.
func place(b Leaderboard, r board.Ranking, op script.Op) string {
	ctx := context.Background()
	var text strings.Builder
	for _, mode := range modes {
		row, ok, err := r.By(mode).Rank(ctx, op.Member)
		if err != nil || !ok {
			return boardReply("not ranked", err)
		}
		if mode == board.Ordinal {
			text.WriteString(boardRow(row))
		}
		text.WriteString(" " + rankText(row))
	}
	p, _, err := r.Percentile(ctx, op.Member)
	if err != nil {
		return boardReply("", err)
	}
	gap, ok, err := r.Gap(ctx, op.Member, 1)
	if err != nil {
		return boardReply("", err)
	}
	if fmt.Fprintf(&text, " ahead of %.3f %%, top %d %%", p.Ahead, p.Top); ok {
		fmt.Fprintf(&text, ", column %d lacks %v to %s", gap.Column, gap.By, gap.To.Member)
	}
	best, _, err := b.BestRank(ctx, op.Low, op.Member)
	if !b.Spec().BestRanks { // a transaction does not know those that earlier specs have left
		best = 0
	}
	fmt.Fprintf(&text, ", best rank %d", best)
	return boardReply(text.String(), err)
}
