// Package formattest has what the tests of stored bytes share.
package formattest

import (
	"encoding/binary"
	"fmt"
)

// Flips flips each bit of a value, shortens it and lengthens it: decode must refuse all of these and take the value itself. It returns an
// error for the first that is wrong.
func Flips(value []byte, decode func(v []byte) error) error {
	if err := decode(value); err != nil {
		return err
	}
	for bit := range len(value) * 8 {
		value[bit/8] ^= 1 << (bit % 8)
		err := decode(value)
		value[bit/8] ^= 1 << (bit % 8)
		if err == nil {
			return fmt.Errorf("taken with bit %d flipped", bit)
		}
	}
	if decode(value[:len(value)-1]) == nil {
		return fmt.Errorf("taken without its last byte")
	}
	if decode(append(value, 0)) == nil {
		return fmt.Errorf("taken with a byte more")
	}
	return nil
}

// Record1 is a set's record of layout 1, in which one snapshot has written all pages.
type Record1 struct {
	Snapshot, ID, Base uint64
	Pages              int
	Entries            int
	Sum                uint32
	Meta               []byte
}

// Encode returns the value without its checksum.
func (r Record1) Encode() []byte {
	be := binary.BigEndian
	v := be.AppendUint64([]byte{1}, r.Snapshot)
	v = be.AppendUint64(v, r.ID)
	v = be.AppendUint64(v, r.Base)
	v = be.AppendUint32(v, uint32(r.Pages))
	v = be.AppendUint64(v, uint64(r.Entries))
	v = be.AppendUint32(v, r.Sum)
	return append(v, r.Meta...)
}
