package peers

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Format is how Encode writes a page.
type Format uint8

// The formats of a page: of RESP an array of members and scores, each a bulk string, as ZRANGE WITHSCORES answers; of JSON an array of
// objects {"member":"ada","score":5}.
const (
	RESP Format = iota
	JSON
)

// begin appends what stands before n entries.
func (f Format) begin(dst []byte, n int) []byte {
	if f == JSON {
		return append(dst, '[')
	}
	return appendLine(dst, '*', 2*n)
}

// end appends what stands behind the entries, of which there is one at least.
func (f Format) end(dst []byte) []byte {
	if f == JSON {
		dst[len(dst)-1] = ']' // in place of the last comma
	}
	return dst
}

// appendEntry appends an entry. All peers encode with it.
func appendEntry[T string | []byte](dst []byte, f Format, member T, score float64) []byte {
	if f == JSON {
		dst = appendQuoted(append(dst, `{"member":`...), member)
		dst = strconv.AppendFloat(append(dst, `,"score":`...), score, 'g', -1, 64)
		return append(dst, "},"...)
	}
	dst = appendLine(dst, '$', len(member))
	dst = append(append(dst, member...), "\r\n"...)
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], score, 'g', -1, 64)
	dst = append(appendLine(dst, '$', len(text)), text...)
	return append(dst, "\r\n"...)
}

func appendLine(dst []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(dst, kind), int64(n), 10), "\r\n"...)
}

// appendQuoted appends a text as a string of JSON.
func appendQuoted[T string | []byte](dst []byte, text T) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := json.Marshal(string(text))
			must(err)
			return append(dst, quoted...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}
