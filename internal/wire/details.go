package wire

import (
	"errors"
	"reflect"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// Details is the typed errors of the library that an error has in its chain.
type Details struct {
	Also          []string                  `json:"also,omitempty" doc:"Further codes of the error."`
	Batch         *board.BatchError         `json:"batch,omitempty" doc:"Which submission of a batch cannot be taken."`
	Score         *board.ScoreError         `json:"score,omitempty" doc:"Which column of a score the board refuses."`
	PeriodClosed  *board.PeriodClosedError  `json:"periodClosed,omitempty" doc:"Which period takes no more results."`
	Outside       *board.OutsideError       `json:"outside,omitempty" doc:"The seasons around a time that is in none."`
	Union         *board.UnionError         `json:"union,omitempty" doc:"What is at fault in a union."`
	Journal       *board.JournalError       `json:"journal,omitempty" doc:"What the journal does not have."`
	BeforeJournal *board.BeforeJournalError `json:"beforeJournal,omitempty" doc:"From where on the journal goes."`
	Undo          *board.UndoError          `json:"undo,omitempty" doc:"Which row of the journal cannot be undone."`
	Relocated     *board.RelocatedError     `json:"relocated,omitempty" doc:"Where the board has been moved."`
	Behind        *feed.BehindError         `json:"behind,omitempty" doc:"From where on the feed has events."`
}

// MarshalJSON implements json.Marshaler.
func (d *Details) MarshalJSON() ([]byte, error) { return boardjson.Marshal(d) }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Details) UnmarshalJSON(b []byte) error { return boardjson.Read(b, d) }

// typed returns the fields that are errors.
func (d *Details) typed() (fields []reflect.Value) {
	v := reflect.ValueOf(d).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Pointer {
			fields = append(fields, v.Field(i))
		}
	}
	return fields
}

// DetailsOf returns the typed errors in a chain, nil if there are none.
func DetailsOf(err error) *Details {
	d := &Details{Also: also(err)}
	found := d.Also != nil
	for _, f := range d.typed() {
		if errors.As(err, f.Addr().Interface()) {
			found = true
		}
	}
	if !found {
		return nil
	}
	return d
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

// Errors returns the typed errors. reason is the error of the code.
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
	if d.Batch != nil {
		d.Batch.Err = inner
	}
	if d.Score != nil {
		d.Score.Reason = inner
	}
	if d.Union != nil {
		d.Union.Err = inner
	}
	for _, f := range d.typed() {
		if !f.IsNil() {
			all = append(all, f.Interface().(error))
		}
	}
	return all
}
