package report

import (
	"encoding/json"
	"io"
)

// Report is everything one comparison found.
type Report struct {
	Machine     Machine     `json:"machine"`
	N           int         `json:"n"`
	Repetitions int         `json:"repetitions"`
	Seed        uint64      `json:"seed"`
	MemberBytes int         `json:"member_bytes"`
	Peers       []string    `json:"peers"` // in the order of the columns
	Runs        []Run       `json:"runs"`
	Targets     []Judgement `json:"targets"`
}

// WriteJSON writes the report with every raw figure.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
