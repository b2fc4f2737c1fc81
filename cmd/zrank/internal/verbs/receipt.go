package verbs

import (
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// erased is one line of the receipt of an erasure: a place, or what was erased besides. The columns board, entry and hash are for programs.
type erased struct {
	board string
	entry uint64
	hash  string
	kind  string // "place", or that of a trace
	name  string // of the window of a place, or that of a trace
	place board.Place
	count int // of a trace
}

// erasedOf returns the lines of the receipt of one board.
func erasedOf(name string, m board.Moderated) (lines []erased) {
	for _, p := range m.Places {
		lines = append(lines, erased{name, m.Entry, m.Hash, "place", p.Window, p, 0})
	}
	for _, x := range m.Traces {
		lines = append(lines, erased{name, m.Entry, m.Hash, x.Kind, x.Name, board.Place{}, x.Count})
	}
	return lines
}

// erasedList writes receipts.
var erasedList = show.List[erased]{
	Sparse:  true,
	Columns: []string{"board", "entry", "erased", "name", "period", "state", "rank", "score", "moved", "count", "hash"},
	Right:   []int{7, 8, 9, 10},
	Cells: func(e erased, people bool) []string {
		cells := []string{e.board, "", e.kind, e.name, "", "", "", "", "", show.Number(e.count), e.hash}
		if e.entry > 0 {
			cells[1] = strconv.FormatUint(e.entry, 10)
		}
		if e.kind == "place" {
			p := e.place
			copy(cells[4:9], []string{p.Period, stateText(p), show.Number(p.Rank), p.Score.String(), show.Number(p.Moved)})
		}
		if people {
			cells[0], cells[1], cells[10] = "", "", ""
		}
		return cells
	},
}
