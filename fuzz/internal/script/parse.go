package script

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a script: one operation a line. It skips empty lines and lines that begin with #.
func Parse(text string) ([]Op, error) {
	var script []Op
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		op, err := ParseOp(line)
		if err != nil {
			return nil, fmt.Errorf("fuzz: line %d: %w", i+1, err)
		}
		script = append(script, op)
	}
	return script, nil
}

// Print is the inverse of Parse.
func Print(script []Op) string {
	var b strings.Builder
	for _, op := range script {
		b.WriteString(op.String() + "\n")
	}
	return b.String()
}

// ParseOp reads one line.
func ParseOp(line string) (Op, error) {
	words, err := split(line)
	if err != nil {
		return Op{}, err
	}
	op := Op{Kind: words[0]}
	k, ok := kindOf[op.Kind]
	if !ok {
		return Op{}, fmt.Errorf("no operation is called %q", op.Kind)
	}
	if len(words) != 1+len(k.args) {
		return Op{}, fmt.Errorf("%s takes %d arguments, not %d", op.Kind, len(k.args), len(words)-1)
	}
	for i, a := range k.args {
		if err := op.set(a, words[1+i]); err != nil {
			return Op{}, err
		}
	}
	return op, nil
}

// set reads one argument.
func (op *Op) set(arg rune, word string) (err error) {
	switch v := op.field(arg).(type) {
	case *string:
		*v = word
	case *float64:
		*v, err = strconv.ParseFloat(word, 64)
	case *uint64:
		*v, err = strconv.ParseUint(word, 10, 64)
	case *int:
		*v, err = strconv.Atoi(word)
	}
	return err
}

// split splits a line into words and unquotes quoted ones.
func split(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t") {
		if line[0] != '"' {
			end := strings.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, line[:end]), line[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("a quoted word in %q does not end", line)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words, line = append(words, word), line[len(quoted):]
	}
	return words, nil
}
