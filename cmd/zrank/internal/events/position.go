package events

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
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
}

// A stored position has a fixed width; numbers are big-endian:
//
//	+---------+------+------+--------+------+-------------+
//	| version | done | rows | digest | size | file digest |
//	|    1    |  1   |  8   |   32   |  8   |     32      |
//	+---------+------+------+--------+------+-------------+
//
// A stream has size 0 and a file digest of zeros.
const (
	positionVersion = 1
	positionLen     = 1 + 1 + 8 + sha256.Size + 8 + sha256.Size
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
	return append(b, p.File.Digest[:]...), nil
}

// UnmarshalBinary decodes what MarshalBinary wrote, and nothing else: one byte more, or a value that no input has, is
// ErrPosition, and p stays as it was.
func (p *Position) UnmarshalBinary(b []byte) error {
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
	*p = Position{Rows: int64(rows), Digest: [sha256.Size]byte(b[10:]), Done: b[1] == 1, File: id}
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
	return Position{Rows: in.rows, Digest: in.tap.digested(), Done: in.err == io.EOF, File: in.id}
}

// Resume skips the rows before p, so that Next returns the first one behind it. It must come before Next (ErrStarted).
//
// The input must be the one p was taken of, or the error is a *ChangedError. The rows before p must be the same, always.
// The rest of a file must be the same too, and no row may follow where the input ended (p.Done), unless allowEdited is
// true. After an error the input is of no use any more. O(bytes before p).
func (in *Input) Resume(p Position, allowEdited bool) error {
	if in.rows > 0 || in.err != nil {
		return ErrStarted
	}
	for in.rows < p.Rows {
		err := in.fetch()
		if err == io.EOF {
			return &ChangedError{in.shown, fmt.Sprintf(
				"changed since it was replayed: it has %d rows, and %d were replayed", in.rows, p.Rows)}
		}
		if err != nil {
			return err
		}
		in.take()
	}
	if in.Position().Digest != p.Digest {
		return &ChangedError{in.shown, fmt.Sprintf(
			"changed since it was replayed: the %d rows already replayed are not the same any more", p.Rows)}
	}
	if allowEdited {
		return nil
	}
	return in.checkRest(p)
}

// checkRest compares what lies behind p, as far as that is known without reading it.
func (in *Input) checkRest(p Position) error {
	const advice = "; --resume-edited goes on from there"
	zero := FileID{}
	if in.id != zero && p.File != zero && in.id != p.File {
		return &ChangedError{in.shown, fmt.Sprintf(
			"changed since it was replayed: the first %d rows, already replayed, are the same, what follows is not"+advice, p.Rows)}
	}
	if !p.Done {
		return nil
	}
	if err := in.fetch(); err != io.EOF && err != nil {
		return err
	} else if err == nil {
		return &ChangedError{in.shown, fmt.Sprintf(
			"goes on after the %d rows at which it ended when it was replayed"+advice, p.Rows)}
	}
	return nil
}
