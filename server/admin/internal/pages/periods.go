package pages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

const (
	periodsPage = 20
	winners     = 3
	// smallPeriod is how many members a period may have that is read from the disk for its winners, and winnersTime how long that may take for all of a page.
	smallPeriod = 200_000
	winnersTime = 500 * time.Millisecond
)

// Periods is the page of the periods of a window.
type Periods struct {
	Board, Window     string
	Sections, Windows Tabs
	Periods           []PeriodRow
	Pager             Pager
}

// PeriodRow is a period and who is in front.
type PeriodRow struct {
	board.Usage
	Winners []board.Row
	Asleep  bool // it is on the disk, and was not read for its winners
}

func (s *Site) periods(r Request) (any, error) {
	b, err := s.board(r)
	if err != nil {
		return nil, err
	}
	windows := windowsOf(b.Spec())
	p := Periods{Board: b.Name(), Window: cmp.Or(r.Query.Get("window"), windows[0].Name), Sections: sections(r, b.Name(), "periods")}
	p.Windows = windowTabs("periods", b.Name(), p.Window, windows)
	from, err := r.number("from")
	if err != nil {
		return nil, err
	}
	all, err := b.Periods(r.Context, p.Window)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	part, first := cut(all, from, periodsPage)
	began := time.Now()
	for _, u := range part {
		row := PeriodRow{Usage: u}
		if row.Asleep = u.Closed && (u.Members > smallPeriod || time.Since(began) > winnersTime); !row.Asleep {
			if row.Winners, err = firstRows(r.Context, b, p.Window, u.Period); err != nil {
				return nil, err
			}
		}
		p.Periods = append(p.Periods, row)
	}
	p.Pager = pager("periods", first, len(part), len(all), periodsPage, "board", p.Board, "window", p.Window)
	return p, nil
}

// firstRows returns who is in front in a period: nobody, if it has been dropped meanwhile.
func firstRows(ctx context.Context, b board.Board, window, period string) ([]board.Row, error) {
	k, err := b.Period(ctx, window, period)
	if err != nil {
		return nil, nil
	}
	return k.Top(ctx, winners)
}
