package replica

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

const (
	maxWords = 1 << 20
	maxWord  = 512 << 20 // as proto-max-bulk-len
)

// stream reads commands as the source sends them.
type stream struct{ r *bufio.Reader }

// command is a command with its bytes.
type command struct {
	raw   []byte
	words [][]byte // parts of raw
}

// next reads a command. Errors: those of the connection; a text that is no command. Memory is taken as bytes come, whatever the lengths say.
func (s *stream) next() (c command, err error) {
	line, err := s.line(&c.raw)
	if err != nil {
		return c, err
	}
	if len(line) == 0 { // a byte by which an old source says that it is there
		return c, nil
	}
	n, err := number(line, '*', maxWords)
	if err != nil {
		return c, err
	}
	var ends [][2]int
	for range n {
		line, err := s.line(&c.raw)
		if err != nil {
			return c, err
		}
		size, err := number(line, '$', maxWord)
		if err != nil {
			return c, err
		}
		from := len(c.raw)
		if err := s.bytes(&c.raw, size+2); err != nil {
			return c, err
		}
		ends = append(ends, [2]int{from, from + size})
	}
	for _, x := range ends {
		c.words = append(c.words, c.raw[x[0]:x[1]])
	}
	return c, nil
}

// line appends a line with its end to raw, and returns it without.
func (s *stream) line(raw *[]byte) ([]byte, error) {
	from := len(*raw)
	for {
		part, err := s.r.ReadSlice('\n')
		*raw = append(*raw, part...)
		if err == nil {
			return bytes.TrimRight((*raw)[from:], "\r\n"), nil
		}
		if err != bufio.ErrBufferFull || len(*raw)-from > 1<<16 {
			return nil, fmt.Errorf("replica: a line without an end: %w", err)
		}
	}
}

const chunk = 1 << 16

// bytes appends n bytes to raw.
func (s *stream) bytes(raw *[]byte, n int) error {
	for n > 0 {
		step := min(n, chunk)
		from := len(*raw)
		*raw = append(*raw, make([]byte, step)...)
		if _, err := io.ReadFull(s.r, (*raw)[from:]); err != nil {
			return err
		}
		n -= step
	}
	return nil
}

// number reads a line with a kind and a number from 0 to most.
func number(line []byte, kind byte, most int) (int, error) {
	if len(line) > 1 && line[0] == kind {
		if n, err := strconv.Atoi(string(line[1:])); err == nil && n >= 0 && n <= most {
			return n, nil
		}
	}
	return 0, fmt.Errorf("replica: %.64q is not what a source sends", line)
}

// reply reads a reply whole, and returns its first line, and the first error in it.
func (s *stream) reply() (line string, failure string, err error) {
	var raw []byte
	text, err := s.line(&raw)
	if err != nil || len(text) == 0 {
		return "", "", err
	}
	line = string(text)
	switch text[0] {
	case '-':
		return line, line[1:], nil
	case '$':
		if n, err := strconv.Atoi(line[1:]); err != nil || n >= 0 {
			if err != nil || n > maxWord {
				return line, "", fmt.Errorf("replica: %.64q is no reply", line)
			}
			var body []byte
			return line, "", s.bytes(&body, n+2)
		}
	case '*':
		n, err := strconv.Atoi(line[1:])
		if err != nil || n > maxWords {
			return line, "", fmt.Errorf("replica: %.64q is no reply", line)
		}
		for range n {
			_, inner, err := s.reply()
			if err != nil {
				return line, "", err
			}
			if failure == "" {
				failure = inner
			}
		}
	}
	return line, failure, nil
}
