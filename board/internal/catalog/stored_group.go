package catalog

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// StoredGroup is a group as its private key has it:
//
//	number 8 | created 8 | metadata
type StoredGroup struct {
	Group
	Meta []byte
}

// Encode returns the stored form.
func (g *StoredGroup) Encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(g.Number))
	b = binary.BigEndian.AppendUint64(b, uint64(g.Created))
	return append(b, g.Meta...)
}

// DecodeGroup is the inverse of Encode. It keeps no part of b.
func DecodeGroup(name string, b []byte) (g StoredGroup, err error) {
	if len(b) < 16 {
		return g, fmt.Errorf("board: stored group %q has %d bytes", name, len(b))
	}
	g.Group = Group{Name: name, Number: int64(binary.BigEndian.Uint64(b)), Created: int64(binary.BigEndian.Uint64(b[8:]))}
	g.Meta = append([]byte(nil), b[16:]...)
	return g, nil
}

// EncodeJoined returns the stored form of the group that a member is in, by its number.
func EncodeJoined(number int64) []byte { return binary.AppendUvarint(nil, uint64(number)) }

// DecodeJoined is the inverse of EncodeJoined.
func DecodeJoined(b []byte) (number int64, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || size != len(b) {
		return 0, errors.New("board: stored number of a group cannot be read")
	}
	return int64(n), nil
}
