package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
)

// JournalRow is board.JournalRow.
type JournalRow struct {
	Number   uint64     `json:"number" doc:"From 1, in the order of arrival."`
	Arrived  time.Time  `json:"arrived"`
	At       *time.Time `json:"at,omitempty" doc:"When it happened."`
	Member   Text       `json:"member"`
	Score    Score      `json:"score,omitempty" doc:"As it was submitted; absent for a removal."`
	Windows  []string   `json:"windows,omitempty" doc:"The windows that it went to; absent: all."`
	Once     Text       `json:"once,omitempty"`
	Removal  bool       `json:"removal,omitempty" doc:"The member was removed then."`
	Reverted uint64     `json:"reverted,omitempty" doc:"The number of the entry of the audit log that has reverted it."`
}

// JournalRowOf returns a row of a journal as JSON has it.
func JournalRowOf(r board.JournalRow) JournalRow {
	return JournalRow{r.Number, r.Arrived, timeOf(r.At), Text(r.Member), ScoreOf(r.Score), r.Windows, Text(r.Once), r.Removal, r.Reverted}
}

// Board is the inverse of JournalRowOf.
func (r JournalRow) Board() board.JournalRow {
	return board.JournalRow{Number: r.Number, Arrived: r.Arrived, At: orZero(r.At), Member: string(r.Member), Score: r.Score.Board(), Windows: r.Windows, Once: string(r.Once),
		Removal: r.Removal, Reverted: r.Reverted}
}
