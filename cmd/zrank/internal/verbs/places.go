package verbs

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// placeList writes places on a board whose scores have some columns, a line each.
func placeList(columns []string) show.List[board.Place] {
	l := show.List[board.Place]{Empty: "no place changes", Sparse: true, Columns: []string{"window", "period", "state"}}
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
	l.Cells = func(p board.Place, _ bool) []string {
		cells := append([]string{p.Window, p.Period, stateText(p), show.Number(p.Rank)}, valueTexts(p.Score, columns)...)
		cells = append(cells, show.Number(p.NewRank))
		return append(append(cells, valueTexts(p.NewScore, columns)...), show.Number(p.Moved))
	}
	return l
}

// stateText says whether a period is closed, and the member hidden in it.
func stateText(p board.Place) string {
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
func valueTexts(s board.Score, columns []string) []string {
	texts := make([]string, len(columns))
	for i := range texts {
		if s.Len() > 0 {
			texts[i] = s.At(i).String()
		}
	}
	return texts
}
