package show

import (
	"bufio"

	"github.com/zrankdb/zrank/internal/boardjson"
	"github.com/zrankdb/zrank/internal/printable"
)

// Title names a ranking: "FIFA World Cup · year · 2010". A period that only repeats its window is left out.
func Title(board, window, period string) string {
	if period == window {
		return board + " · " + window
	}
	return board + " · " + window + " · " + period
}

// Printable returns text with an escape in place of each character that could move a terminal's cursor or change the reading direction,
// and of each byte that is not UTF-8: \xff.
func Printable(text string) string { return printable.Text(text) }

// Name returns the name of a member as tables show it: as Printable, and with each backslash doubled. So two different members never look
// the same.
func Name(member string) string { return printable.Name(member) }

// writeLine writes the JSON of a value and the end of the line.
func writeLine(w *bufio.Writer, value any) error {
	text, err := boardjson.AppendAny(w.AvailableBuffer(), value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
