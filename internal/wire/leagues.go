package wire

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
)

// ErrZone is returned for the name of a zone that does not exist.
var ErrZone = errors.New("wire: no such zone")

// League is board.League.
type League struct {
	Board   string      `json:"board"`
	Window  string      `json:"window"`
	Period  string      `json:"period"`
	Ends    *time.Time  `json:"ends,omitempty" doc:"The first moment after the period."`
	Settled bool        `json:"settled,omitempty" doc:"Its members have been promoted and relegated."`
	Tier    string      `json:"tier"`
	Band    int         `json:"band,omitempty" doc:"The band of skill, from 0."`
	Cohort  uint64      `json:"cohort" doc:"From 1, among those of its tier and band."`
	Rows    []LeagueRow `json:"rows" doc:"The ranked members, best first, and then those that are not ranked."`
}

// LeagueRow is board.LeagueRow.
type LeagueRow struct {
	Row
	Zone string `json:"zone" doc:"What becomes of the member if the period ends like this: up, stay or down."`
}

// LeagueOf returns a cohort as JSON has it.
func LeagueOf(l board.League) League {
	return League{l.Board, l.Window, l.Period, timeOf(l.Ends), l.Settled, l.Tier, l.Band, l.Cohort, list(l.Rows, func(r board.LeagueRow) LeagueRow {
		return LeagueRow{RowOf(r.Row), r.Zone.String()}
	})}
}

// League is the inverse of LeagueOf. Error: ErrZone.
func (l League) League() (board.League, error) {
	rows := make([]board.LeagueRow, len(l.Rows))
	for i, r := range l.Rows {
		zone, err := zoneOf(r.Zone)
		if err != nil {
			return board.League{}, err
		}
		rows[i] = board.LeagueRow{Row: r.Row.Board(), Zone: zone}
	}
	return board.League{Board: l.Board, Window: l.Window, Period: l.Period, Ends: orZero(l.Ends), Settled: l.Settled, Tier: l.Tier, Band: l.Band, Cohort: l.Cohort, Rows: rows}, nil
}

// zoneOf returns the zone of a name.
func zoneOf(name string) (board.Zone, error) {
	for z := range board.Zone(8) {
		if z.String() == name {
			return z, nil
		}
	}
	return 0, fmt.Errorf("%w: %.64q", ErrZone, name)
}

// Promotion is board.Promotion.
type Promotion struct {
	Member Text   `json:"member"`
	Zone   string `json:"zone" enum:"up,down"`
	From   string `json:"from" doc:"The tier of its cohort."`
	To     string `json:"to" doc:"The tier above or below."`
	Cohort uint64 `json:"cohort"`
}

// PromotionOf returns a promotion as JSON has it.
func PromotionOf(p board.Promotion) Promotion {
	return Promotion{Text(p.Member), p.Zone.String(), p.From, p.To, p.Cohort}
}

// Board is the inverse of PromotionOf. Error: ErrZone.
func (p Promotion) Board() (board.Promotion, error) {
	zone, err := zoneOf(p.Zone)
	return board.Promotion{Member: string(p.Member), Zone: zone, From: p.From, To: p.To, Cohort: p.Cohort}, err
}
