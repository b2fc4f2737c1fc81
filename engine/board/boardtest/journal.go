package boardtest

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// parseJournal reads [member=MEMBER] [since=TIME].
func parseJournal(a *args) action {
	member, _ := a.option("member")
	since := moment(func(time.Time) time.Time { return time.Time{} })
	if text, ok := a.option("since"); ok {
		at, err := parseMoment(text)
		if err != nil {
			a.fail("since: %w", err)
		}
		since = at
	}
	return onBoard(func(p *player, b Board) (string, error) {
		var all []board.JournalRow
		for row, err := range b.Journal(board.JournalQuery{Member: member, Since: since(p.clock.now())}) {
			if err != nil {
				return "", err
			}
			all = append(all, row)
		}
		return list(all, journalText), nil
	})
}

// journalText writes a row of a journal.
func journalText(row board.JournalRow) string {
	text := fmt.Sprintf("%d %s ", row.Number, quote(row.Member))
	switch {
	case row.Removal:
		return text + "removed"
	case row.Once != "":
		text += fmt.Sprintf("%v once=%s", row.Score, row.Once)
	default:
		text += row.Score.String()
	}
	return text + " at " + row.At.Format(time.RFC3339)
}
