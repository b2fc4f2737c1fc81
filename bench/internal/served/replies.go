package served

import (
	"bytes"
	"fmt"
)

// skip returns how many bytes the first reply in b has, and 0 if it has not come whole. A reply that is an error is one.
func skip(b []byte) (int, error) {
	at := 0
	for parts := 1; parts > 0; parts-- { // an array has parts
		end := bytes.IndexByte(b[at:], '\n')
		if end < 0 {
			return 0, nil
		}
		line := b[at : at+end]
		if len(line) < 2 {
			return 0, fmt.Errorf("reply %q", line)
		}
		at += end + 1
		switch line[0] {
		case ':', '+':
		case '$':
			at += max(0, number(line)) + len("\r\n")
		case '*':
			parts += number(line)
		default:
			return 0, fmt.Errorf("reply %q", line)
		}
		if at > len(b) {
			return 0, nil
		}
	}
	return at, nil
}

// number reads the number of a line such as "$20\r". One that is none is nil, which no command here should answer.
func number(line []byte) (n int) {
	for _, c := range line[1 : len(line)-1] {
		n = 10*n + int(c-'0')
	}
	return n
}
