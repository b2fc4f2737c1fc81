package ops

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// Rows is a list of rows.
type Rows struct {
	Period string      `json:"period,omitempty" doc:"The period that the rows are of."`
	Rows   []board.Row `json:"rows" doc:"Best first."`
}

// Own is the row of one member.
type Own struct {
	Period string    `json:"period,omitempty"`
	Row    board.Row `json:"row"`
}

// ScoreOnly is the score of a member.
type ScoreOnly struct {
	Period string      `json:"period,omitempty"`
	Score  board.Score `json:"score,exact"`
}

// PageOf is a page of rows.
type PageOf struct {
	Rows
	Next string `json:"next" doc:"The cursor behind the rows."`
	Done bool   `json:"done" doc:"There is no further page."`
}

// Arguments of reads.
type (
	// NoArgs is no arguments.
	NoArgs struct{}
	// About is the member that an operation is about.
	About struct {
		Member string `query:"member,text" doc:"The name of the member. One that is no UTF-8 is base64: and its bytes in base64url." example:"ada"`
	}
	// TopArgs is how many rows.
	TopArgs struct {
		N int `query:"n" default:"10" doc:"How many rows at most. No answer has more rows than the server allows, 10,000 unless it says another number."`
	}
	// PlacesArgs is a range of places.
	PlacesArgs struct {
		First int `query:"first" default:"1" doc:"The first place, from 1; -1 is the last place."`
		Last  int `query:"last" default:"10" doc:"The last place, included."`
	}
	// AroundArgs is how many rows around a member.
	AroundArgs struct {
		About
		Each int `query:"each" default:"2" doc:"How many rows before the member's own, and after it; near an end of the ranking there are more on the other side. With it, twice as many and one count as rows of the answer."`
	}
	// PageArgs is a cursor.
	PageArgs struct {
		Cursor board.Cursor `query:"cursor" doc:"Where the page before has ended: its next. Absent: the first page."`
		N      int          `query:"n" default:"100" doc:"How many rows at most."`
	}
	// CardArgs is what a card shows.
	CardArgs struct {
		About
		Top  int `query:"top" default:"10" doc:"How many rows from place 1 on."`
		Each int `query:"each" default:"2" doc:"How many rows before the member's own, and after it; near an end of the ranking there are more on the other side. The rows of top, these and the member's own, twice, count as rows of the answer."`
	}
)

// MemberName returns the name of the member.
func (a About) MemberName() string { return a.Member }

