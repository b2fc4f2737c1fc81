package resptest

import (
	"fmt"
	"strconv"
	"strings"
)

// Row is a line of a recording: a command and its reply.
type Row struct {
	Line  int
	Words []string
	Want  Value
}

// ParseRecording reads a recording as zset/testdata has them: a command, " => " and the reply, as Reply.String writes it. Lines that begin
// with # are comments. It returns an error that names the line.
func ParseRecording(text string) ([]Row, error) {
	var rows []Row
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		command, reply, ok := strings.Cut(line, " => ")
		words, err := Split(command)
		if !ok || err != nil {
			return nil, fmt.Errorf("resptest: line %d: %q: a command and its reply are wanted: %v", i+1, line, err)
		}
		want, rest, err := parseText(reply, "")
		if err != nil || rest != "" {
			return nil, fmt.Errorf("resptest: line %d: reply %q, and %q left over: %v", i+1, reply, rest, err)
		}
		rows = append(rows, Row{i + 1, words, want})
	}
	return rows, nil
}

// parseText is the inverse of Value.String. It reads the first value of s and returns the rest. The text of an error or a status extends to the
// first byte of ends, so inside an array it must be the last item.
func parseText(s, ends string) (v Value, rest string, err error) {
	s = strings.TrimLeft(s, " ")
	switch {
	case s == "":
		return v, "", fmt.Errorf("a value is missing")
	case s[0] == '"':
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return v, s, err
		}
		text, err := strconv.Unquote(quoted)
		return Value{Kind: '$', Text: text}, s[len(quoted):], err
	case strings.HasPrefix(s, "$-1"), strings.HasPrefix(s, "*-1"):
		return Value{Kind: s[0], Null: true}, s[3:], nil
	case s[0] == '*', s[0] == '%', s[0] == '~':
		return parseItems(s)
	}
	if s[0] != '-' && s[0] != '+' {
		ends += " "
	}
	end := strings.IndexAny(s, ends)
	if end < 0 {
		end = len(s)
	}
	return Value{Kind: s[0], Text: s[1:end]}, s[end:], nil
}

func parseItems(s string) (v Value, rest string, err error) {
	v.Kind = s[0]
	rest = s[min(2, len(s)):]
	for {
		rest = strings.TrimLeft(rest, " ")
		if rest == "" {
			return v, rest, fmt.Errorf("%q does not end", s)
		}
		if rest[0] == ']' || rest[0] == '}' {
			return v, rest[1:], nil
		}
		var item Value
		if item, rest, err = parseText(rest, "]}"); err != nil {
			return v, rest, err
		}
		v.Items = append(v.Items, item)
	}
}
