package boardfile

import (
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
)

// Board is what was written or made of a board.
type Board struct {
	Name    string   `json:"board"`
	Periods int      `json:"periods"`
	Entries int      `json:"entries"`
	LeftOut []string `json:"leftOut,omitempty"`
	Skipped bool     `json:"skipped,omitempty"`
}

// Report is what was written or made.
type Report []Board

// List shows a report.
var List = show.List[Board]{
	Columns: []string{"board", "periods", "entries", "note"},
	Right:   []int{2, 3},
	Sparse:  true,
	Cells: func(b Board, people bool) []string {
		note := strings.Join(b.LeftOut, ", ")
		if note != "" {
			note = "without " + note
		}
		if b.Skipped {
			note = "was there already"
		}
		if !people {
			return []string{b.Name, strconv.Itoa(b.Periods), strconv.Itoa(b.Entries), note}
		}
		return []string{show.Printable(b.Name), numbers.Count(b.Periods), numbers.Count(b.Entries), show.Printable(note)}
	},
	Empty: "no boards",
}
