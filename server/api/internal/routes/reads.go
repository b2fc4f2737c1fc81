package routes

import (
	"context"

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
	Period string      `json:"period,omitempty" doc:"The period that the rows are of."`
	Rows   []board.Row `json:"rows" doc:"Best first."`
	Next   string      `json:"next" doc:"The cursor behind the rows."`
	Done   bool        `json:"done" doc:"There is no further page."`
}

// Parameters of reads. Each has a method that returns them from an input.
type (
	// None is no parameters.
	None struct{}
	// TopOf is how many rows.
	TopOf struct {
		N int `query:"n" default:"10" doc:"How many rows at most. No answer has more rows than the server allows, 10,000 unless it says another number."`
	}
	// PlacesOf is a range of places.
	PlacesOf struct {
		First int `query:"first" default:"1" doc:"The first place, from 1; -1 is the last place."`
		Last  int `query:"last" default:"10" doc:"The last place, included."`
	}
	// EachOf is how many rows around a member.
	EachOf struct {
		About
		Each int `query:"each" default:"2" doc:"How many rows before the member's own, and after it; near an end of the ranking there are more on the other side. With it, twice as many and one count as rows of the answer."`
	}
	// AroundScoreOf is a score and how many rows around it.
	AroundScoreOf struct {
		Score string `query:"score" required:"true" doc:"The columns, with commas between them." example:"1500"`
		Each  int    `query:"each" default:"2" doc:"How many rows before the place of the score, and after it; near an end of the ranking there are more on the other side. Both count as rows of the answer."`
	}
	// ScoreOf is a score.
	ScoreOf struct {
		Score string `query:"score" required:"true" doc:"The columns, with commas between them." example:"1500"`
	}
	// RangeOf is a range of scores.
	RangeOf struct {
		Best  string `query:"best" doc:"The best score, included; absent: no bound. Columns have commas between them."`
		Worst string `query:"worst" doc:"The worst score, included; absent: no bound."`
	}
	// BetweenOf is a range of scores and a part of its rows.
	BetweenOf struct {
		RangeOf
		Skip  int `query:"skip" doc:"How many of the rows to leave out."`
		Limit int `query:"limit" default:"100" doc:"How many rows at most."`
	}
	// NextOf is a cursor.
	NextOf struct {
		Cursor string `query:"cursor" doc:"Where the page before has ended: its next. Absent: the first page."`
		N      int    `query:"n" default:"100" doc:"How many rows at most."`
	}
	// CardOf is what a card shows.
	CardOf struct {
		About
		Top  int `query:"top" default:"10" doc:"How many rows from place 1 on."`
		Each int `query:"each" default:"2" doc:"How many rows before the member's own, and after it; near an end of the ranking there are more on the other side. The rows of top, these and the member's own, twice, count as rows of the answer."`
	}
)

func (p None) get() None                   { return p }
func (p TopOf) get() TopOf                 { return p }
func (p PlacesOf) get() PlacesOf           { return p }
func (p About) get() About                 { return p }
func (p EachOf) get() EachOf               { return p }
func (p AroundScoreOf) get() AroundScoreOf { return p }
func (p ScoreOf) get() ScoreOf             { return p }
func (p RangeOf) get() RangeOf             { return p }
func (p BetweenOf) get() BetweenOf         { return p }
func (p NextOf) get() NextOf               { return p }
func (p CardOf) get() CardOf               { return p }

// having is an input that has parameters P.
type having[P any] interface{ get() P }

// rankingRead is a read of a ranking.
type rankingRead[P, O any] struct {
	name    string // of the operation, as in the path
	id      string // in the operation's id: Top, of getTop
	summary string
	who     who
	read    func(ctx context.Context, r *Router, k board.Ranking, p P) (O, error)
}

// Headings of reads.
const (
	pinned = "Pinned rankings"
	stored = "Stored unions"
)

// everywhere registers a read of rankings of windows, of pinned ones and of stored unions.
func everywhere[W, I, U, P, O any](r *Router, d rankingRead[P, O]) {
	at[W](r, "getWindow"+d.id, "/v1/boards/{board}/windows/{window}/", "Rankings", d)
	at[I](r, "getPin"+d.id, "/v1/pins/{pin}/", pinned, d)
	at[U](r, "getUnion"+d.id, "/v1/unions/{union}/", stored, d)
}

func at[I, P, O any](r *Router, id, path, tag string, d rankingRead[P, O]) {
	w := d.who
	switch tag {
	case pinned:
		w = someone // who has pinned it might read the board
	case stored:
		w = reader
	}
	add(r, operation(id, "GET "+path+d.name, tag, d.summary), w, func(ctx context.Context, in *I) (o O, err error) {
		k, err := any(in).(source).ranking(ctx, r)
		if err != nil {
			return o, err
		}
		return d.read(ctx, r, k, any(in).(having[P]).get())
	})
}

