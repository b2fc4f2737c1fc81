package rdb

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Thresholds say up to which size a value is written in its small encoding. 0 is the default of Redis 7.0; a negative number allows none.
type Thresholds struct {
	ListpackEntries int // of a sorted set or a hash: 128
	ListpackValue   int // bytes of a member, a field or a value: 64
	IntsetEntries   int // of a plain set of integers: 512
}

// WriteOptions are those of a Writer and a Dumper. The zero value writes as Redis 7.0 does with rdbcompression no.
type WriteOptions struct {
	// Thresholds say up to where an encoding is a small one; 0 is what Redis has.
	Thresholds Thresholds
	// Compress writes strings of more than 20 bytes in LZF, where that is shorter.
	Compress bool
	// NoChecksum writes zero in place of the checksum of a file.
	NoChecksum bool
}

// Validate names every problem; there is none so far.
func (o WriteOptions) Validate() error { return nil }

// threshold returns a threshold, or what it is by default.
func threshold(n, byDefault int) int {
	if n == 0 {
		return byDefault
	}
	return n
}

// encoder writes values to out.
type encoder struct {
	o     WriteOptions
	out   []byte
	flush func() error // called when out is large; nil: out has everything
	lzf   compressor
	pack  packer
	ints  []byte   // an intset
	texts [][]byte // members that wait for the choice of an encoding; each has its own bytes in arena
	nums  []float64
	arena []byte
}

// flushAt is the size at which out is flushed.
const flushAt = 64 << 10

// check flushes out if it is large.
func (e *encoder) check() error {
	if e.flush == nil || len(e.out) < flushAt {
		return nil
	}
	return e.flush()
}

// length appends a length.
func (e *encoder) length(n uint64) {
	switch {
	case n < 1<<6:
		e.out = append(e.out, byte(n))
	case n < 1<<14:
		e.out = append(e.out, byte(n>>8)|len14<<6, byte(n))
	case n <= math.MaxUint32:
		e.out = binary.BigEndian.AppendUint32(append(e.out, len32), uint32(n))
	default:
		e.out = binary.BigEndian.AppendUint64(append(e.out, len64), n)
	}
}

// text appends a string, as a number, compressed or as it is.
func (e *encoder) text(s []byte) {
	const longestNumber, shortestLZF = 11, 21
	if len(s) <= longestNumber && e.number(s) {
		return
	}
	if e.o.Compress && len(s) >= shortestLZF {
		if packed, ok := e.lzf.compress(s); ok {
			e.out = append(e.out, lenSpecial<<6|specialLZF)
			e.length(uint64(len(packed)))
			e.length(uint64(len(s)))
			e.out = append(e.out, packed...)
			return
		}
	}
	e.length(uint64(len(s)))
	e.out = append(e.out, s...)
}

// number appends a string as an integer, if it is one of 32 bits.
func (e *encoder) number(s []byte) bool {
	n, ok := parseInt(s)
	switch {
	case !ok || n < math.MinInt32 || n > math.MaxInt32:
		return false
	case n == int64(int8(n)):
		e.out = append(e.out, lenSpecial<<6|specialInt8, byte(n))
	case n == int64(int16(n)):
		e.out = binary.LittleEndian.AppendUint16(append(e.out, lenSpecial<<6|specialInt16), uint16(n))
	default:
		e.out = binary.LittleEndian.AppendUint32(append(e.out, lenSpecial<<6|specialInt32), uint32(n))
	}
	return true
}

// begin appends an encoding and, in a file, the key; nil: there is none.
func (e *encoder) begin(enc Encoding, name []byte) {
	e.out = append(e.out, byte(enc))
	if name != nil {
		e.text(name)
	}
}

// keep copies a text to the arena and notes it.
func (e *encoder) keep(s []byte) {
	from := len(e.arena)
	e.arena = append(e.arena, s...)
	e.texts = append(e.texts, e.arena[from:len(e.arena):len(e.arena)])
}

// forget empties what keep has filled.
func (e *encoder) forget() {
	clear(e.texts)
	e.texts, e.nums, e.arena = e.texts[:0], e.nums[:0], e.arena[:0]
}

// wrongCount returns ErrCount with both numbers.
func wrongCount(got, n int) error { return fmt.Errorf("%w: %d, and not %d", ErrCount, got, n) }

