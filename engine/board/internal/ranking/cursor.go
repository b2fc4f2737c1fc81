package ranking

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// Cursor is where a page of a ranking ends. The zero Cursor is the beginning. Cursors can be compared with ==.
//
// As text, which may go into a URL, a cursor is these bytes in base64, numbers big endian:
//
//	format 1 = 1 | ranking 8 | checksum 4                               behind the last row
//	format 1 = 1 | ranking 8 | score 8 | tie | member | checksum 4      behind this entry's place
//
// The ranking is a hash of its key. The rows after a cursor are those behind the entry's place, even if the entry is gone.
type Cursor struct {
	bytes string // without the checksum
}

const (
	cursorFormat = 1
	cursorHead   = 1 + 8
	cursorSum    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Done reports whether the cursor is behind the last row: there is no further page.
func (c Cursor) Done() bool { return len(c.bytes) == cursorHead }

// String returns the cursor as text: letters, digits, - and _. That of the zero Cursor is empty.
func (c Cursor) String() string {
	if c.bytes == "" {
		return ""
	}
	b := []byte(c.bytes)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
}

// ParseCursor is the inverse of String. Error: ErrCursor.
func ParseCursor(text string) (Cursor, error) {
	if text == "" {
		return Cursor{}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Cursor{}, fmt.Errorf("%w: %w", errs.ErrCursor, err)
	}
	if base64.RawURLEncoding.EncodedLen(len(b)) != len(text) { // the decoder skips line ends
		return Cursor{}, fmt.Errorf("%w: line ends in it", errs.ErrCursor)
	}
	if len(b) < cursorHead+cursorSum || b[0] != cursorFormat {
		return Cursor{}, fmt.Errorf("%w: of no known format", errs.ErrCursor)
	}
	b, sum := b[:len(b)-cursorSum], binary.BigEndian.Uint32(b[len(b)-cursorSum:])
	if crc32.Checksum(b, castagnoli) != sum {
		return Cursor{}, fmt.Errorf("%w: damaged", errs.ErrCursor)
	}
	return Cursor{string(b)}, nil
}

// MarshalText writes String.
func (c Cursor) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what String writes. Error: ErrCursor.
func (c *Cursor) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCursor(string(text))
	return err
}

// doneCursor returns the cursor behind the last row of a ranking.
func doneCursor(ranking uint64) Cursor { return Cursor{string(cursorBytes(ranking))} }

// cursorAfter returns the cursor behind an entry.
func cursorAfter(ranking uint64, score int64, tie, member []byte) Cursor {
	b := binary.BigEndian.AppendUint64(cursorBytes(ranking), uint64(score))
	return Cursor{string(append(append(b, tie...), member...))}
}

func cursorBytes(ranking uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{cursorFormat}, ranking)
}

// check returns ErrCursor unless the cursor belongs to the ranking with an id. The ranking's ties have tieWidth bytes.
func (c Cursor) check(ranking uint64, tieWidth int) error {
	if c.bytes == "" || c == doneCursor(ranking) {
		return nil
	}
	if c.ranking() != ranking {
		return fmt.Errorf("%w: of another one", errs.ErrCursor)
	}
	if len(c.bytes) < cursorHead+8+tieWidth {
		return fmt.Errorf("%w: %d bytes are no entry", errs.ErrCursor, len(c.bytes)-cursorHead)
	}
	return nil
}

// ranking returns the id of the cursor's ranking. The cursor is not the zero one.
func (c Cursor) ranking() uint64 { return binary.BigEndian.Uint64([]byte(c.bytes[1:])) }

// entry returns the score of the entry that the cursor is behind, and its tie and member in one slice.
func (c Cursor) entry() (score int64, text []byte) {
	b := []byte(c.bytes[cursorHead:])
	return int64(binary.BigEndian.Uint64(b)), b[8:]
}
