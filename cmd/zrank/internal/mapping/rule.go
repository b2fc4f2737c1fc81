package mapping

import "regexp"

// Rule is a rule of a map file.
type Rule struct {
	Key    string `json:"key"`
	Board  string `json:"board"`
	Window string `json:"window"` // "": the first of the board
	Score  string `json:"score"`  // formula; "": the score is the points
	Unit   string `json:"unit"`   // of the time: s or ms; "": s

	pattern *regexp.Regexp
	kind    string // of the placeholder; "": none
	layout  string // of a date
	formula Formula
}

// Formula returns how the scores were made.
func (r *Rule) Formula() Formula { return r.formula }

// HasPeriod reports whether the key says which period it becomes.
func (r *Rule) HasPeriod() bool { return r.kind != "" }
