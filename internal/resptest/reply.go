package resptest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Reply is one reply, as the bytes that arrived.
type Reply []byte

// Value is a parsed reply.
type Value struct {
	Kind  byte    // its first byte: '+', '-', ':', '$', '*', and in RESP3 ',', '_', '%', '~' and others
	Null  bool    // "$-1" or "*-1"
	Text  string  // of a value without items, without its length
	Items []Value // of an aggregate; of a map, keys and values in turn
}

// IsError reports whether the reply is an error.
func (r Reply) IsError() bool { return len(r) > 0 && r[0] == '-' }

// Value parses the reply, which must be whole, as Conn.Read returns it.
func (r Reply) Value() Value {
	v, _ := parse(r)
	return v
}

// String writes the reply as the recordings in zset/testdata have it: "text", :integer, +status, -error, *[items] and
// %{items}, $-1 and *-1 for null; in RESP3 ,double and _ for null.
func (r Reply) String() string { return r.Value().String() }

// parse parses the first value of b, and returns the bytes after it.
func parse(b []byte) (v Value, rest []byte) {
	line, rest, _ := bytes.Cut(b, []byte("\r\n"))
	if len(line) == 0 {
		return v, nil
	}
	v.Kind, v.Text = line[0], string(line[1:])
	if !strings.ContainsRune("$=!*~>%|", rune(v.Kind)) {
		return v, rest
	}
	n, err := strconv.Atoi(v.Text)
	v.Text = ""
	if err != nil || n < 0 {
		v.Null = true
		return v, rest
	}
	if strings.ContainsRune("$=!", rune(v.Kind)) {
		n = min(n, len(rest))
		v.Text = string(rest[:n])
		return v, rest[min(n+2, len(rest)):]
	}
	if v.Kind == '%' || v.Kind == '|' {
		n *= 2
	}
	for len(v.Items) < n && len(rest) > 0 {
		var item Value
		item, rest = parse(rest)
		v.Items = append(v.Items, item)
	}
	return v, rest
}

// String writes the value as Reply.String does.
func (v Value) String() string {
	switch {
	case v.Null:
		return string(v.Kind) + "-1"
	case v.Kind == '$':
		return strconv.Quote(v.Text)
	case v.Kind == '*':
		return "*[" + v.items() + "]"
	case strings.ContainsRune("~>%|", rune(v.Kind)):
		return string(v.Kind) + "{" + v.items() + "}"
	case strings.ContainsRune("=!", rune(v.Kind)):
		return string(v.Kind) + strconv.Quote(v.Text)
	}
	return string(v.Kind) + v.Text
}

func (v Value) items() string {
	words := make([]string, len(v.Items))
	for i, item := range v.Items {
		words[i] = item.String()
	}
	return strings.Join(words, " ")
}

// sorted returns an aggregate whose items are sorted by their text, in groups of the given size, such as members with their scores.
func (v Value) sorted(group int) Value {
	groups := slices.Collect(slices.Chunk(v.Items, group))
	slices.SortFunc(groups, func(a, b []Value) int {
		return strings.Compare(Value{Items: a}.items(), Value{Items: b}.items())
	})
	v.Items = slices.Concat(groups...)
	return v
}
