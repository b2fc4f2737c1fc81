package places

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// Place is a member's place in a closed period: from 0, as it was when the period was indexed, and its entry.
type Place struct {
	Window string
	Period string
	Place  int // -1 if the member was hidden when the period was indexed
	Score  int64
	Tie    []byte
	Hidden bool // the entry is beside the ranking, in which it had or would have this place
}

// key returns the key of a place of a member.
func (p Place) key(board, member string) string {
	return boardkey.Place(board, boardkey.MemberID(member), p.Window, p.Period)
}

// Put puts a place of a member into the index of a board.
//
//	+--------------------------------+----------------+-----+
//	| (place + 1) << 1 | hidden      | score          | tie |
//	| uvarint                        | 8, big endian  |     |
//	+--------------------------------+----------------+-----+
func Put(tx *engine.Tx, board, member string, p Place) error {
	head := uint64(p.Place+1) << 1
	if p.Hidden {
		head |= 1
	}
	value := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen64+8+len(p.Tie)), head)
	value = append(binary.BigEndian.AppendUint64(value, uint64(p.Score)), p.Tie...)
	return tx.Put(p.key(board, member), value)
}

// Delete deletes a place of a member from the index of a board.
func Delete(tx *engine.Tx, board, member string, p Place) error {
	return tx.Delete(p.key(board, member))
}

// Parse returns the place that a key of Put without boardkey.PlacePrefix and its value have, with the board and the id of the member. The tie is that in the value.
func Parse(rest string, value []byte) (board, id string, p Place, err error) {
	parts := strings.SplitN(rest, "\x00", 4)
	if len(parts) < 4 {
		return "", "", p, fmt.Errorf("board: place of a member: key %q", rest)
	}
	p.Window, p.Period = parts[2], parts[3]
	return parts[0], parts[1], p, p.decode([]byte(rest), value)
}

// decode sets what Put has stored.
func (p *Place) decode(key, value []byte) error {
	head, n := binary.Uvarint(value)
	if n <= 0 || len(value) < n+8 {
		return fmt.Errorf("board: stored as %q: place of a member: %x", key, value)
	}
	p.Place, p.Hidden = int(head>>1)-1, head&1 != 0
	p.Score, p.Tie = int64(binary.BigEndian.Uint64(value[n:])), value[n+8:]
	return nil
}
