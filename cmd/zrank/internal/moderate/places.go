package moderate

import (
	"strconv"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine/board"
)

// placeInfo is one line of a list of places.
type placeInfo struct {
	Window   string       `json:"window"`
	Period   string       `json:"period"`
	Closed   bool         `json:"closed"`
	Hidden   bool         `json:"hidden,omitempty"`
	Rank     int          `json:"rank,omitempty"`
	Score    *board.Score `json:"score,omitempty"`
	NewRank  int          `json:"newRank,omitempty"` // 0: the member is not ranked any more
	NewScore *board.Score `json:"newScore,omitempty"`
	Moved    int          `json:"moved"` // others with another rank in a closed period
}

// placesOf returns the lines of places.
func placesOf(all []board.Place) []placeInfo {
	list := make([]placeInfo, len(all))
	for i, p := range all {
		list[i] = placeInfo{p.Window, p.Period, p.Closed, p.Hidden, p.Rank, scoreOf(p.Score), p.NewRank, scoreOf(p.NewScore), p.Moved}
	}
	return list
}

// scoreOf returns a score, or nil if it has no columns.
func scoreOf(s board.Score) *board.Score {
	if s.Len() == 0 {
		return nil
	}
	return &s
}

// placeList writes places, a line each.
var placeList = show.List[placeInfo]{
	Empty:   "no place changes",
	Sparse:  true,
	Columns: []string{"window", "period", "state", "rank", "score", "new rank", "new score", "moved"},
	Right:   []int{4, 5, 6, 7, 8},
	Cells: func(p placeInfo, _ bool) []string {
		state := "open"
		if p.Closed {
			state = "closed"
		}
		if p.Hidden {
			state += ", hidden"
		}
		return []string{p.Window, p.Period, state, number(p.Rank), scoreText(p.Score), number(p.NewRank), scoreText(p.NewScore), number(p.Moved)}
	},
}

// number writes a number; "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func scoreText(s *board.Score) string {
	if s == nil {
		return ""
	}
	return s.String()
}

// traceInfo is what was kept of an erased member besides its places.
type traceInfo struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`
	Count int    `json:"count"`
}

// changeInfo is the answer of a command that changes a member, as JSON.
type changeInfo struct {
	Board  string      `json:"board"`
	Kind   string      `json:"kind"`
	Member string      `json:"member"`
	Hex    string      `json:"memberHex,omitempty"` // of a member that is not UTF-8
	To     string      `json:"to,omitempty"`        // of rename and merge
	ToHex  string      `json:"toHex,omitempty"`
	DryRun bool        `json:"dryRun,omitempty"`
	Entry  uint64      `json:"entry,omitempty"` // of the audit log
	Rows   []uint64    `json:"rows,omitempty"`  // of the journal
	Places []placeInfo `json:"places"`
	Awards int         `json:"awards"`           // withheld
	Tier   string      `json:"tier,omitempty"`   // that the member has got
	Hash   string      `json:"hash,omitempty"`   // of an erased member, in the audit log
	Traces []traceInfo `json:"traces,omitempty"` // of an erased member, besides its places
}
