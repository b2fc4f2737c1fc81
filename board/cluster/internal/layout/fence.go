package layout

import (
	"strings"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// Fields of the fence.
const (
	DroppedField  = "dropped"
	MovingField   = "moving"
	ArrivalsField = "arrivals"
)

// The kinds of fields of the fence that are about a window.
const (
	ClosedKind   = "t"
	PeriodKind   = "p"
	BaselineKind = "b"
)

// ClosedField returns the field of the fence that says up to when a window is closed.
func ClosedField(window string) string { return ClosedKind + "/" + window }

// PeriodField returns the field of the fence that says that a period has had members.
func PeriodField(window, period string) string { return PeriodKind + "/" + window + "/" + period }

// BaselineField returns the field of the fence that says that there is a baseline.
func BaselineField(window, name string) string { return BaselineKind + "/" + window + "/" + name }

// CutField returns the kind of a field of the fence, the window, and the period or baseline. The kind of a field about the board is its whole name.
func CutField(field string) (kind, window, name string) {
	kind, rest, _ := strings.Cut(field, "/")
	window, name, _ = strings.Cut(rest, "/")
	return kind, window, name
}

// RecordField returns the field of the record of a closed period.
func RecordField(window, period string) string { return window + "/" + period }

// Destination returns where a board goes, and whether it has left, by the field of a fence: zero if it does not go. A board that is being moved to another store has
// the field MovingField in the fence of each partition, which all scripts that change something look at:
//
//	noted TOKEN         changes go on, and are noted for the one who moves the board
//	held TOKEN UNTIL    changes wait; from UNTIL on, in milliseconds after 1970 by the server's clock, it is as noted
//	leaving ID ADDRESS  changes wait: the board is about to be opened elsewhere; they are refused if that takes longer than a moment
//	left ID ADDRESS     all calls are refused: the board is elsewhere
//
// TOKEN is that of the last one who has begun to move the board. An earlier one finds that it is another's.
func Destination(field string) (to relocation.Destination, left bool) {
	word, rest, _ := strings.Cut(field, " ")
	if word != "leaving" && word != "left" {
		return to, false
	}
	to.ID, to.Address, _ = strings.Cut(rest, " ")
	return to, word == "left"
}
