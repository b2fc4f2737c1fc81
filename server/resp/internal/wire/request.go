package wire

import (
	"bytes"
	"fmt"
	"math"
)

// Next returns the words of the next request, at least one; ok false means that more bytes are needed: call Fill. The words are parts of the
// reader's memory; those of all requests are valid until the next Fill. Errors: a *ProtocolError, ErrMemory; every later call returns them
// too. O(bytes of the request) in all, over all calls.
func (r *Reader) Next() (args [][]byte, ok bool, err error) {
	if r.err != nil {
		return nil, false, r.err
	}
	for r.pos < r.end {
		var whole bool
		first := len(r.args)
		if r.left == 0 && r.mem[r.pos] != '*' {
			whole, err = r.inline()
		} else {
			whole, err = r.multibulk()
		}
		if err != nil || !whole {
			r.err = err
			return nil, false, err
		}
		r.start, r.scanned = r.pos, r.pos
		if r.err = r.take(0); r.err != nil {
			return nil, false, r.err
		}
		if last := len(r.args); last > first {
			return r.args[first:last:last], true, nil
		}
	}
	return nil, false, nil
}

// multibulk continues a request "*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n". It returns false when more bytes are needed. As in Redis, a line ends at its
// \r, whatever the byte after it, and a word is followed by any two bytes.
func (r *Reader) multibulk() (whole bool, err error) {
	if r.left == 0 {
		if whole, err = r.count(); !whole || err != nil {
			return false, err
		}
	}
	for r.left > 0 {
		if r.bulk < 0 {
			if whole, err = r.length(); !whole || err != nil {
				return false, err
			}
		}
		if r.end-r.pos < r.bulk+2 {
			return false, nil
		}
		if r.begun.Len() == 0 {
			from := r.pos - r.start
			r.spans = append(r.spans, span{uint32(from), uint32(from + r.bulk)})
		}
		r.pos += r.bulk + 2
		r.scanned, r.bulk = r.pos, -1
		r.left--
	}
	if r.begun.Len() > 0 {
		return true, r.join()
	}
	for _, s := range r.spans {
		r.args = append(r.args, r.mem[r.start+int(s.from):r.start+int(s.to):r.start+int(s.to)])
	}
	r.spans = r.spans[:0]
	return true, nil
}

// count reads the number of words: "*2\r\n". 0 or fewer is a request without words.
func (r *Reader) count() (ok bool, err error) {
	n, ok, err := r.number('*', "mbulk")
	switch {
	case !ok || err != nil:
		return false, err
	case n == notInteger || n > int64(r.limits.Args):
		return false, refused("invalid multibulk length")
	case r.restricted && n > restrictedArgs:
		return false, refused("unauthenticated multibulk length")
	}
	r.words = int(max(n, 0))
	r.left = r.words
	return true, nil
}

// length reads the length of the next word: "$4\r\n".
func (r *Reader) length() (ok bool, err error) {
	n, ok, err := r.number('$', "bulk")
	switch {
	case !ok || err != nil:
		return false, err
	case n < 0 || n > int64(r.limits.Bulk):
		return false, refused("invalid bulk length")
	case r.restricted && n > restrictedBulk:
		return false, refused("unauthenticated bulk length")
	case int64(r.begun.Len()+r.pos-r.start)+n+2 > int64(r.limits.Request):
		return false, refused("too big request")
	}
	r.bulk = int(n)
	return true, nil
}

// number reads a line of a kind and a number: "$4\r\n". If ok is false, the line has not arrived whole. name is that of the number in errors.
func (r *Reader) number(kind byte, name string) (n int64, ok bool, err error) {
	if r.scanned == r.pos {
		if n, size := short(r.mem[r.pos:r.end], kind); size > 0 {
			r.pos += size
			r.scanned = r.pos
			return n, true, nil
		}
	}
	line, ok, err := r.line(name)
	if !ok || err != nil {
		return 0, false, err
	}
	if len(line) == 0 || line[0] != kind {
		got := append(line, '\r')[:1] // the first byte of the line with its end
		return 0, false, refused(fmt.Sprintf("expected '%c', got '%s'", kind, got))
	}
	n, isInt := ParseInt(line[1:])
	if !isInt {
		n = notInteger
	}
	return n, true, nil
}

// line returns the bytes up to the next \r, and continues two bytes after it.
func (r *Reader) line(name string) (line []byte, ok bool, err error) {
	at := bytes.IndexByte(r.mem[r.scanned:r.end], '\r')
	if at < 0 {
		at = r.end - r.scanned
	}
	r.scanned += at
	switch {
	case r.scanned-r.pos > r.limits.Inline:
		return nil, false, refused("too big " + name + " count string")
	case r.scanned+1 >= r.end:
		return nil, false, nil
	}
	line = r.mem[r.pos:r.scanned]
	r.pos = r.scanned + 2
	r.scanned = r.pos
	return line, true, nil
}

// short reads a whole line with one to four digits, the usual case, and returns its size; 0 for any other line.
func short(b []byte, kind byte) (n int64, size int) {
	if len(b) < 4 || b[0] != kind {
		return 0, 0
	}
	for i, c := range b[1:min(len(b)-1, 6)] {
		digit := c - '0'
		switch {
		case c == '\r' && i > 0:
			return n, i + 3
		case digit > 9 || i > 0 && n == 0:
			return 0, 0
		}
		n = n*10 + int64(digit)
	}
	return 0, 0
}

// notInteger is the result of number for a line without one. No limit allows it.
const notInteger = math.MaxInt64
