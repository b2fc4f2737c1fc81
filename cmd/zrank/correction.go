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

// changeList writes the changes of a correction, which "zrank settle --period" makes, a line each.
var changeList = show.List[awards.Change]{
	Empty:   "nothing changes",
	Sparse:  true,
	Columns: []string{"rank", "member", "was", "is", "granted", "to grant", "too much"},
	Right:   []int{1},
	Cells: func(x awards.Change, people bool) []string {
		member := x.Member
		if people {
			member = show.Name(member)
		}
		return []string{show.Number(x.Rank), member, show.TierNames(x.Was), show.TierNames(x.Is), show.TierNames(x.Granted), show.TierNames(x.ToGrant), show.TierNames(x.TooMuch)}
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
