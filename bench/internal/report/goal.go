package report

import "github.com/zrankdb/zrank/bench/internal/figure"

// Goal is one row of the design's section 8 that concerns the disk.
type Goal struct {
	What   string        `json:"what"`
	Line   string        `json:"line"`
	Metric figure.Metric `json:"metric"`
	// Peer is the system whose figure ours is divided by. With one the quotient is to be at least Limit; without, the
	// figure at most.
	Peer  string  `json:"peer,omitempty"`
	Limit float64 `json:"limit"`
	At    int     `json:"at"` // number of members the design states it for; 0 for any
}

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
	var ok bool
	if g.Peer == "" {
		o.Found, ok = s.stat(g.Line, zrank, g.Metric)
	} else {
		o.Found, ok = s.ratioTo(g.Line, zrank, g.Line, g.Peer, g.Metric, g.Metric)
	}
	switch {
	case !ok:
	case g.Peer == "" && o.Found.Value <= g.Limit, g.Peer != "" && o.Found.Value >= g.Limit:
		o.Verdict = Met
	default:
		o.Verdict = Missed
	}
	return o
}
