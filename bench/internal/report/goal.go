package report

import (
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Goal is one row of the design's section 8 that concerns the disk, or what an issue asks for.
type Goal struct {
	What string `json:"what"`
	// Line is where the figure stands. It has several lines, parted by spaces, if the goal is for each of them: the one that is
	// furthest from it counts.
	Line   string        `json:"line"`
	Metric figure.Metric `json:"metric"`
	// Peer is the system whose figure ours is divided by. With one the quotient is to be at least Limit, or at most if Most says so;
	// without, the figure at most.
	Peer  string  `json:"peer,omitempty"`
	Most  bool    `json:"most,omitempty"`
	Limit float64 `json:"limit"`
	At    int     `json:"at"` // number of members it is stated for; 0 for any
	// Log is how many bytes of log it is stated for, 0 for any: the line's own figure.Log says whether there were so many. What was
	// found with fewer says nothing of the goal.
	Log float64 `json:"log,omitempty"`
}

// least reports whether the figure is to be at least Limit, not at most.
func (g Goal) least() bool { return g.Peer != "" && !g.Most }

// Outcome is a goal with what was found.
type Outcome struct {
	Goal
	Found   Stat    `json:"found"` // a median with its range
	Verdict Verdict `json:"verdict"`
}

// outcomes holds every goal of the sheet's kind against its samples.
func (s *Sheet) outcomes() []Outcome {
	var list []Outcome
	for _, g := range layouts[s.Kind].goals {
		list = append(list, s.outcome(g))
	}
	return list
}

func (s *Sheet) outcome(g Goal) Outcome {
	o := Outcome{Goal: g, Verdict: NotMeasured}
	for line := range strings.FieldsSeq(g.Line) {
		found, ok := s.against(g, line)
		if ok && (o.Verdict == NotMeasured || found.Value < o.Found.Value == g.least()) {
			o.Found, o.Verdict = found, Missed
		}
	}
	if o.Verdict == Missed && (o.Found.Value == g.Limit || o.Found.Value > g.Limit == g.least()) {
		o.Verdict = Met
	}
	return o
}

// against returns what a goal's limit is held against on one line, and false if it was not measured, or not with the log that the
// goal is stated for.
func (s *Sheet) against(g Goal, line string) (Stat, bool) {
	if log, _ := s.stat(line, zrank, figure.Log); log.Min < g.Log {
		return Stat{}, false
	}
	if g.Peer == "" {
		return s.stat(line, zrank, g.Metric)
	}
	return s.ratioTo(line, zrank, line, g.Peer, g.Metric, g.Metric)
}
