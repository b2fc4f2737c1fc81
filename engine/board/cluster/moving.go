package cluster

import (
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/relocation"
)

// A board that is being moved to another store has a field in the fence of each partition, which all scripts that change something look at:
//
//	noted TOKEN         changes go on, and are noted for the one who moves the board
//	held TOKEN UNTIL    changes wait; from UNTIL on, in milliseconds after 1970 by the server's clock, it is as noted
//	leaving ID ADDRESS  changes wait: the board is about to be opened elsewhere; they are refused if that takes longer than a moment
//	left ID ADDRESS     all calls are refused: the board is elsewhere
//
// TOKEN is that of the last one who has begun to move the board. An earlier one finds that it is another's.
const movingField = "moving"

// The words of the field that refuse changes.
const (
	leavingWord = "leaving"
	leftWord    = "left"
)

// leftError returns the error of a board that has left by the field of a fence, nil if it has not.
func leftError(board, field string) error {
	to, left := destinationOf(field)
	if !left {
		return nil
	}
	return &errs.RelocatedError{Board: board, To: to.Address, Complete: true}
}

// destinationOf returns where a board goes by the field of a fence, and whether it has left.
func destinationOf(field string) (to relocation.Destination, complete bool) {
	word, rest, _ := strings.Cut(field, " ")
	if word != leavingWord && word != leftWord {
		return to, false
	}
	to.ID, to.Address, _ = strings.Cut(rest, " ")
	return to, word == leftWord
}
