package events

import (
	"fmt"
	"io"
	"time"
)

// Position returns how far the input was read: up to the last event that Next returned or the last row that Skip skipped.
// O(1) but for the digest of the rows since the last call.
func (in *Input) Position() Position {
	p := Position{Rows: in.rows, Digest: in.tap.digested(), Done: in.done, File: in.id, Unit: in.unit.unit, Given: in.unit.given}
	if in.latest != noTime {
		p.Latest = time.Unix(in.latest, 0).UTC()
	}
	return p
}

// Resume skips the rows before p, so that Next returns the first one after it. It must come before Next (ErrStarted).
//
// The rows before p must be the same as when p was taken, or the error is a *ChangedError. The rest of a file must be the same, too, but for
// rows appended at its end, unless allowEdited is true or p.Done is set. Times are read in the unit of p, whatever the rows after it look
// like; the error is a *UnitError if Options.Unit is another. After an error the input cannot be used. O(bytes before p), and O(size) if a
// file has grown and p.Done is not set.
func (in *Input) Resume(p Position, allowEdited bool) error {
	if in.rows > 0 || in.err != nil || len(in.ahead) > 0 {
		return ErrStarted
	}
	if err := in.resumeTimes(p); err != nil {
		return err
	}
	for in.rows < p.Rows {
		_, _, err := in.split()
		if err == io.EOF {
			return &ChangedError{in.shown, fmt.Sprintf(
				"changed since it was replayed: it has %d rows, and %d were replayed", in.rows, p.Rows)}
		}
		if err != nil {
			return err
		}
		in.consumed(in.csv.InputOffset())
	}
	if in.tap.digested() != p.Digest {
		return &ChangedError{in.shown, fmt.Sprintf(
			"changed since it was replayed: the %d rows already replayed are not the same any more", p.Rows)}
	}
	if allowEdited || p.Done {
		return nil
	}
	return in.checkRest(p)
}

// resumeTimes sets the unit and the latest time to those of p.
func (in *Input) resumeTimes(p Position) error {
	if p.Unit != Auto {
		if in.times.given && in.times.unit != p.Unit {
			return &UnitError{File: in.shown, Reason: fmt.Sprintf("was replayed with --time-unit %v, not %v", p.Unit, in.times.unit)}
		}
		in.times = times{p.Unit, p.Given || in.times.given}
		in.unit = times{p.Unit, p.Given}
	}
	if !p.Latest.IsZero() {
		in.latest = p.Latest.Unix()
	}
	return nil
}

// checkRest compares the file after p with the identity in p: the file of p must be the input or its beginning.
func (in *Input) checkRest(p Position) error {
	if in.id == p.File || in.id.Size == 0 || p.File.Size == 0 {
		return nil
	}
	if in.id.Size > p.File.Size {
		was, err := digest(io.NewSectionReader(in.file, 0, p.File.Size))
		if err != nil {
			return in.broken(err)
		}
		if was == p.File {
			return nil
		}
	}
	return &ChangedError{in.shown, fmt.Sprintf("changed since it was replayed: the first %d rows, already replayed, are the same, "+
		"what follows is not; --resume-edited goes on from there", p.Rows)}
}
