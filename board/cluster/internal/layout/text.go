package layout

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

// ErrCorrupt is returned for a stored value that cannot be read.
var ErrCorrupt = errors.New("cluster: a stored value is damaged")

const signBit = 1 << 63

// AppendEntry appends an entry: 8 bytes of its score that order as it does, and its tie. The text of a member in a sorted set is its entry and its name.
func AppendEntry(dst []byte, score int64, tie []byte) []byte {
	return append(binary.BigEndian.AppendUint64(dst, uint64(score)^signBit), tie...)
}

// DecodeText reads a text of a sorted set, or an entry, whose member is empty then. Error: ErrCorrupt.
func DecodeText(text string, tieWidth int) (e zset.IntEntry, err error) {
	b := []byte(text)
	if len(b) < 8+tieWidth {
		return e, fmt.Errorf("%w: a text of %d bytes", ErrCorrupt, len(b))
	}
	e.Score, e.Tie, e.Member = int64(binary.BigEndian.Uint64(b)^signBit), b[8:8+tieWidth:8+tieWidth], b[8+tieWidth:]
	return e, nil
}
