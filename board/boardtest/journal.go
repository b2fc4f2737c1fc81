package boardtest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
)

// parseJournal reads [member=MEMBER] [since=TIME].
func parseJournal(a *args) action {
	member, _ := a.option("member")
	since := a.momentOf("since")
	return onBoard(func(p *player, b board.Board) (string, error) {
		var all []board.JournalRow
		for row, err := range b.Journal(context.Background(), board.JournalQuery{Member: member, Since: since(p.clock.now())}) {
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
	if text += " at " + row.At.Format(time.RFC3339); row.Reverted > 0 {
		text += fmt.Sprintf(" reverted by %d", row.Reverted)
	}
	return text
}

// parseRevert reads MEMBER [row=NUMBER] [since=TIME] [by=NAME] [reason=TEXT] [dry=true].
func parseRevert(a *args) action {
	member, row, since, do := a.word("the member"), a.count("row", 0), a.momentOf("since"), a.moderation()
	return onBoard(func(p *player, b board.Board) (string, error) {
		got, err := b.Revert(context.Background(), member, board.Reversion{Row: uint64(row), Since: since(p.clock.now())}, do)
		return revertedText(got), err
	})
}

// revertedText writes what a revert has done.
func revertedText(r board.Reverted) string {
	text, rows := "", "none"
	if r.Entry > 0 {
		text = fmt.Sprintf("entry %d, ", r.Entry)
	}
	if len(r.Rows) > 0 {
		rows = strings.Trim(fmt.Sprint(r.Rows), "[]")
	}
	places := "nothing changes"
	if len(r.Places) > 0 {
		places = placesText(r.Places)
	}
	return text + fmt.Sprintf("rows %s: %s", rows, places)
}
