package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Sheet is everything that a command other than compare found.
type Sheet struct {
	Kind        string    `json:"kind"` // Durable, Recover, Engine, Keyspace, Pauses, Boards, Resp, Growth, Latency
	Command     string    `json:"command"`
	Machine     Machine   `json:"machine"`
	Disk        disk.Disk `json:"disk"` // zero where none is measured
	Rounds      int       `json:"rounds"`
	Seed        uint64    `json:"seed"`
	N           int       `json:"n"`
	Load        string    `json:"load,omitempty"`     // says more of n; empty: it is members, in one set
	Workload    string    `json:"workload,omitempty"` // of Growth and Latency; empty: uniform
	MemberBytes int       `json:"member_bytes"`
	Samples     []Sample  `json:"samples"`
	Goals       []Outcome `json:"goals"`
}

// Sample is what one process found.
type Sample struct {
	Line    string         `json:"line"` // what was measured
	System  string         `json:"system"`
	Round   int            `json:"round"`
	Seconds float64        `json:"seconds"` // of the whole process
	Figures figure.Figures `json:"figures"`
	N       int            `json:"n,omitempty"`      // members, in a Growth sheet
	Points  [][2]float64   `json:"points,omitempty"` // in a Latency sheet: percentile and ns, for a plot
}

// WriteJSON writes the sheet with every raw figure, held against the goals.
func (s *Sheet) WriteJSON(w io.Writer) error {
	s.Goals = s.outcomes()
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// readSheet reads what WriteJSON wrote. The goals are those of today.
func readSheet(text []byte) (*Sheet, error) {
	s := new(Sheet)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if _, ok := layouts[s.Kind]; !ok {
		return nil, fmt.Errorf("not a report: nothing is known of the kind %q", s.Kind)
	}
	if len(s.Samples) == 0 {
		return nil, errors.New("not a report: it has no samples")
	}
	return s, nil
}

// stat returns a figure over the rounds, and false if there is none.
func (s *Sheet) stat(line, system string, m figure.Metric) (Stat, bool) {
	var values []float64
	for _, v := range s.byRound(line, system, m) {
		values = append(values, v)
	}
	if len(values) == 0 {
		return Stat{}, false
	}
	return stat(values, false), true
}

// byRound returns a figure of every round that has it.
func (s *Sheet) byRound(line, system string, m figure.Metric) map[int]float64 {
	found := map[int]float64{}
	for _, x := range s.Samples {
		if v, ok := x.Figures[m]; ok && x.Line == line && x.System == system {
			found[x.Round] = v
		}
	}
	return found
}

// ratioTo returns the quotient of two systems' figures, taken round by round: what the machine did in a round, it did to
// both. False if no round has both.
func (s *Sheet) ratioTo(line, system, peerLine, peer string, m figure.Metric, peerMetric figure.Metric) (Stat, bool) {
	theirs := s.byRound(peerLine, peer, peerMetric)
	var values []float64
	for round, v := range s.byRound(line, system, m) {
		if t := theirs[round]; t > 0 {
			values = append(values, v/t)
		}
	}
	if len(values) == 0 {
		return Stat{}, false
	}
	return stat(values, false), true
}

// of returns the sheet with only the samples of so many members.
func (s *Sheet) of(n int) *Sheet {
	only := *s
	only.Samples = nil
	for _, x := range s.Samples {
		if x.N == n {
			only.Samples = append(only.Samples, x)
		}
	}
	return &only
}

// hasRedis reports whether there was one.
func (s *Sheet) hasRedis() bool {
	return slices.ContainsFunc(s.Samples, func(x Sample) bool { return strings.HasPrefix(x.System, Redis) })
}
