package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Report is everything one comparison found.
type Report struct {
	Command     string   `json:"command,omitempty"` // that makes it again, in bench; what it was is guessed where it is empty
	Machine     Machine  `json:"machine"`
	Repetitions int      `json:"repetitions"`
	Seed        uint64   `json:"seed"`
	MemberBytes int      `json:"member_bytes"`
	Workload    string   `json:"workload,omitempty"` // empty: uniform
	Peers       []string `json:"peers"`              // in the order of the columns, zset first
	Sizes       []Size   `json:"sizes"`
}

// Size is what was found with one number of members.
type Size struct {
	N       int         `json:"n"`
	Runs    []Run       `json:"runs"`
	Targets []Judgement `json:"targets"`
}

// NewSize holds the runs against the targets.
func NewSize(n int, runs []Run) Size {
	return Size{N: n, Runs: runs, Targets: Judge(Summarize(runs))}
}

// WriteJSON writes the report with every raw figure.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Document is a Report or a Sheet.
type Document interface {
	WriteJSON(io.Writer) error
	WriteTables(io.Writer) error
	WriteMarkdown(io.Writer) error
	About() About
	// Series returns every figure with what each repetition found.
	Series() []Series
	// Partner returns which of our systems a peer is held against in a line, which is empty of a Report.
	Partner(line, peer string) string
	// Section returns what a page shows of it.
	Section() (Section, error)
}

// Read reads what the WriteJSON of a Report or a Sheet wrote, and holds its figures against the targets of today.
func Read(from io.Reader) (Document, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var what struct{ Kind string }
	if err := json.Unmarshal(text, &what); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if what.Kind != "" {
		return readSheet(text)
	}
	return readReport(text)
}

func readReport(text []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if len(r.Peers) == 0 || r.Peers[0] != ours {
		return nil, errors.New("not a report: zset is not the first of its peers")
	}
	if len(r.Sizes) == 0 {
		return nil, errors.New("not a report: it has no sizes")
	}
	for i, s := range r.Sizes {
		for _, run := range s.Runs {
			if !slices.Contains(r.Peers, run.Peer) {
				return nil, fmt.Errorf("n = %d has a run of %q, which is not among the peers", s.N, run.Peer)
			}
		}
		r.Sizes[i] = NewSize(s.N, s.Runs)
	}
	return r, nil
}