// sortedSet appends a sorted set. If it may be a listpack, its members wait until one of them is too large for that. Errors: ErrCount, those of flush.
func (e *encoder) sortedSet(name []byte, n int, descending iter.Seq2[[]byte, float64]) (err error) {
	defer e.forget()
	small := n <= threshold(e.o.Thresholds.ListpackEntries, 128)
	most := threshold(e.o.Thresholds.ListpackValue, 64)
	got := 0
	if !small {
		e.beginBinary(name, n)
	}
	for m, score := range descending {
		if got++; got > n {
			return wrongCount(got, n)
		}
		if small && len(m) <= most {
			e.keep(m)
			e.nums = append(e.nums, score)
			continue
		}
		if small {
			small = false
			e.beginBinary(name, n)
			for i, kept := range e.texts {
				e.binaryMember(kept, e.nums[i])
			}
		}
		e.binaryMember(m, score)
		if err := e.check(); err != nil {
			return err
		}
	}
	if got < n {
		return wrongCount(got, n)
	}
	if small {
		e.pack.begin()
		for i := len(e.texts) - 1; i >= 0; i-- {
			e.pack.text(e.texts[i])
			e.pack.number(e.nums[i])
		}
		e.begin(SortedSetListpack, name)
		e.text(e.pack.end(2 * n))
	}
	return e.check()
}

func (e *encoder) beginBinary(name []byte, n int) {
	e.begin(SortedSetBinary, name)
	e.length(uint64(n))
}

func (e *encoder) binaryMember(m []byte, score float64) {
	e.text(m)
	e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(score))
}

// set appends a plain set. If it may be an intset, its members wait until one of them is no integer. Errors: ErrCount, those of flush.
func (e *encoder) set(name []byte, n int, members iter.Seq[[]byte]) error {
	defer e.forget()
	small := n <= threshold(e.o.Thresholds.IntsetEntries, 512)
	var numbers []int64
	got := 0
	if !small {
		e.beginStrings(SetStrings, name, n)
	}
	for m := range members {
		if got++; got > n {
			return wrongCount(got, n)
		}
		if v, ok := parseInt(m); small && ok {
			e.keep(m)
			numbers = append(numbers, v)
			continue
		}
		if small {
			small = false
			e.spill(SetStrings, name, n)
		}
		e.text(m)
		if err := e.check(); err != nil {
			return err
		}
	}
	if got < n {
		return wrongCount(got, n)
	}
	if small {
		e.begin(SetIntset, name)
		e.text(e.intset(numbers))
	}
	return e.check()
}

func (e *encoder) beginStrings(enc Encoding, name []byte, n int) {
	e.begin(enc, name)
	e.length(uint64(n))
}

// spill begins a value as strings, with those that were kept for a smaller encoding.
func (e *encoder) spill(enc Encoding, name []byte, n int) {
	e.beginStrings(enc, name, n)
	for _, kept := range e.texts {
		e.text(kept)
	}
}

// intset returns an intset of numbers, which it sorts, of the width that the largest needs.
func (e *encoder) intset(numbers []int64) []byte {
	slices.Sort(numbers)
	width := 2
	for _, v := range numbers {
		switch {
		case v != int64(int32(v)):
			width = 8
		case v != int64(int16(v)):
			width = max(width, 4)
		}
	}
	b := binary.LittleEndian.AppendUint32(e.ints[:0], uint32(width))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(numbers)))
	for _, v := range numbers {
		for i := range width {
			b = append(b, byte(v>>(8*i)))
		}
	}
	e.ints = b
	return b
}

// hash appends a hash. If it may be a listpack, its fields wait until one of them is too large for that. Errors: ErrCount, those of flush.
func (e *encoder) hash(name []byte, n int, fields iter.Seq2[[]byte, []byte]) error {
	defer e.forget()
	small := n <= threshold(e.o.Thresholds.ListpackEntries, 128)
	most := threshold(e.o.Thresholds.ListpackValue, 64)
	got := 0
	if !small {
		e.beginStrings(HashStrings, name, n)
	}
	for field, value := range fields {
		if got++; got > n {
			return wrongCount(got, n)
		}
		if small && len(field) <= most && len(value) <= most {
			e.keep(field)
			e.keep(value)
			continue
		}
		if small {
			small = false
			e.spill(HashStrings, name, n)
		}
		e.text(field)
		e.text(value)
		if err := e.check(); err != nil {
			return err
		}
	}
	if got < n {
		return wrongCount(got, n)
	}
	if small {
		e.pack.begin()
		for _, kept := range e.texts {
			e.pack.text(kept)
		}
		e.begin(HashListpack, name)
		e.text(e.pack.end(2 * n))
	}
	return e.check()
}
