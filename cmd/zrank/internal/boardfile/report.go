package boardfile

import (
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
)

// Row is what was written or made of a board, or of a kind of groups.
type Row struct {
	Board   string   `json:"board,omitempty"`
	Periods int      `json:"periods"`
	Entries int      `json:"entries"`
	Kind    string   `json:"kind,omitempty"`    // of groups
	Groups  int      `json:"groups,omitempty"`  // of the kind
	Members int      `json:"members,omitempty"` // of these groups
	LeftOut []string `json:"leftOut,omitempty"`
	Skipped bool     `json:"skipped,omitempty"`
}

// Report is what was written or made.
type Report []Row

// List shows a report.
var List = show.List[Row]{
	Columns: []string{"board", "kind", "periods", "entries", "groups", "members", "note"},
	Right:   []int{3, 4, 5, 6},
	Sparse:  true,
	Cells: func(r Row, people bool) []string {
		note := strings.Join(r.LeftOut, ", ")
		if note != "" {
			note = "without " + note
		}
		if r.Skipped {
			note = "was there already"
		}
		count, text := strconv.Itoa, func(s string) string { return s }
		if people {
			count, text = numbers.Count[int], show.Printable
		}
		cells := []string{text(r.Board), text(r.Kind), "", "", "", "", text(note)}
		if r.Kind == "" {
			cells[2], cells[3] = count(r.Periods), count(r.Entries)
		} else {
			cells[4], cells[5] = count(r.Groups), count(r.Members)
		}
		return cells
	},
	Empty: "no boards",
}
