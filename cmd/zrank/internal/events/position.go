package events

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"time"
)

// FileID identifies a whole file by its raw bytes, before gzip is unpacked.
type FileID struct {
	Size   int64
	Digest [sha256.Size]byte // SHA-256
}

// Position is how far an input was read, with a digest of what was read.
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

// UnmarshalBinary decodes what MarshalBinary of this version or of version 1 wrote. It returns ErrPosition and does not change p for any
// other length, and for values that no input can have.
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

// unmarshalTimes decodes the unit and the latest time.
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
