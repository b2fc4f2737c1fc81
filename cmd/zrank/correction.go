package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// changeInfo is one line of "zrank settle --period": how a correction changes the award of a member.
type changeInfo struct {
	Member  string        `json:"member"`
	Hex     string        `json:"memberHex,omitempty"` // of a member that is not UTF-8
	Rank    int           `json:"rank,omitempty"`      // 0: nothing is due any more
	Was     []awards.Tier `json:"was,omitempty"`
	Is      []awards.Tier `json:"is,omitempty"`
	Granted []awards.Tier `json:"granted,omitempty"`
	ToGrant []awards.Tier `json:"toGrant,omitempty"`
	TooMuch []awards.Tier `json:"tooMuch,omitempty"`
}

// changeList writes the changes of a correction, a line each.
var changeList = show.List[changeInfo]{
	Empty:   "nothing changes",
	Sparse:  true,
	Columns: []string{"rank", "member", "was", "is", "granted", "to grant", "too much"},
	Right:   []int{1},
	Cells: func(x changeInfo, people bool) []string {
		member := x.Member
		if people {
			member = show.Name(member)
		}
		return []string{number(x.Rank), member, names(x.Was), names(x.Is), names(x.Granted), names(x.ToGrant), names(x.TooMuch)}
	},
}

// readPlan reads a plan of awards from a JSON file.
func readPlan(path string) (*awards.Plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if text, err = jsontext.Clean(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	plan := new(awards.Plan)
	if err := read.Decode(plan); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return plan, nil
}
