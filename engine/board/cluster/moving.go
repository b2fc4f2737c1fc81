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
//	leaving ID ADDRESS  changes are refused: the board is about to be opened elsewhere
//	left ID ADDRESS     it has been
//
// TOKEN is that of the last one who has begun to move the board. An earlier one finds that it is another's.
const movingField = "moving"

// The words of the field that refuse changes.
const (
	leavingWord = "leaving"
	leftWord    = "left"
)

// movingError returns the error of a board that leaves or has left by the field of a fence, nil if it has not.
func movingError(board, field string) error {
	word, rest, _ := strings.Cut(field, " ")
	if word != leavingWord && word != leftWord {
		return nil
	}
	_, address, _ := strings.Cut(rest, " ")
	return &errs.RelocatedError{Board: board, To: address, Complete: word == leftWord}
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
