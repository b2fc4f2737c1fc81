package wire

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// Details is the fields of the typed errors of the library that an error has in its chain.
type Details struct {
	Also          []string       `json:"also,omitempty" doc:"Further codes of the error."`
	Batch         *Batch         `json:"batch,omitempty" doc:"Which submission of a batch cannot be taken."`
	Score         *ScoreFault    `json:"score,omitempty" doc:"Which column of a score the board refuses."`
	PeriodClosed  *PeriodClosed  `json:"periodClosed,omitempty" doc:"Which period takes no more results."`
	Outside       *Outside       `json:"outside,omitempty" doc:"The seasons around a time that is in none."`
	Union         *UnionFault    `json:"union,omitempty" doc:"What is at fault in a union."`
	Journal       *Journal       `json:"journal,omitempty" doc:"What the journal does not have."`
	BeforeJournal *BeforeJournal `json:"beforeJournal,omitempty" doc:"From where on the journal goes."`
	Undo          *Undo          `json:"undo,omitempty" doc:"Which row of the journal cannot be undone."`
	Relocated     *Relocated     `json:"relocated,omitempty" doc:"Where the board has been moved."`
	Behind        *Behind        `json:"behind,omitempty" doc:"From where on the feed has events."`
}

// Batch is board.BatchError.
type Batch struct {
	Index int `json:"index" doc:"In the batch, from 0."`
}

// ScoreFault is board.ScoreError.
type ScoreFault struct {
	Column int              `json:"column" doc:"From 0."`
	Name   string           `json:"name"`
	Value  boardjson.Value  `json:"value"`
	Min    *boardjson.Value `json:"min,omitempty"`
	Max    *boardjson.Value `json:"max,omitempty"`
}

// PeriodClosed is board.PeriodClosedError.
type PeriodClosed struct {
	Board  string     `json:"board"`
	Window string     `json:"window"`
	Period string     `json:"period"`
	At     *time.Time `json:"at,omitempty" doc:"Of the result."`
	Live   string     `json:"live,omitempty" doc:"The period that is live now."`
}

// Outside is board.OutsideError.
type Outside struct {
	Window string     `json:"window"`
	Time   *time.Time `json:"time,omitempty"`
	Before *Season    `json:"before,omitempty" doc:"The season that ended last."`
	After  *Season    `json:"after,omitempty" doc:"The season that begins next."`
}

// Season is board.Period.
type Season struct {
	Name  string    `json:"name"`
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// UnionFault is board.UnionError.
type UnionFault struct {
	Source int            `json:"source" doc:"From 0; -1: the fault is in the result."`
	Board  string         `json:"board,omitempty"`
	Window string         `json:"window,omitempty"`
	Member boardjson.Text `json:"member,omitempty"`
	Column string         `json:"column,omitempty"`
}

// Journal is board.JournalError.
type Journal struct {
	Board  string         `json:"board"`
	Member boardjson.Text `json:"member"`
	Row    uint64         `json:"row,omitempty"`
	First  uint64         `json:"first,omitempty" doc:"The oldest row that can be reverted."`
	Since  *time.Time     `json:"since,omitempty" doc:"When that arrived."`
}

// BeforeJournal is board.BeforeJournalError.
type BeforeJournal struct {
	Board string     `json:"board"`
	At    *time.Time `json:"at,omitempty"`
	Row   uint64     `json:"row,omitempty"`
	First uint64     `json:"first,omitempty" doc:"The earliest row that there is."`
	Since *time.Time `json:"since,omitempty" doc:"The earliest moment that there is."`
}

// Undo is board.UndoError.
type Undo struct {
	Board   string         `json:"board"`
	Window  string         `json:"window"`
	Period  string         `json:"period"`
	Row     uint64         `json:"row"`
	Arrived time.Time      `json:"arrived"`
	Member  boardjson.Text `json:"member"`
	Reason  string         `json:"reason"`
}

// Relocated is board.RelocatedError.
type Relocated struct {
	Board    string `json:"board"`
	To       string `json:"to" doc:"The store."`
	Complete bool   `json:"complete"`
}

// Behind is feed.BehindError.
type Behind struct {
	After  string `json:"after"`
	Oldest string `json:"oldest"`
}

// as returns the error of a type in a chain, nil for none.
func as[E error](err error) (e E) {
	errors.As(err, &e)
	return e
}

func valueOf(v *board.Value) *boardjson.Value {
	if v == nil {
		return nil
	}
	return &boardjson.Value{Value: *v}
}

func boardValue(v *boardjson.Value) *board.Value {
	if v == nil {
		return nil
	}
	return &v.Value
}

// timeOf returns a time, nil for the zero time, and for one that has no JSON.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() || t.Year() > 9999 {
		return nil
	}
	return &t
}

// orZero is the inverse of timeOf.
func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func seasonOf(p *board.Period) *Season {
	if p == nil {
		return nil
	}
	return &Season{p.Name, p.Start, p.End}
}

func (s *Season) board() *board.Period {
	if s == nil {
		return nil
	}
	return &board.Period{Name: s.Name, Start: s.Start, End: s.End}
}

