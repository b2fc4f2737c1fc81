package rdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// bufferSize is the size of an input's buffer. A string that fits is not copied.
const bufferSize = 64 << 10

// input reads a file through a buffer, and sums what has been read.
type input struct {
	r        io.Reader // nil: the buffer has everything
	buf      []byte
	pos, end int
	base     int64                 // the offset of buf[0]
	max      int64                 // bytes of the largest string
	grow     func(bytes int) error // see ReadOptions.Grow

	summed int // buf[:summed] is in crc, pos >= summed
	crc    uint64
	noSum  bool

	long  []byte // strings that do not fit the buffer, and what is made of LZF texts
	short []byte // compressed texts that do not fit the buffer
	digit [20]byte
}

// newInput returns an input that reads from r, or from buf if r is nil.
func newInput(r io.Reader, buf []byte, max int64, grow func(bytes int) error) *input {
	in := &input{r: r, buf: buf, end: len(buf), max: max, grow: grow}
	if r != nil {
		in.buf, in.end = make([]byte, bufferSize), 0
	}
	return in
}

// offset is that of the next byte.
func (in *input) offset() int64 { return in.base + int64(in.pos) }

// corrupt returns an error about damage at an offset.
func corrupt(offset int64, format string, args ...any) error {
	return &CorruptError{Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// sum adds what has been read to the checksum.
func (in *input) sum() uint64 {
	if !in.noSum {
		in.crc = checksum(in.crc, in.buf[in.summed:in.pos])
	}
	in.summed = in.pos
	return in.crc
}

// fill reads until n bytes, at most the size of the buffer, are in the buffer behind pos. Errors: those of the reader, a *CorruptError at the end of the file.
func (in *input) fill(n int) error {
	if in.r != nil {
		in.sum()
		copy(in.buf, in.buf[in.pos:in.end])
		in.base += int64(in.pos)
		in.end -= in.pos
		in.pos, in.summed = 0, 0
		for in.end < n {
			got, err := in.r.Read(in.buf[in.end:])
			in.end += got
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("rdb: reading at byte %d: %w", in.base+int64(in.end), err)
			}
		}
	}
	if in.end-in.pos < n {
		return &CorruptError{Offset: in.base + int64(in.end), Reason: "it ends here, and should go on", Err: io.ErrUnexpectedEOF}
	}
	return nil
}

// take returns the next n bytes, at most the size of the buffer. They are valid until the next call.
func (in *input) take(n int) ([]byte, error) {
	if in.end-in.pos < n {
		if err := in.fill(n); err != nil {
			return nil, err
		}
	}
	in.pos += n
	return in.buf[in.pos-n : in.pos : in.pos], nil
}

// byte returns the next byte.
func (in *input) byte() (byte, error) {
	b, err := in.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// uint64 returns the number in the next n bytes, little endian; n is 4 or 8.
func (in *input) uint64(n int) (uint64, error) {
	b, err := in.take(n)
	switch {
	case err != nil:
		return 0, err
	case n == 4:
		return uint64(binary.LittleEndian.Uint32(b)), nil
	}
	return binary.LittleEndian.Uint64(b), nil
}

// skip reads n bytes and forgets them.
func (in *input) skip(n uint64) error {
	for n > 0 {
		if in.pos == in.end {
			if err := in.fill(1); err != nil {
				return err
			}
		}
		step := int(min(n, uint64(in.end-in.pos)))
		in.pos += step
		n -= uint64(step)
	}
	return nil
}

// collect reads n bytes into dst, in place of what is there, as they come: what n claims is allocated only when it has been read.
func (in *input) collect(dst []byte, n int) ([]byte, error) {
	dst = dst[:0]
	for len(dst) < n {
		if in.pos == in.end {
			if err := in.fill(1); err != nil {
				return dst, err
			}
		}
		step := min(n-len(dst), in.end-in.pos)
		dst = append(dst, in.buf[in.pos:in.pos+step]...)
		in.pos += step
	}
	return dst, nil
}

// length reads a length. If special is true, it is the kind of a string that is not written as its bytes.
func (in *input) length() (n uint64, special bool, err error) {
	at := in.offset()
	first, err := in.byte()
	if err != nil {
		return 0, false, err
	}
	switch first >> 6 {
	case len6:
		return uint64(first & 0x3f), false, nil
	case len14:
		second, err := in.byte()
		return uint64(first&0x3f)<<8 | uint64(second), false, err
	case lenSpecial:
		return uint64(first & 0x3f), true, nil
	}
	switch first {
	case len32:
		b, err := in.take(4)
		if err != nil {
			return 0, false, err
		}
		return uint64(binary.BigEndian.Uint32(b)), false, nil
	case len64:
		b, err := in.take(8)
		if err != nil {
			return 0, false, err
		}
		return binary.BigEndian.Uint64(b), false, nil
	}
	return 0, false, corrupt(at, "a length that begins with the byte %#x", first)
}

// count reads a length that counts or measures.
func (in *input) count() (uint64, error) {
	at := in.offset()
	n, special, err := in.length()
	if err == nil && special {
		err = corrupt(at, "a string where a number belongs")
	}
	return n, err
}

// lengths reads n lengths and forgets them.
func (in *input) lengths(n int) error {
	for range n {
		if _, err := in.count(); err != nil {
			return err
		}
	}
	return nil
}
