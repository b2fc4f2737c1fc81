package events

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// FileID is what a whole file is recognised by: its raw bytes, still zipped if they are.
type FileID struct {
	Size   int64
	Digest [sha256.Size]byte // SHA-256
}

// Position says how far an input was read, and what was read up to there.
type Position struct {
	Rows   int64             // rows consumed, good and bad, without the header
	Digest [sha256.Size]byte // SHA-256 of the unzipped text of the header and those rows, byte for byte
	Done   bool              // Next has returned io.EOF
	File   FileID            // zero for a stream
	Unit   Unit              // of the times of those rows; Auto: no row has decided
	Given  bool              // the unit was Options.Unit, and no row decided
	Latest time.Time         // of the events, in whole seconds, UTC; zero: there was none
}

// A stored position has a fixed width; numbers are big-endian:
//
//	+---------+------+------+--------+------+-------------+------+--------+
//	| version | done | rows | digest | size | file digest | unit | latest |
//	|    1    |  1   |  8   |   32   |  8   |     32      |  1   |   8    |
//	+---------+------+------+--------+------+-------------+------+--------+
//
// A stream has size 0 and a file digest of zeros. The unit is a Unit, with its highest bit set if it was given. Latest is in Unix seconds,
// the smallest int64 for none. Version 1 ends before the unit, and is read as a position without unit and latest.
const (
	positionVersion = 2
	positionLen     = positionLen1 + 1 + 8
	positionLen1    = 1 + 1 + 8 + sha256.Size + 8 + sha256.Size

	givenBit = 0x80
)

// MarshalBinary encodes p. It never fails.
func (p Position) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, positionLen)
	done := byte(0)
	if p.Done {
		done = 1
	}
	b = append(b, positionVersion, done)
	b = binary.BigEndian.AppendUint64(b, uint64(p.Rows))
	b = append(b, p.Digest[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(p.File.Size))
	b = append(b, p.File.Digest[:]...)
	unit, latest := byte(p.Unit), int64(noTime)
	if p.Given {
		unit |= givenBit
	}
	if !p.Latest.IsZero() {
		latest = p.Latest.Unix()
	}
	return binary.BigEndian.AppendUint64(append(b, unit), uint64(latest)), nil
}

// UnmarshalBinary decodes what MarshalBinary wrote, of this version or of version 1, and nothing else: one byte more, or a value that no input
// has, is ErrPosition, and p stays as it was.
func (p *Position) UnmarshalBinary(b []byte) error {
	if len(b) == positionLen1 && b[0] == 1 {
		b = binary.BigEndian.AppendUint64(append(slices.Clone(b), byte(Auto)), 1<<63)
		b[0] = positionVersion
	}
	if len(b) != positionLen {
		return fmt.Errorf("%w: %d bytes, not %d", ErrPosition, len(b), positionLen)
	}
	if b[0] != positionVersion {
		return fmt.Errorf("%w: version %d, not %d", ErrPosition, b[0], positionVersion)
	}
	if b[1] > 1 {
		return fmt.Errorf("%w: done is %d", ErrPosition, b[1])
	}
	rows, size := binary.BigEndian.Uint64(b[2:]), binary.BigEndian.Uint64(b[42:])
	if rows > math.MaxInt64 || size > math.MaxInt64 {
		return fmt.Errorf("%w: %d rows of %d bytes", ErrPosition, rows, size)
	}
	id := FileID{Size: int64(size), Digest: [sha256.Size]byte(b[50:])}
	if id.Size == 0 && id != (FileID{}) {
		return fmt.Errorf("%w: a stream with a file's digest", ErrPosition)
	}
	q := Position{Rows: int64(rows), Digest: [sha256.Size]byte(b[10:]), Done: b[1] == 1, File: id}
	if err := q.unmarshalTimes(b[positionLen1], int64(binary.BigEndian.Uint64(b[positionLen1+1:]))); err != nil {
		return err
	}
	*p = q
	return nil
}

// unmarshalTimes decodes what is known of the times of the rows.
func (p *Position) unmarshalTimes(unit byte, latest int64) error {
	p.Unit, p.Given = Unit(unit&^givenBit), unit&givenBit != 0
	if p.Unit > Nanoseconds || p.Given && p.Unit == Auto {
		return fmt.Errorf("%w: unit is %d", ErrPosition, unit)
	}
	if latest == noTime {
		return nil
	}
	p.Latest = time.Unix(latest, 0).UTC()
	if latest < minTime || latest > maxTime || p.Latest.IsZero() {
		return fmt.Errorf("%w: latest is %d", ErrPosition, latest)
	}
	return nil
}

// MarshalText encodes p as MarshalBinary does, in hexadecimal, so that a position fits into JSON. It never fails.
func (p Position) MarshalText() ([]byte, error) {
	b, err := p.MarshalBinary()
	return hex.AppendEncode(nil, b), err
}

// UnmarshalText decodes what MarshalText wrote, and nothing else (ErrPosition).
func (p *Position) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPosition, err)
	}
	return p.UnmarshalBinary(b)
}

// Position returns how far the input was read: every event that Next returned, and every row skipped, is
// behind it.
// O(1) but for the digest of the rows since the last call.
func (in *Input) Position() Position {
	p := Position{Rows: in.rows, Digest: in.tap.digested(), Done: in.done, File: in.id, Unit: in.unit.unit, Given: in.unit.given}
	if in.latest != noTime {
		p.Latest = time.Unix(in.latest, 0).UTC()
	}
	return p
}

// Resume skips the rows before p, so that Next returns the first one behind it. It must come before Next (ErrStarted).
//
// The input must be the one p was taken of, or the error is a *ChangedError. The rows before p must be the same, always. More may be
// appended. Otherwise the rest of a file must be the same, too, unless allowEdited is true or the file was read to its end.
// Times are read in the unit of p, whatever the rows behind it look like. The error is a *UnitError if Options.Unit is another.
// After an error the input is of no use any more. O(bytes before p), and O(size) if a file has grown that was not read to its end.
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

// resumeTimes takes over what is known of the times before p.
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

// checkRest compares what lies behind p, as far as that is known without reading it: the file of p is the input or its beginning.
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