// DetailsOf returns the fields of the typed errors in a chain, nil if there are none.
func DetailsOf(err error) *Details {
	d := Details{Also: also(err)}
	if e := as[*board.BatchError](err); e != nil {
		d.Batch = &Batch{e.Index}
	}
	if e := as[*board.ScoreError](err); e != nil {
		d.Score = &ScoreFault{e.Column, e.Name, boardjson.Value{Value: e.Value}, valueOf(e.Min), valueOf(e.Max)}
	}
	if e := as[*board.PeriodClosedError](err); e != nil {
		d.PeriodClosed = &PeriodClosed{e.Board, e.Window, e.Period, timeOf(e.At), e.Live}
	}
	if e := as[*board.OutsideError](err); e != nil {
		d.Outside = &Outside{e.Window, timeOf(e.Time), seasonOf(e.Before), seasonOf(e.After)}
	}
	if e := as[*board.UnionError](err); e != nil {
		d.Union = &UnionFault{e.Source, e.Board, e.Window, boardjson.Text(e.Member), e.Column}
	}
	if e := as[*board.JournalError](err); e != nil {
		d.Journal = &Journal{e.Board, boardjson.Text(e.Member), e.Row, e.First, timeOf(e.Since)}
	}
	if e := as[*board.BeforeJournalError](err); e != nil {
		d.BeforeJournal = &BeforeJournal{e.Board, timeOf(e.At), e.Row, e.First, timeOf(e.Since)}
	}
	if e := as[*board.UndoError](err); e != nil {
		d.Undo = &Undo{e.Board, e.Window, e.Period, e.Row, e.Arrived, boardjson.Text(e.Member), string(e.Reason)}
	}
	if e := as[*board.RelocatedError](err); e != nil {
		d.Relocated = &Relocated{e.Board, e.To, e.Complete}
	}
	if e := as[*feed.BehindError](err); e != nil {
		d.Behind = &Behind{e.After.String(), e.Oldest.String()}
	}
	if d.empty() {
		return nil
	}
	return &d
}

func (d *Details) empty() bool {
	return d.Also == nil && d.Batch == nil && d.Score == nil && d.PeriodClosed == nil && d.Outside == nil && d.Union == nil && d.Journal == nil && d.BeforeJournal == nil &&
		d.Undo == nil && d.Relocated == nil && d.Behind == nil
}

// also returns the codes of an error behind the first.
func also(err error) (codes []string) {
	first := ""
	for _, k := range known {
		switch {
		case !errors.Is(err, k.Err):
		case first == "":
			first = k.Code
		case k.Code != first:
			codes = append(codes, k.Code)
		}
	}
	return codes
}

// Errors returns the typed errors whose fields the details have. reason is the error of the code.
func (d *Details) Errors(reason error) (all []error) {
	if d == nil {
		return nil
	}
	for _, code := range d.Also {
		if err := ErrorOf(code); err != nil {
			all = append(all, err)
		}
	}
	inner := errors.Join(append([]error{reason}, all...)...)
	add := func(err error) { all = append(all, err) }
	if x := d.Batch; x != nil {
		add(&board.BatchError{Index: x.Index, Err: inner})
	}
	if x := d.Score; x != nil {
		add(&board.ScoreError{Column: x.Column, Name: x.Name, Value: x.Value.Value, Min: boardValue(x.Min), Max: boardValue(x.Max), Reason: inner})
	}
	if x := d.PeriodClosed; x != nil {
		add(&board.PeriodClosedError{Board: x.Board, Window: x.Window, Period: x.Period, At: orZero(x.At), Live: x.Live})
	}
	if x := d.Outside; x != nil {
		add(&board.OutsideError{Window: x.Window, Time: orZero(x.Time), Before: x.Before.board(), After: x.After.board()})
	}
	if x := d.Union; x != nil {
		add(&board.UnionError{Source: x.Source, Board: x.Board, Window: x.Window, Member: string(x.Member), Column: x.Column, Err: inner})
	}
	return append(all, d.journalErrors()...)
}

func (d *Details) journalErrors() (all []error) {
	if x := d.Journal; x != nil {
		all = append(all, &board.JournalError{Board: x.Board, Member: string(x.Member), Row: x.Row, First: x.First, Since: orZero(x.Since)})
	}
	if x := d.BeforeJournal; x != nil {
		all = append(all, &board.BeforeJournalError{Board: x.Board, At: orZero(x.At), Row: x.Row, First: x.First, Since: orZero(x.Since)})
	}
	if x := d.Undo; x != nil {
		all = append(all, &board.UndoError{Board: x.Board, Window: x.Window, Period: x.Period, Row: x.Row, Arrived: x.Arrived, Member: string(x.Member), Reason: board.UndoReason(x.Reason)})
	}
	if x := d.Relocated; x != nil {
		all = append(all, &board.RelocatedError{Board: x.Board, To: x.To, Complete: x.Complete})
	}
	if x := d.Behind; x != nil {
		after, _ := feed.ParsePosition(x.After)
		oldest, _ := feed.ParsePosition(x.Oldest)
		all = append(all, &feed.BehindError{After: after, Oldest: oldest})
	}
	return all
}
