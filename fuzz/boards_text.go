package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// told is a reply, or an error that callers of boards are promised, by its name, and which of a batch has it.
func told(reply string, err error) string {
	if err == nil {
		return reply
	}
	which := ""
	if batch := new(board.BatchError); errors.As(err, &batch) {
		which = fmt.Sprintf("submission %d: ", batch.Index)
	}
	for _, known := range []error{board.ErrPeriodClosed, board.ErrTime, board.ErrBounds, board.ErrOverflow, board.ErrColumns, board.ErrKind, board.ErrNoEnd,
		board.ErrNotRanked, board.ErrNoPeriod, board.ErrNoWindow, board.ErrMeta, board.ErrMember, board.ErrBaseline, board.ErrNoBoard} {
		if errors.Is(err, known) {
			return which + known.Error()
		}
	}
	return outcome("", err)
}

// boardRow writes a row: rank, member, score, when it was reached, metadata.
func boardRow(row board.Row) string {
	text := fmt.Sprintf("%d %q %v", row.Rank, row.Member, row.Score)
	if !row.Reached.IsZero() {
		text += "@" + row.Reached.Format(time.RFC3339Nano)
	}
	if row.Meta != nil {
		text += fmt.Sprintf(" {%s}", row.Meta)
	}
	return text
}

func rowsText(rows []board.Row) string {
	var text strings.Builder
	for _, row := range rows {
		text.WriteString(boardRow(row) + ", ")
	}
	return text.String()
}

// changeText writes what a submission did.
func changeText(c board.Change) string {
	var text strings.Builder
	if c.Duplicate {
		text.WriteString("duplicate ")
	}
	if c.Skipped {
		text.WriteString("skipped ")
	}
	for _, m := range append([]board.Move{c.Move}, c.Others...) {
		fmt.Fprintf(&text, "%s %s: ", m.Window, m.Period)
		if m.Ranked {
			text.WriteString(boardRow(m.Before))
		}
		if m.Changed {
			fmt.Fprintf(&text, " -> %s improved=%v passed=%d", boardRow(m.After), m.Improved, m.Passed)
		}
		fmt.Fprintf(&text, " of %d (%s); ", m.Len, rowsText(m.Near))
	}
	return text.String()
}

func infoText(info board.Info) string {
	if info.Closed {
		return info.Period + " closed"
	}
	return info.Period
}

// ranking writes a whole ranking.
func ranking(r board.Ranking, err error) string {
	if err != nil {
		return told("", err)
	}
	rows, err := r.Places(1, -1)
	return told(infoText(r.Info())+": "+rowsText(rows), err)
}

// boardText writes all that a board has, but for what time alone will change.
func boardText(b leaderboard) string {
	var text strings.Builder
	fmt.Fprintf(&text, "v%d %s;", b.Version(), b.Spec().Op)
	for _, w := range b.Spec().Windows {
		periods, err := b.Periods(w.Name)
		if err != nil {
			return told("", err)
		}
		for _, p := range periods {
			fmt.Fprintf(&text, " %s %s members=%d;", w.Name, ranking(b.Period(w.Name, p.Period)), p.Members)
		}
		bases, err := b.Baselines(w.Name)
		if err != nil {
			return told("", err)
		}
		for _, base := range bases {
			fmt.Fprintf(&text, " base %s %s;", w.Name, ranking(b.Baseline(w.Name, base)))
		}
		if err := bestRanks(&text, b, w.Name); err != nil {
			return told("", err)
		}
	}
	return text.String()
}

// bestRanks writes those of all members.
func bestRanks(text *strings.Builder, b leaderboard, window string) error {
	for i := range 40 {
		best, ok, err := b.BestRank(window, player(i))
		if err != nil {
			return err
		}
		if ok && (i < 10 || i >= 30) {
			fmt.Fprintf(text, " best %s %d", player(i), best)
		}
	}
	return nil
}
