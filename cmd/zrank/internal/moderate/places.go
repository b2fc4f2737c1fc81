package moderate

import (
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
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

// placeList writes places on a board whose scores have some columns, a line each.
func placeList(columns []string) show.List[placeInfo] {
	l := show.List[placeInfo]{Empty: "no place changes", Sparse: true, Columns: []string{"window", "period", "state"}}
	for _, prefix := range []string{"", "new "} {
		l.Columns = append(l.Columns, prefix+"rank")
		for _, name := range columns {
			l.Columns = append(l.Columns, prefix+name)
		}
	}
	l.Columns = append(l.Columns, "moved")
	for i := 4; i <= len(l.Columns); i++ {
		l.Right = append(l.Right, i)
	}
	l.Cells = func(p placeInfo, _ bool) []string {
		cells := append([]string{p.Window, p.Period, stateText(p), number(p.Rank)}, valueTexts(p.Score, columns)...)
		cells = append(cells, number(p.NewRank))
		return append(append(cells, valueTexts(p.NewScore, columns)...), number(p.Moved))
	}
	return l
}

// stateText says whether a period is closed, and the member hidden in it.
func stateText(p placeInfo) string {
	state := "open"
	if p.Closed {
		state = "closed"
	}
	if p.Hidden {
		state += ", hidden"
	}
	return state
}

// valueTexts returns the texts of the columns of a score, which are empty without one.
func valueTexts(s *board.Score, columns []string) []string {
	texts := make([]string, len(columns))
	for i := range texts {
		if s != nil {
			texts[i] = s.At(i).String()
		}
	}
	return texts
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
