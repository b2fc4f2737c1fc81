package wire

import "bytes"

// inline continues an inline request: one line of words, separated by spaces. A word in quotes may contain spaces.
func (r *Reader) inline() (whole bool, err error) {
	at := bytes.IndexByte(r.mem[r.scanned:r.end], '\n')
	found := at >= 0
	if !found {
		at = r.end - r.scanned
	}
	r.scanned += at
	if r.scanned-r.pos > r.limits.Inline {
		return false, refused("too big inline request")
	}
	if !found {
		return false, nil
	}
	line := bytes.TrimSuffix(r.mem[r.pos:r.scanned], []byte{'\r'})
	r.pos = r.scanned + 1
	return true, r.split(line)
}

// split splits a line into words. An unquoted word is never longer than its text with quotes, so it is written over that text.
func (r *Reader) split(line []byte) error {
	for {
		for len(line) > 0 && isSpace(line[0]) {
			line = line[1:]
		}
		if len(line) == 0 {
			return nil
		}
		word, rest, ok := firstWord(line)
		if !ok {
			return refused("unbalanced quotes in request")
		}
		r.args = append(r.args, word)
		line = rest
	}
}

// firstWord returns the first word of a line, and the rest. Quotes may begin and end anywhere in a word.
func firstWord(line []byte) (word, rest []byte, ok bool) {
	for i, c := range line {
		switch c {
		case ' ', '\n', '\r', '\t':
			return line[:i:i], line[i:], true
		case '"', '\'':
			return quoted(line, i)
		}
	}
	return line[:len(line):len(line)], nil, true
}

// quoted unquotes the part of a word that begins with the quote line[open], and returns the word up to its end. After the closing quote there
// must be a space or the end of the line.
func quoted(line []byte, open int) (word, rest []byte, ok bool) {
	quote, to := line[open], open
	for i := open + 1; i < len(line); i++ {
		c, more := line[i], 0
		switch {
		case c == quote:
			rest = line[i+1:]
			return line[:to:to], rest, len(rest) == 0 || isSpace(rest[0])
		case c == '\\' && quote == '"':
			c, more = escaped(line[i:])
		case c == '\\' && i+1 < len(line) && line[i+1] == '\'':
			c, more = '\'', 1
		}
		line[to] = c
		to++
		i += more
	}
	return nil, nil, false
}

// escaped returns the byte that an escape in double quotes stands for, and the number of its bytes after the backslash.
func escaped(s []byte) (c byte, more int) {
	if len(s) >= 4 && s[1] == 'x' && hexDigit(s[2]) >= 0 && hexDigit(s[3]) >= 0 {
		return byte(hexDigit(s[2])<<4 | hexDigit(s[3])), 3
	}
	if len(s) < 2 {
		return s[0], 0
	}
	switch s[1] {
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'b':
		return '\b', 1
	case 'a':
		return '\a', 1
	}
	return s[1], 1
}

// isSpace reports whether a byte is a space to C.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
