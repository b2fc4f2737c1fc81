package ranking

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

const (
	entryFormat = 1     // the first byte of a cursor
	cursorBase  = 1 + 8 // the format and the id of the ranking
)

// doneCursor returns the cursor behind the last row of a ranking.
func doneCursor(ranking uint64) board.Cursor { return board.NewCursor(string(cursorBytes(ranking))) }

// cursorAfter returns the cursor behind an entry.
func cursorAfter(ranking uint64, score int64, tie, member []byte) board.Cursor {
	b := binary.BigEndian.AppendUint64(cursorBytes(ranking), uint64(score))
	return board.NewCursor(string(append(append(b, tie...), member...)))
}

func cursorBytes(ranking uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{entryFormat}, ranking)
}

// checkCursor returns ErrCursor unless the cursor belongs to the ranking with an id. The ranking's ties have tieWidth bytes.
func checkCursor(c board.Cursor, ranking uint64, tieWidth int) error {
	if c.Bytes() == "" || c == doneCursor(ranking) {
		return nil
	}
	if rankingOf(c) != ranking {
		return fmt.Errorf("%w: of another one", board.ErrCursor)
	}
	if len(c.Bytes()) < cursorBase+8+tieWidth {
		return fmt.Errorf("%w: %d bytes are no entry", board.ErrCursor, len(c.Bytes())-cursorBase)
	}
	return nil
}

// rankingOf returns the id of the cursor's ranking. The cursor is not the zero one.
func rankingOf(c board.Cursor) uint64 { return binary.BigEndian.Uint64([]byte(c.Bytes()[1:])) }

// entryOf returns the score of the entry that the cursor is behind, and its tie and member in one slice.
func entryOf(c board.Cursor) (score int64, text []byte) {
	b := []byte(c.Bytes()[cursorBase:])
	return int64(binary.BigEndian.Uint64(b)), b[8:]
}
