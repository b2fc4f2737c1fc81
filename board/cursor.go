package board

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Cursor is where a page of a ranking ends. The zero Cursor is the beginning. Cursors can be compared with ==. Done reports whether the
// cursor is behind the last row. String, MarshalText and UnmarshalText make it a text that may go into a URL.
type Cursor struct {
	bytes string // without the checksum
}

// Bytes returns what NewCursor was given; "" for the zero Cursor.
func (c Cursor) Bytes() string { return c.bytes }

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

// MarshalText writes String.
func (c Cursor) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what String writes. Error: ErrCursor.
func (c *Cursor) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCursor(string(text))
	return err
}

// ParseCursor is the inverse of Cursor.String. Error: ErrCursor.
func ParseCursor(text string) (Cursor, error) {
	if text == "" {
		return Cursor{}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Cursor{}, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	if base64.RawURLEncoding.EncodedLen(len(b)) != len(text) { // the decoder skips line ends
		return Cursor{}, fmt.Errorf("%w: line ends in it", ErrCursor)
	}
	if len(b) < cursorHead+cursorSum || b[0] != cursorFormat {
		return Cursor{}, fmt.Errorf("%w: of no known format", ErrCursor)
	}
	b, sum := b[:len(b)-cursorSum], binary.BigEndian.Uint32(b[len(b)-cursorSum:])
	if crc32.Checksum(b, castagnoli) != sum {
		return Cursor{}, fmt.Errorf("%w: damaged", ErrCursor)
	}
	return Cursor{string(b)}, nil
}

const (
	cursorFormat = 1
	cursorHead   = 1 + 8
	cursorSum    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// NewCursor returns the cursor of bytes that a home of boards has made: it begins with the format and the id of the ranking, 9 bytes, and goes on with the entry
// that the cursor is behind, if any.
func NewCursor(bytes string) Cursor { return Cursor{bytes} }
