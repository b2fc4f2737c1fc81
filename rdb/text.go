package rdb

import (
	"encoding/binary"
	"math"
	"strconv"
)

// inPlace is the size of the longest string that is used where it is in the buffer.
const inPlace = bufferSize / 2

// text reads a string. It is valid until the next call of a method.
func (in *input) text() ([]byte, error) {
	s, _, err := in.textAnd(0)
	return s, err
}

// textAnd reads a string and the n bytes behind it, a few. Both are valid until the next call of a method. Errors: *CorruptError, *LimitError, those of the reader.
func (in *input) textAnd(n int) (s, after []byte, err error) {
	at := in.offset()
	size, special, err := in.length()
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !special && size <= inPlace: // the members of most sets
		b, err := in.take(int(size) + n)
		if err != nil {
			return nil, nil, err
		}
		return b[:size:size], b[size:], nil
	case !special:
		if err = in.allow(at, size); err == nil {
			in.long, err = in.collect(in.long, int(size))
			s = in.long
		}
	case size == specialLZF:
		s, err = in.lzf(at)
	default:
		s, err = in.number(at, size)
	}
	if err == nil && n > 0 {
		after, err = in.take(n)
	}
	return s, after, err
}

// allow returns a *LimitError if a string has more bytes than are allowed.
func (in *input) allow(at int64, size uint64) error {
	if size > uint64(in.max) {
		return &LimitError{Offset: at, Size: size, Limit: in.max}
	}
	return nil
}

// number reads a string that is written as an integer of a kind.
func (in *input) number(at int64, kind uint64) ([]byte, error) {
	if kind > specialInt32 {
		return nil, corrupt(at, "a string of the unknown kind %d", kind)
	}
	b, err := in.take(1 << kind)
	if err != nil {
		return nil, err
	}
	var n int64
	switch kind {
	case specialInt8:
		n = int64(int8(b[0]))
	case specialInt16:
		n = int64(int16(binary.LittleEndian.Uint16(b)))
	case specialInt32:
		n = int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return strconv.AppendInt(in.digit[:0], n, 10), nil
}

// lzf reads the rest of a compressed string.
func (in *input) lzf(at int64) ([]byte, error) {
	packed, size, err := in.lzfSizes(at)
	if err != nil {
		return nil, err
	}
	if err := in.allow(at, max(packed, size)); err != nil {
		return nil, err
	}
	if in.grow != nil {
		if err := in.grow(int(size)); err != nil {
			return nil, err
		}
	}
	var src []byte
	if packed <= inPlace {
		src, err = in.take(int(packed))
	} else {
		in.short, err = in.collect(in.short, int(packed))
		src = in.short
	}
	if err != nil {
		return nil, err
	}
	var ok bool
	if in.long, ok = appendLZF(in.long[:0], src, int(size)); !ok {
		return nil, corrupt(at, "a compressed string that does not become %d bytes", size)
	}
	return in.long, nil
}

// lzfSizes reads the sizes of a compressed string, packed and not.
func (in *input) lzfSizes(at int64) (packed, size uint64, err error) {
	if packed, err = in.count(); err == nil {
		size, err = in.count()
	}
	if err == nil && (packed > math.MaxInt32 || size > packed*lzfMaxGrowth || size == 0) {
		err = corrupt(at, "a compressed string of %d bytes that claims to become %d", packed, size)
	}
	return packed, size, err
}

// skipText reads a string and forgets it, in constant memory.
func (in *input) skipText() error {
	at := in.offset()
	size, special, err := in.length()
	switch {
	case err != nil:
		return err
	case !special:
		return in.skip(size)
	case size == specialLZF:
		packed, _, err := in.lzfSizes(at)
		if err != nil {
			return err
		}
		return in.skip(packed)
	}
	_, err = in.number(at, size)
	return err
}

// skipTexts reads n strings and forgets them.
func (in *input) skipTexts(n uint64) error {
	for range n {
		if err := in.skipText(); err != nil {
			return err
		}
	}
	return nil
}