// Reads of rows.
var (
	// Top is board.Ranking.Top.
	Top = onRanking(Op{ID: "Top", Route: "GET top",
		Command: "BOARD.TOP n", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more", Summary: "The first rows"},
		func(ctx context.Context, e *Env, k board.Ranking, a *TopArgs) (Rows, error) {
			if err := e.RowsIn(ctx, k, a.N); err != nil {
				return Rows{}, err
			}
			return e.RowsOf(ctx, k, func() ([]board.Row, error) { return k.Top(ctx, a.N) })
		})
	// Places is board.Ranking.Places.
	Places = onRanking(Op{ID: "Places", Route: "GET places",
		Command: "BOARD.PLACES first last", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more", Summary: "The rows at some places"}, readPlaces)
	// Rank is board.Ranking.Rank.
	Rank = onRanking(Op{ID: "Rank", Route: "GET rank",
		Command: "BOARD.RANK member", Cost: "O(log(N)); with ASOF O(N) more", Summary: "The row of a member, with its rank", Own: true},
		func(ctx context.Context, e *Env, k board.Ranking, a *About) (Own, error) {
			return e.ownOf(ctx, k, a.Member, func() (board.Row, bool, error) { return k.Rank(ctx, a.Member) })
		})
	// Score is board.Ranking.Score.
	Score = onRanking(Op{ID: "Score", Route: "GET score",
		Command: "BOARD.SCORE member", Cost: "O(1); with ASOF O(N) more", Summary: "The score of a member", Own: true},
		func(ctx context.Context, e *Env, k board.Ranking, a *About) (o ScoreOnly, err error) {
			o.Period, err = e.ofOnePeriod(ctx, k, func() error {
				score, ok, err := k.Score(ctx, a.Member)
				o.Score = score
				return ranked(a.Member, ok, err)
			})
			return o, err
		})
	// Around is board.Ranking.Around.
	Around = onRanking(Op{ID: "Around", Route: "GET around",
		Command: "BOARD.AROUND member each", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more", Summary: "The row of a member with those around it", Own: true},
		func(ctx context.Context, e *Env, k board.Ranking, a *AroundArgs) (Rows, error) {
			if err := e.RowsIn(ctx, k, around(a.Each)...); err != nil {
				return Rows{}, err
			}
			return e.RowsOf(ctx, k, func() ([]board.Row, error) {
				rows, ok, err := k.Around(ctx, a.Member, a.Each)
				return rows, ranked(a.Member, ok, err)
			})
		})
	// Page is board.Ranking.Page.
	Page = onRanking(Op{ID: "Page", Route: "GET page",
		Command: "BOARD.PAGE [AFTER cursor] [COUNT n]", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more", Summary: "A page of rows"}, readPage)
	// Card is board.Ranking.Card.
	Card = onRanking(Op{ID: "Card", Route: "GET card",
		Command: "BOARD.CARD member [TOP top] [EACH each]", Cost: "O(log(N)+M) for M rows; with ASOF O(N) more", Own: true,
		Summary: "The first rows, those around a member and the number of members, of one moment"},
		func(ctx context.Context, e *Env, k board.Ranking, a *CardArgs) (board.Card, error) {
			if err := e.RowsIn(ctx, k, append(around(a.Each), a.Top, 1)...); err != nil {
				return board.Card{}, err
			}
			return k.Card(ctx, a.Member, a.Top, a.Each)
		})
)

// ofOnePeriod calls read, and again if the live period has changed meanwhile. It returns the period that
// was read, unless nobody wants to know.
func (e *Env) ofOnePeriod(ctx context.Context, k board.Ranking, read func() error) (period string, err error) {
	if e.NoPeriods {
		return "", read()
	}
	for range 3 {
		before, err := k.Info(ctx)
		if err == nil {
			err = read()
		}
		if err != nil {
			return before.Period, err
		}
		after, err := k.Info(ctx)
		if period = before.Period; err != nil || after.Period == period {
			return period, err
		}
	}
	return period, nil
}

// RowsOf reads rows, all of one period.
func (e *Env) RowsOf(ctx context.Context, k board.Ranking, read func() ([]board.Row, error)) (o Rows, err error) {
	o.Period, err = e.ofOnePeriod(ctx, k, func() error {
		rows, err := read()
		o.Rows = rows
		return err
	})
	return o, err
}

// ownOf reads the row of a member, or another single one for which there is no member.
func (e *Env) ownOf(ctx context.Context, k board.Ranking, member string, read func() (board.Row, bool, error)) (o Own, err error) {
	o.Period, err = e.ofOnePeriod(ctx, k, func() error {
		row, ok, err := read()
		o.Row = row
		return ranked(member, ok, err)
	})
	return o, err
}

// ranked returns board.ErrNotRanked unless a read has found a member.
func ranked(member string, ok bool, err error) error {
	switch {
	case err != nil || ok:
		return err
	case member == "":
		return board.ErrNotRanked
	}
	return fmt.Errorf("%w: %q", board.ErrNotRanked, member)
}

// readPlaces reads a range of places. Ends that count from the last place are those of the moment at which
// the rows are read.
func readPlaces(ctx context.Context, e *Env, k board.Ranking, a *PlacesArgs) (Rows, error) {
	if a.First >= 0 && a.Last >= 0 {
		first := max(a.First, 1)
		if err := e.RowsIn(ctx, k, a.Last-first+1); err != nil {
			return Rows{}, err
		}
		return e.RowsOf(ctx, k, func() ([]board.Row, error) { return k.Places(ctx, first, a.Last) })
	}
	most := *e.roomIn(ctx, k)
	return e.RowsOf(ctx, k, func() (rows []board.Row, err error) {
		room := most
		err = k.View(ctx, func(k board.Ranking) error {
			n, err := k.Len(ctx)
			if err != nil {
				return err
			}
			first, last := max(placeOf(a.First, n), 1), placeOf(a.Last, n)
			if last < first {
				return nil
			}
			if err := room.Take(last - first + 1); err != nil {
				return err
			}
			rows, err = k.Places(ctx, first, last)
			return err
		})
		return rows, err
	})
}

// placeOf returns a place in a ranking of n members that may count from the end, from the beginning.
func placeOf(place, n int) int {
	if place < 0 {
		return n + 1 + place
	}
	return place
}

func readPage(ctx context.Context, e *Env, k board.Ranking, a *PageArgs) (o PageOf, err error) {
	if err := e.RowsIn(ctx, k, a.N); err != nil {
		return o, err
	}
	var next board.Cursor
	o.Rows, err = e.RowsOf(ctx, k, func() (rows []board.Row, err error) {
		rows, next, err = k.Page(ctx, a.Cursor, a.N)
		return rows, err
	})
	o.Next, o.Done = next.String(), next.Done()
	return o, err
}