// ofOnePeriod calls read, and again if the live period has changed meanwhile. It returns the period that was read.
func ofOnePeriod(ctx context.Context, k board.Ranking, read func() error) (period string, err error) {
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

// rowsOf reads rows.
func rowsOf(ctx context.Context, k board.Ranking, read func() ([]board.Row, error)) (o Rows, err error) {
	o.Period, err = ofOnePeriod(ctx, k, func() error {
		rows, err := read()
		o.Rows = rows
		return err
	})
	return o, err
}

// ranked returns board.ErrNotRanked unless a read has found a member.
func ranked(ok bool, err error) error {
	if err == nil && !ok {
		return board.ErrNotRanked
	}
	return err
}

// registerReads registers the reads of rows.
func registerReads(r *Router) {
	everywhere[struct {
		InWindow
		TopOf
	}, struct {
		InPin
		TopOf
	}, struct {
		InUnion
		TopOf
	}](r, rankingRead[TopOf, Rows]{"top", "Top", "The first rows", reader, func(ctx context.Context, r *Router, k board.Ranking, p TopOf) (o Rows, err error) {
		if err := r.rowsIn(ctx, k, p.N); err != nil {
			return o, err
		}
		return rowsOf(ctx, k, func() ([]board.Row, error) { return k.Top(ctx, p.N) })
	}})
	everywhere[struct {
		InWindow
		PlacesOf
	}, struct {
		InPin
		PlacesOf
	}, struct {
		InUnion
		PlacesOf
	}](r, rankingRead[PlacesOf, Rows]{"places", "Places", "The rows at some places", reader, readPlaces})
	registerMemberReads(r)
	registerPages(r)
}

// registerMemberReads registers the reads of one member.
func registerMemberReads(r *Router) {
	everywhere[struct {
		InWindow
		About
	}, struct {
		InPin
		About
	}, struct {
		InUnion
		About
	}](r, rankingRead[About, Own]{"rank", "Rank", "The row of a member, with its rank", readerOwn, func(ctx context.Context, _ *Router, k board.Ranking, p About) (o Own, err error) {
		o.Period, err = ofOnePeriod(ctx, k, func() error {
			row, ok, err := k.Rank(ctx, p.memberName())
			o.Row = row
			return ranked(ok, err)
		})
		return o, err
	}})
	everywhere[struct {
		InWindow
		About
	}, struct {
		InPin
		About
	}, struct {
		InUnion
		About
	}](r, rankingRead[About, ScoreOnly]{"score", "Score", "The score of a member", readerOwn, func(ctx context.Context, _ *Router, k board.Ranking, p About) (o ScoreOnly, err error) {
		o.Period, err = ofOnePeriod(ctx, k, func() error {
			score, ok, err := k.Score(ctx, p.memberName())
			o.Score = score
			return ranked(ok, err)
		})
		return o, err
	}})
	everywhere[struct {
		InWindow
		EachOf
	}, struct {
		InPin
		EachOf
	}, struct {
		InUnion
		EachOf
	}](r, rankingRead[EachOf, Rows]{"around", "Around", "The row of a member with those around it", readerOwn, func(ctx context.Context, r *Router, k board.Ranking, p EachOf) (o Rows, err error) {
		if err := r.rowsIn(ctx, k, around(p.Each)...); err != nil {
			return o, err
		}
		return rowsOf(ctx, k, func() ([]board.Row, error) {
			rows, ok, err := k.Around(ctx, p.memberName(), p.Each)
			return rows, ranked(ok, err)
		})
	}})
}

// registerPages registers the reads of pages, and cards.
func registerPages(r *Router) {
	everywhere[struct {
		InWindow
		NextOf
	}, struct {
		InPin
		NextOf
	}, struct {
		InUnion
		NextOf
	}](r, rankingRead[NextOf, PageOf]{"page", "Page", "A page of rows", reader, readPage})
	everywhere[struct {
		InWindow
		CardOf
	}, struct {
		InPin
		CardOf
	}, struct {
		InUnion
		CardOf
	}](r, rankingRead[CardOf, board.Card]{"card", "Card", "The first rows, those around a member and the number of members, of one moment", readerOwn,
		func(ctx context.Context, r *Router, k board.Ranking, p CardOf) (board.Card, error) {
			if err := r.rowsIn(ctx, k, append(around(p.Each), p.Top, 1)...); err != nil {
				return board.Card{}, err
			}
			return k.Card(ctx, p.memberName(), p.Top, p.Each)
		}})
}

// readPlaces reads a range of places. Ends that count from the last place are those of the moment at which the rows are read.
func readPlaces(ctx context.Context, r *Router, k board.Ranking, p PlacesOf) (Rows, error) {
	if p.First >= 0 && p.Last >= 0 {
		first := max(p.First, 1)
		if err := r.rowsIn(ctx, k, p.Last-first+1); err != nil {
			return Rows{}, err
		}
		return rowsOf(ctx, k, func() ([]board.Row, error) { return k.Places(ctx, first, p.Last) })
	}
	most := *r.roomIn(ctx, k)
	return rowsOf(ctx, k, func() (rows []board.Row, err error) {
		room := most
		err = k.View(ctx, func(k board.Ranking) error {
			n, err := k.Len(ctx)
			if err != nil {
				return err
			}
			first, last := max(placeOf(p.First, n), 1), placeOf(p.Last, n)
			if last < first {
				return nil
			}
			if err := room.take(last - first + 1); err != nil {
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

func readPage(ctx context.Context, r *Router, k board.Ranking, p NextOf) (o PageOf, err error) {
	if err := r.rowsIn(ctx, k, p.N); err != nil {
		return o, err
	}
	cursor, err := board.ParseCursor(p.Cursor)
	if err != nil {
		return o, err
	}
	var next board.Cursor
	page, err := rowsOf(ctx, k, func() (rows []board.Row, err error) {
		rows, next, err = k.Page(ctx, cursor, p.N)
		return rows, err
	})
	o.Period, o.Rows = page.Period, page.Rows
	o.Next, o.Done = next.String(), next.Done()
	return o, err
}
