package apply

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
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
		board.ErrNoUnion, board.ErrAbsent, awards.ErrNoAward, awards.ErrNotYours, awards.ErrGranted, awards.ErrWithheld,
		board.ErrAction, board.ErrBanned, board.ErrNotBanned, board.ErrHidden, board.ErrNotHidden,
		board.ErrNoJournal, board.ErrNotInJournal, board.ErrReverted, board.ErrExists,
		board.ErrNoLeagues, board.ErrNoCohort, board.ErrTier} {
		if errors.Is(err, known) {
			return which + known.Error()
		}
	}
	return Outcome("", err)
}

// boardRow writes a row: rank, member, score, when it was reached, metadata.
func boardRow(row board.Row) string {
	text := fmt.Sprintf("%s %q %v", rankText(row), row.Member, row.Score)
	if !row.Reached.IsZero() {
		text += "@" + row.Reached.Format(time.RFC3339Nano)
	}
	if row.Meta != nil {
		text += fmt.Sprintf(" {%s}", row.Meta)
	}
	return text
}

// rankText writes the rank of a row; of one that is known within bounds, the least and the most that it may be.
func rankText(row board.Row) string {
	switch {
	case row.Within == board.Unknown:
		return fmt.Sprintf("beyond %d", row.Rank)
	case row.Beyond:
		return fmt.Sprintf("{%d..%d}", row.Rank-row.Within, row.Rank+row.Within)
	}
	return fmt.Sprint(row.Rank)
}

// anyRank is written for a rank that an oracle does not know.
const anyRank = "{..}"

// bounds is what rankText writes of members beyond the best n, or anyRank.
var bounds = regexp.MustCompile(`beyond (\d+)|\{(-?\d+)\.\.(\d+)\}|\{\.\.\}`)

// Fits reports whether a machine's reply is the oracle's, whose ranks are exact, or has bounds in place of ranks, and these are true. A rank that is not
// known yet fits any: a dense one may be less than n.
func Fits(got, want string) bool {
	if got == want || !strings.Contains(want, "..") {
		return got == want
	}
	g, w := bounds.FindAllStringSubmatch(got, -1), bounds.FindAllStringSubmatch(want, -1)
	if len(g) != len(w) || bounds.ReplaceAllString(got, "") != bounds.ReplaceAllString(want, "") {
		return false
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	for i := range w {
		rank := number(w[i][3])
		switch {
		case w[i][0] == anyRank:
		case w[i][1] != "" && g[i][0] != w[i][0],
			g[i][1] == "" && (number(g[i][2]) > rank || number(g[i][3]) < rank):
			return false
		}
	}
	return true
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
		if fmt.Fprintf(&text, "%s %s: ", m.Window, m.Period); m.Hidden {
			fmt.Fprintf(&text, "hidden changed=%v improved=%v", m.Changed, m.Improved)
		}
		if m.Ranked {
			text.WriteString(boardRow(m.Before))
		}
		if m.Changed && !m.Hidden {
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
	info, err := r.Info(context.Background())
	if err != nil {
		return boardReply("", err)
	}
	rows, err := r.Places(context.Background(), 1, -1)
	return boardReply(infoText(info)+": "+rowsText(rows), err)
}
