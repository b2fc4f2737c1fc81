package apply

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// boardReply returns a reply, or the text of a documented error of boards, after the index of the submission in a batch.
func boardReply(reply string, err error) string {
	if err == nil {
		return reply
	}
	which := ""
	if batch := new(board.BatchError); errors.As(err, &batch) {
		which = fmt.Sprintf("submission %d: ", batch.Index)
	}
	for _, known := range []error{board.ErrPeriodClosed, board.ErrTime, board.ErrBounds, board.ErrOverflow, board.ErrColumns, board.ErrKind, board.ErrNoEnd,
		board.ErrNotRanked, board.ErrNoPeriod, board.ErrNoWindow, board.ErrMeta, board.ErrMember, board.ErrBaseline, board.ErrNoBoard,
		board.ErrNoUnion, board.ErrAbsent} {
		if errors.Is(err, known) {
			return which + known.Error()
		}
	}
	return Outcome("", err)
}

// boardRow writes a row: rank, member, score, when it was reached, metadata.
func boardRow(row board.Row) string {
	text := fmt.Sprintf("%d %q %v", row.Rank, row.Member, row.Score)
	if row.Beyond {
		text = "beyond " + text
	}
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

// changeText writes the result of a submission.
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
			if len(m.Overtaken) > 0 {
				fmt.Fprintf(&text, " [%s]", rowsText(m.Overtaken))
			}
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
		return boardReply("", err)
	}
	rows, err := r.Places(1, -1)
	return boardReply(infoText(r.Info())+": "+rowsText(rows), err)
}
