package mapping

import (
	"regexp"
	"strings"
)

// Rule is a rule of a map file.
type Rule struct {
	Key    string `json:"key"`
	Board  string `json:"board"`  // with {name}: a board for each name
	Window string `json:"window"` // "": the first of the board
	Score  string `json:"score"`  // formula; "": the score is the points
	Unit   string `json:"unit"`   // of the time: s or ms; "": s

	// WithoutTime takes the points only: the time may have lost digits.
	WithoutTime bool `json:"withoutTime"`

	pattern *regexp.Regexp
	kind    string // of the placeholder; "": none
	layout  string // of a date
	formula Formula
}

// Formula returns how the scores were made.
func (r *Rule) Formula() Formula { return r.formula }

// HasPeriod reports whether the key says which period it becomes.
func (r *Rule) HasPeriod() bool { return r.kind != "" }

// boardName stands in the board of a rule for what the key has in place of {name}.
const boardName = "{name}"

// Names reports whether the key says which board it belongs to.
func (r *Rule) Names() bool { return strings.Contains(r.Board, boardName) }

// Match is what a key has in place of placeholders.
type Match struct {
	Period string // "": the key has none
	Name   string // of {name}
}

// BoardOf returns the board of a key that matches.
func (r *Rule) BoardOf(m Match) string { return strings.ReplaceAll(r.Board, boardName, m.Name) }
