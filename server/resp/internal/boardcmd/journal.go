package boardcmd

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// parseJournalQuery reads [MEMBER m] [SINCE t] [COUNT n], in any order. count is the most rows, maxRows without COUNT.
func parseJournalQuery(words [][]byte) (q board.JournalQuery, count int, err error) {
	count = maxRows
	for ; len(words) > 1; words = words[2:] {
		switch word := string(words[1]); command.Upper(string(words[0])) {
		case "MEMBER":
			q.Member = word
		case "SINCE":
			q.Since, err = parseTime(word)
		case "COUNT":
			count, err = parseRows(words[1])
		default:
			err = command.ErrSyntax
		}
		if err != nil {
			return q, 0, err
		}
	}
	if len(words) > 0 {
		return q, 0, command.ErrSyntax
	}
	return q, count, nil
}

// journal is BOARD.JOURNAL name [MEMBER m] [SINCE t] [COUNT n].
func (b *commands) journal(c *session.Client, a [][]byte) error {
	q, count, err := parseJournalQuery(a[2:])
	if err != nil {
		return err
	}
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	var list []board.JournalRow
	for row, err := range of.Journal(c.Host.Work, q) {
		if err != nil {
			return err
		}
		if len(list) == count || len(list)%rowsAtATime == 0 && !c.Out.Expect(len(list), leastJournalRow) {
			break
		}
		list = append(list, row)
	}
	if c.Out.Over() != nil {
		return nil
	}
	c.Out.Array(len(list))
	for i := range list {
		if c.Out.Over() != nil {
			return nil
		}
		writeJournalRow(&c.Out, &list[i])
	}
	return nil
}

// leastJournalRow is less than the number of bytes of a row of the journal.
const leastJournalRow = 80

// writeJournalRow writes a row of the journal.
func writeJournalRow(w *wire.Writer, row *board.JournalRow) {
	w.Map(8)
	w.BulkString("row")
	w.Int(int64(row.Number))
	writeTime(w, "arrived", row.Arrived)
	writeTime(w, "at", row.At)
	writeText(w, "member", row.Member)
	w.BulkString("score")
	w.Array(row.Score.Len())
	writeScore(w, row.Score)
	writeSome(w, "once", row.Once)
	w.BulkString("removal")
	w.Bool(row.Removal)
	w.BulkString("reverted")
	if row.Reverted == 0 {
		w.Null()
		return
	}
	w.Int(int64(row.Reverted))
}
