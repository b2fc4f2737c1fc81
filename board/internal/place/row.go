package place

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
)

// When says of which moment a row of an entry beyond the best members is.
type When bool

const (
	// Was: when the sets were opened.
	Was When = false
	// Is: after Put.
	Is When = true
)

// SetRow sets a row to that of an entry with a rank, from 0.
func (p *Place) SetRow(row *board.Row, rank int, e *rules.Entry, when When) {
	ranking.SetRow(row, p.State.Rules, rank+1, p.Name, e)
	if p.tail == nil || rank != p.T.Top.N {
		return
	}
	ranking.SetBeyond(row, rank)
	if !p.tail.HasPlaces() {
		return
	}
	var b buckets.Bounds
	var known bool
	if when == Was {
		b, known = p.tail.Was()
	} else {
		b, known = p.tail.Is()
	}
	ranking.SetBetween(row, b.Least+1, b.Most+1, known)
}

// Row returns the row of the entry that the sets have now, which is e and has a rank as Rank
// returns it: in parts the rank is counted, and the transaction has all of them.
func (p *Place) Row(rank int, e *rules.Entry, when When) (row board.Row, err error) {
	if p.isBeside || p.IsOneSet() {
		p.SetRow(&row, rank, e, when)
		return row, nil
	}
	parts, err := catalog.PartsIn(p.tx, p.Slot.Parts, p.division, p.State.Form)
	if err != nil {
		return row, err
	}
	defer parts.Release()
	var l ranking.Look
	l.Begin(parts, p.State.Rules)
	row, _, _, err = l.Find(p.Name)
	return row, err
}
