package resptest

import (
	"fmt"
	"strconv"
	"strings"
)

// Step is a command on one of a script's connections.
type Step struct {
	Conn  int // from 0
	Words []string
}

// Script is a list of steps that are played one after the other. Its text has a line for each step: words separated by blanks. A word with
// special characters is q"…", in Go's quotes. "2> " before the words names the connection; the default is 0. Lines that begin with # are
// comments.
type Script []Step

// Parse reads the text of a script. It returns an error that names the line.
func Parse(text string) (Script, error) {
	var s Script
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var step Step
		if number, rest, ok := strings.Cut(line, "> "); ok {
			if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < Conns {
				step.Conn, line = n, rest
			}
		}
		var err error
		if step.Words, err = Split(line); err != nil {
			return nil, fmt.Errorf("resptest: line %d: %w", i+1, err)
		}
		s = append(s, step)
	}
	return s, nil
}

// String writes the script's text.
func (s Script) String() string {
	var b strings.Builder
	for _, step := range s {
		b.WriteString(step.String() + "\n")
	}
	return b.String()
}

// String writes the step as a line of a script.
func (s Step) String() string {
	if s.Conn == 0 {
		return Join(s.Words)
	}
	return fmt.Sprintf("%d> %s", s.Conn, Join(s.Words))
}

// Split splits a line into words: q"…" is a word in Go's quotes, "" an empty word, and any other text is a word as it is. It
// returns an error for invalid quotes.
func Split(line string) ([]string, error) {
	words := strings.Fields(line)
	for i, word := range words {
		if word == `""` {
			words[i] = ""
		}
		if quoted, ok := strings.CutPrefix(word, "q"); ok && strings.HasPrefix(quoted, `"`) {
			var err error
			if words[i], err = strconv.Unquote(quoted); err != nil {
				return nil, fmt.Errorf("%s: %w", word, err)
			}
		}
	}
	return words, nil
}

// Join is the inverse of Split.
func Join(words []string) string {
	line := make([]string, len(words))
	for i, w := range words {
		line[i] = w
		quoted := strings.ReplaceAll(strconv.Quote(w), " ", `\x20`)
		if quoted[1:len(quoted)-1] != w || w == "" || strings.HasPrefix(w, "q") || strings.HasPrefix(w, "#") {
			line[i] = "q" + quoted
		}
	}
	return strings.Join(line, " ")
}

// Conns is the number of connections that a script may use.
const Conns = 3
