package boardtest

import (
	"errors"
	"fmt"
	"strings"
)

// Scenario is a parsed scenario file.
type Scenario struct {
	Name  string // of the file
	Title string // the first line, which says what the scenario is for
	lines []line
}

// line is a command and its answer.
type line struct {
	number   int // in the file, from 1
	text     string
	command  *command
	run      action
	want     string // the answer
	answered bool   // the line has an answer
}

// Parse reads a scenario. Its error names every line that cannot be read. O(length).
func Parse(name, text string) (*Scenario, error) {
	s := &Scenario{Name: name}
	title, ok := strings.CutPrefix(strings.SplitN(text, "\n", 2)[0], "# ")
	if !ok {
		return nil, fmt.Errorf("%s:1: want a comment that says what the scenario is for", name)
	}
	s.Title = title
	var errs []error
	for _, l := range join(text) {
		if err := l.parse(); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, l.number, err))
		}
		s.lines = append(s.lines, l)
	}
	if len(s.lines) == 0 {
		errs = append(errs, fmt.Errorf("%s: has no commands", name))
	}
	return s, errors.Join(errs...)
}

// join returns the lines of a text without comments. It appends a line that begins with a blank to the line before it.
func join(text string) (lines []line) {
	for i, raw := range strings.Split(text, "\n") {
		plain := strings.TrimSpace(raw)
		switch {
		case plain == "" || strings.HasPrefix(plain, "#"):
		case (raw[0] == ' ' || raw[0] == '\t') && len(lines) > 0:
			lines[len(lines)-1].text += " " + plain
		default:
			lines = append(lines, line{number: i + 1, text: plain})
		}
	}
	return lines
}

// parse reads the command and the answer.
func (l *line) parse() error {
	text, want, answered := strings.Cut(l.text, "->")
	l.want, l.answered = strings.Join(strings.Fields(want), " "), answered
	if answered && l.want == "" {
		return errors.New("no answer stands behind ->")
	}
	a, err := split(text)
	if err != nil {
		return err
	}
	name := a.word("the command")
	l.command = commands[name]
	if l.command == nil {
		return fmt.Errorf("unknown command %q", name)
	}
	l.run = l.command.parse(a)
	if err := a.done(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if l.command.reads && !answered {
		return fmt.Errorf("%s: want an answer", name)
	}
	return nil
}

// Between returns a scenario that runs another command after every command, "reopen" or "kill" for instance. The answers must stay the
// same.
func (s *Scenario) Between(text string) (*Scenario, error) {
	between := *s
	between.lines = nil
	for _, l := range s.lines {
		extra := line{number: l.number, text: text}
		if err := extra.parse(); err != nil {
			return nil, fmt.Errorf("between: %w", err)
		}
		between.lines = append(between.lines, l, extra)
	}
	return &between, nil
}
