package rdb

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"
)

// Value is a value that is about to be read, by one of its methods, once.
type Value struct {
	Kind     Kind     // what the value is
	Encoding Encoding // how the file has it
	// ModuleType is the name of a module's type, of nine characters; "" for other kinds.
	ModuleType string

	in   *input
	read bool
	key  string // for errors
	// after is called with the error of a read; nil: never.
	after func(error)

	field []byte // of a hash, while its value is read
}

// begin notes that the value is being read as one of a kind.
func (v *Value) begin(k Kind) error {
	if v.Kind != k || v.read {
		return ErrKind
	}
	v.read = true
	return nil
}

// end gives an error its key, and tells the reader of it.
func (v *Value) end(err error) error {
	err = named(err, v.key)
	if err != nil && v.after != nil {
		v.after(err)
	}
	return err
}

// named gives an error of this package its key.
func named(err error, key string) error {
	switch e := err.(type) { // as it was made, not wrapped: an error of a callback stays as it is
	case *CorruptError:
		e.Key = key
	case *LimitError:
		e.Key = key
	}
	return err
}

// Skip reads the value and forgets it. It is checked as far as its end must be found. Memory is constant.
func (v *Value) Skip() error {
	if v.read {
		return nil
	}
	v.read = true
	return v.end(v.in.skipValue(v.Encoding))
}

// Bytes returns the string. It is valid until the next use of the Reader. Errors: ErrKind, *CorruptError, *LimitError, those of the reader.
func (v *Value) Bytes() ([]byte, error) {
	if err := v.begin(String); err != nil {
		return nil, err
	}
	s, err := v.in.text()
	return s, v.end(err)
}

// SortedSet calls each with the members of a sorted set, as they come: in ascending order from a listpack or ziplist, else in no certain one, most
// often descending. A score is not NaN. A member may come twice in a damaged file: whoever stores them notices it. Members are valid during the call.
// An error of each ends the call and is returned as it is. Errors: ErrKind, *CorruptError, *LimitError, those of the reader.
func (v *Value) SortedSet(each func(member []byte, score float64) error) error {
	if err := v.begin(SortedSet); err != nil {
		return err
	}
	switch v.Encoding {
	case SortedSetText:
		return v.end(v.in.textScores(each))
	case SortedSetBinary:
		return v.end(v.in.binaryScores(each))
	}
	return v.end(v.in.packedPairs(v.Encoding == SortedSetZiplist, func(m, s item, buf *[2][20]byte) (string, error) {
		score := float64(s.number)
		if s.isText {
			var ok bool
			if score, ok = parseScore(s.text); !ok {
				return fmt.Sprintf("a score %.40q", s.text), nil
			}
		}
		return "", each(m.bytes(buf[0][:]), score)
	}))
}

// Set calls each with the members of a plain set, in no certain order. See SortedSet.
func (v *Value) Set(each func(member []byte) error) error {
	if err := v.begin(Set); err != nil {
		return err
	}
	switch v.Encoding {
	case SetStrings:
		return v.end(v.in.strings(each))
	case SetIntset:
		return v.end(v.in.intset(each))
	}
	return v.end(v.in.packedItems(func(i item, buf *[20]byte) error { return each(i.bytes(buf[:])) }))
}

// Hash calls each with the fields of a hash, in no certain order, and when each field expires, the zero time for never. See SortedSet.
func (v *Value) Hash(each func(field, value []byte, expires time.Time) error) error {
	if err := v.begin(Hash); err != nil {
		return err
	}
	switch v.Encoding {
	case HashStrings, HashExpiring, HashExpiringEarly:
		return v.end(v.hashTable(each))
	case HashZipmap:
		return v.end(v.in.zipmap(func(field, value []byte) error { return each(field, value, time.Time{}) }))
	case HashListpackEx, HashListpackExEarly:
		return v.end(v.in.expiringPack(v.Encoding == HashListpackEx, each))
	}
	return v.end(v.in.packedPairs(v.Encoding == HashZiplist, func(f, s item, buf *[2][20]byte) (string, error) {
		return "", each(f.bytes(buf[0][:]), s.bytes(buf[1][:]), time.Time{})
	}))
}

// textScores reads a sorted set with scores in decimal text.
func (in *input) textScores(each func([]byte, float64) error) error {
	n, err := in.count()
	for range n {
		var m, size []byte
		if m, size, err = in.textAnd(1); err != nil {
			return err
		}
		at := in.offset() - 1
		score := math.Inf(1)
		switch size[0] {
		case 255:
			score = math.Inf(-1)
		case 254:
		case 253:
			return corrupt(at, "a score that is NaN")
		default:
			n := int(size[0])
			m = append(in.short[:0], m...) // the text may move the buffer
			in.short = m
			text, err := in.take(n)
			if err != nil {
				return err
			}
			var ok bool
			if score, ok = parseScore(text); !ok {
				return corrupt(at, "a score of %d bytes, %.40q", n, text)
			}
		}
		if err := each(m, score); err != nil {
			return err
		}
	}
	return err
}

// binaryScores reads a sorted set with scores of 8 bytes.
func (in *input) binaryScores(each func([]byte, float64) error) error {
	n, err := in.count()
	for range n {
		m, b, err := in.textAnd(8)
		if err != nil {
			return err
		}
		score := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if math.IsNaN(score) {
			return corrupt(in.offset()-8, "a score that is NaN")
		}
		if err := each(m, score); err != nil {
			return err
		}
	}
	return err
}

// strings reads a number of strings.
func (in *input) strings(each func([]byte) error) error {
	n, err := in.count()
	for range n {
		m, err := in.text()
		if err != nil {
			return err
		}
		if err := each(m); err != nil {
			return err
		}
	}
	return err
}

// hashTable reads a hash that is written as its fields.
func (v *Value) hashTable(each func(field, value []byte, expires time.Time) error) error {
	in := v.in
	var least uint64
	var err error
	if v.Encoding == HashExpiring {
		if least, err = in.uint64(8); err != nil {
			return err
		}
	}
	n, err := in.count()
	for range n {
		var expires time.Time
		if v.Encoding != HashStrings {
			ttl, err := in.count()
			if err != nil {
				return err
			}
			expires = fieldExpiry(v.Encoding, least, ttl)
		}
		field, err := in.text()
		if err != nil {
			return err
		}
		v.field = append(v.field[:0], field...)
		value, err := in.text()
		if err != nil {
			return err
		}
		if err := each(slices.Clip(v.field), value, expires); err != nil {
			return err
		}
	}
	return err
}

// fieldExpiry returns when a field expires whose time is written as ttl, 0 for never. least is the first expiry of the hash in Unix milliseconds.
func fieldExpiry(e Encoding, least, ttl uint64) time.Time {
	switch {
	case ttl == 0:
		return time.Time{}
	case e == HashExpiringEarly:
		return time.UnixMilli(int64(ttl))
	}
	return time.UnixMilli(int64(least + ttl - 1))
}
