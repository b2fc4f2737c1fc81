package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
)

// Row is board.Row.
type Row struct {
	Rank      int        `json:"rank" doc:"From 1, in the mode of the ranking. Of a member beyond the best n without a known rank it is n + 1."`
	Member    Text       `json:"member" doc:"The name of the member."`
	Score     Score      `json:"score" doc:"One number for each column of the board."`
	ScoreText []string   `json:"scoreText,omitempty" doc:"The same numbers as strings. Present only if one of them is an integer beyond 2^53, which a float64 does not hold."`
	Reached   *time.Time `json:"reached,omitempty" doc:"When the member came to the score. Absent on boards that order equals by name."`
	Meta      *Text      `json:"meta,omitempty" doc:"The metadata of the entry."`
	Beyond    bool       `json:"beyond,omitempty" doc:"The member has a score and is not among the best n of a board that ranks these only."`
	Within    *int       `json:"within,omitempty" doc:"Of a member beyond the best n: how far the true rank may be from rank. Absent if nothing is known of it."`
}

// RowOf returns a row as JSON has it.
func RowOf(r board.Row) Row {
	score := ScoreOf(r.Score)
	row := Row{Rank: r.Rank, Member: Text(r.Member), Score: score, ScoreText: score.texts(), Reached: timeOf(r.Reached), Meta: textOf(r.Meta), Beyond: r.Beyond}
	if r.Beyond && r.Within != board.Unknown {
		row.Within = &r.Within
	}
	return row
}

// Board is the inverse of RowOf.
func (r Row) Board() board.Row {
	row := board.Row{Rank: r.Rank, Member: string(r.Member), Score: r.Score.Board(), Reached: orZero(r.Reached), Meta: BytesOf(r.Meta), Beyond: r.Beyond}
	switch {
	case r.Within != nil:
		row.Within = *r.Within
	case r.Beyond:
		row.Within = board.Unknown
	}
	return row
}

// RowsOf returns rows as JSON has them.
func RowsOf(rows []board.Row) []Row { return list(rows, RowOf) }

// BoardRows is the inverse of RowsOf.
func BoardRows(rows []Row) []board.Row { return each(rows, Row.Board) }

// some returns a row that may not be there: nil for the zero row.
func some(r board.Row) *Row {
	if r.Rank == 0 && r.Member == "" {
		return nil
	}
	row := RowOf(r)
	return &row
}

// orNone is the inverse of some.
func orNone(r *Row) board.Row {
	if r == nil {
		return board.Row{}
	}
	return r.Board()
}

// Standing is board.AmongRow.
type Standing struct {
	Local int `json:"local" doc:"The rank among the members asked for, from 1."`
	Row
}

// StandingsOf returns standings as JSON has them.
func StandingsOf(all []board.AmongRow) []Standing {
	return list(all, func(s board.AmongRow) Standing { return Standing{s.Local, RowOf(s.Row)} })
}

// BoardStandings is the inverse of StandingsOf.
func BoardStandings(all []Standing) []board.AmongRow {
	return each(all, func(s Standing) board.AmongRow { return board.AmongRow{Row: s.Row.Board(), Local: s.Local} })
}

// Percentile is board.Percentile.
type Percentile struct {
	Ahead float64 `json:"ahead" doc:"The percentage of the other members that have a worse score, 0 to 100."`
	Top   int     `json:"top" doc:"The place of the best member with the same score, in percent of the ranking's length, rounded up: top 3 %. 1 to 100."`
}

// Bin is board.Bin.
type Bin struct {
	Best    Value `json:"best"`
	Worst   Value `json:"worst"`
	Members int   `json:"members"`
}

// BinsOf returns bins as JSON has them.
func BinsOf(all []board.Bin) []Bin {
	return list(all, func(b board.Bin) Bin { return Bin{Value{b.Best}, Value{b.Worst}, b.Members} })
}

// BoardBins is the inverse of BinsOf.
func BoardBins(all []Bin) []board.Bin {
	return each(all, func(b Bin) board.Bin { return board.Bin{Best: b.Best.Value, Worst: b.Worst.Value, Members: b.Members} })
}

// Gap is board.Gap.
type Gap struct {
	To     *Row  `json:"to,omitempty" doc:"The row at the better place; absent: nobody is above the member."`
	Column int   `json:"column" doc:"The first column, from 0, in which the scores differ; -1 if they are equal and the tie rule decides, or nobody is above."`
	By     Value `json:"by" doc:"How much better it is in that column: a positive number, 0 if they are equal."`
}

// GapOf returns a gap as JSON has it.
func GapOf(g board.Gap) Gap { return Gap{some(g.To), g.Column, Value{g.By}} }

// Board is the inverse of GapOf.
func (g Gap) Board() board.Gap { return board.Gap{To: orNone(g.To), Column: g.Column, By: g.By.Value} }

// Card is board.Card.
type Card struct {
	Top     []Row `json:"top" doc:"The rows from place 1 on."`
	Own     *Row  `json:"own,omitempty" doc:"The row of the member; absent if it is not ranked."`
	Around  []Row `json:"around,omitzero" doc:"The rows around that of the member, its own included."`
	Members int   `json:"members" doc:"The number of members of the ranking."`
}

// CardOf returns a card as JSON has it.
func CardOf(c board.Card) Card {
	card := Card{Top: RowsOf(c.Top), Members: c.Len, Around: each(c.Around, RowOf)}
	if c.Ranked {
		card.Own = some(c.Own)
	}
	return card
}

// Board is the inverse of CardOf.
func (c Card) Board() board.Card {
	return board.Card{Top: BoardRows(c.Top), Own: orNone(c.Own), Ranked: c.Own != nil, Around: BoardRows(c.Around), Len: c.Members}
}

// Arrow is board.Arrow.
type Arrow struct {
	Member Text `json:"member"`
	Rank   *int `json:"rank,omitempty" doc:"The rank now; absent if the member is not ranked."`
	Was    *int `json:"was,omitempty" doc:"The rank in the base; absent if the member was not ranked there."`
	Up     int  `json:"up" doc:"was - rank: positive if the member has risen; 0 if it is not ranked in both."`
}

// ArrowsOf returns arrows as JSON has them.
func ArrowsOf(all []board.Arrow) []Arrow {
	return list(all, func(a board.Arrow) Arrow {
		arrow := Arrow{Member: Text(a.Member), Up: a.Up}
		if a.Ranked {
			arrow.Rank = &a.Rank
		}
		if a.WasRanked {
			arrow.Was = &a.Was
		}
		return arrow
	})
}

// BoardArrows is the inverse of ArrowsOf.
func BoardArrows(all []Arrow) []board.Arrow {
	return each(all, func(a Arrow) board.Arrow {
		arrow := board.Arrow{Member: string(a.Member), Ranked: a.Rank != nil, WasRanked: a.Was != nil, Up: a.Up}
		if a.Rank != nil {
			arrow.Rank = *a.Rank
		}
		if a.Was != nil {
			arrow.Was = *a.Was
		}
		return arrow
	})
}
