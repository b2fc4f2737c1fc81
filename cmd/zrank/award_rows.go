package main

import (
	"strconv"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// settlement is one line of "zrank awards" without filters, and of "zrank settle": a closed period and its awards.
type settlement struct {
	awards.Settlement
	ClosedNow bool `json:"closedNow,omitempty"` // by this command
}

// MarshalJSON implements json.Marshaler.
func (s settlement) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&s) }

// settlementList writes the awards of periods, a line a period.
var settlementList = show.List[settlement]{
	Empty:   "no closed period awards anything",
	Sparse:  true,
	Columns: []string{"board", "window", "period", "closed", "new", "awards", "waiting", "failed", "expired", "for", "expires", "revision"},
	Right:   []int{6, 7, 8, 9, 12},
	Cells: func(s settlement, people bool) []string {
		of := []string{s.Board, s.Window, s.Period, timeText(&s.ClosedAt), "", "", strconv.Itoa(s.Waiting), strconv.Itoa(s.Failed), strconv.Itoa(s.Expired),
			"delivery", timeText(moment(s.Expires, s.Expires.Location())), strconv.Itoa(s.Revision)}
		if s.ClosedNow {
			of[4] = "new"
		}
		if s.Settled {
			of[5] = strconv.Itoa(s.Awards)
		}
		if s.Plan.Claim {
			of[9] = "claims"
		}
		return of
	},
}
