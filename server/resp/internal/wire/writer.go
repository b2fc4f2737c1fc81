package wire

import (
	"strconv"
	"strings"
)

// Status writes a simple string: "+QUEUED". It must have no \r and no \n.
func (w *Writer) Status(s string) { w.line('+', s) }

// Error writes an error: its kind in capitals, a space, and a text. As in Redis, ends of lines inside it become spaces, and those at its end are
// dropped.
func (w *Writer) Error(s string) {
	if s = strings.TrimRight(s, "\r\n"); strings.ContainsAny(s, "\r\n") {
		s = strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
	}
	w.line('-', s)
}

// Int writes an integer.
func (w *Writer) Int(n int64) { w.number(':', n) }

// Bulk writes a string of any bytes.
func (w *Writer) Bulk(b []byte) { bulk(w, '$', "", b) }

// BulkString writes a string of any bytes.
func (w *Writer) BulkString(s string) { bulk(w, '$', "", s) }

// bulk writes a length and a text of that length: prefix and text. kind is the first byte of the reply.
func bulk[T []byte | string](w *Writer, kind byte, prefix string, text T) {
	size := len(prefix) + len(text)
	switch {
	case w.fits(size + lineBytes):
		w.head(kind, size)
		w.Buf = append(append(w.Buf, prefix...), text...)
		w.end()
	case w.allows(size+lineBytes) && w.fits(lineBytes):
		w.head(kind, size)
		long(w, prefix)
		long(w, text)
		long(w, "\r\n")
	}
}

// Null writes null in place of a string or a number.
func (w *Writer) Null() { w.either("$-1\r\n", "_\r\n") }

// NullArray writes null in place of an array.
func (w *Writer) NullArray() { w.either("*-1\r\n", "_\r\n") }

// Array begins an array; n replies must follow.
func (w *Writer) Array(n int) { w.number('*', int64(n)) }

// Map begins a map of n pairs; 2n replies must follow. In RESP2 it is an array of 2n.
func (w *Writer) Map(n int) {
	if w.Protocol == 3 {
		w.number('%', int64(n))
		return
	}
	w.Array(2 * n)
}

// Set begins a set; n replies must follow. In RESP2 it is an array.
func (w *Writer) Set(n int) { w.aggregate('~', n) }

// Push begins a message that answers no request; n replies must follow. In RESP2 it is an array.
func (w *Writer) Push(n int) { w.aggregate('>', n) }

// Double writes a score, in RESP2 as a string.
func (w *Writer) Double(f float64) {
	if w.Protocol == 3 {
		if w.fits(lineBytes) {
			w.Buf = AppendScore(append(w.Buf, ','), f, w.Scores)
			w.end()
		}
		return
	}
	var buf [scoreBytes]byte
	w.Bulk(AppendScore(buf[:0], f, w.Scores))
}

// Bool writes true or false, in RESP2 1 or 0.
func (w *Writer) Bool(yes bool) {
	if yes {
		w.either(":1\r\n", "#t\r\n")
		return
	}
	w.either(":0\r\n", "#f\r\n")
}

// Verbatim writes a text with its format in three letters ("txt"), in RESP2 as a string.
func (w *Writer) Verbatim(format, text string) {
	if w.Protocol != 3 {
		w.BulkString(text)
		return
	}
	bulk(w, '=', format+":", text)
}

func (w *Writer) aggregate(kind byte, n int) {
	if w.Protocol != 3 {
		kind = '*'
	}
	w.number(kind, int64(n))
}

func (w *Writer) either(resp2, resp3 string) {
	if w.Protocol == 3 {
		resp2 = resp3
	}
	if w.fits(len(resp2)) {
		w.Buf = append(w.Buf, resp2...)
	}
}

func (w *Writer) number(kind byte, n int64) {
	if w.fits(lineBytes) {
		w.Buf = strconv.AppendInt(append(w.Buf, kind), n, 10)
		w.end()
	}
}

// head writes the first line of a reply with a size. The caller has called fits.
func (w *Writer) head(kind byte, size int) {
	w.Buf = strconv.AppendInt(append(w.Buf, kind), int64(size), 10)
	w.end()
}

func (w *Writer) line(kind byte, s string) {
	switch {
	case w.fits(len(s) + 3):
		w.Buf = append(append(w.Buf, kind), s...)
		w.end()
	case w.allows(len(s) + 3):
		long(w, string(kind))
		long(w, s)
		long(w, "\r\n")
	}
}

func (w *Writer) end() { w.Buf = append(w.Buf, '\r', '\n') }

// OK writes "+OK".
func (w *Writer) OK() { w.line('+', "OK") }

// lineBytes is the most bytes of a line without a text.
const lineBytes = scoreBytes + 8
