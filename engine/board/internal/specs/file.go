package specs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// maxSpecFile is the length of the longest spec file, in bytes.
const maxSpecFile = 1 << 20

// Read reads a spec file: see board.ReadSpec, which describes the format. Errors: one that wraps ErrSpec, for text that is not JSON, fields
// that do not exist, text after the object, more than 1 MiB, and a spec that Validate refuses; that of the reader.
func Read(r io.Reader) (Spec, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSpecFile+1))
	if err != nil {
		return Spec{}, fmt.Errorf("board: reading a spec file: %w", err)
	}
	if len(text) > maxSpecFile {
		return Spec{}, fmt.Errorf("%w: the file is longer than %d bytes", errs.ErrSpec, maxSpecFile)
	}
	var s Spec
	if err := decodeStrictly(text, &s); err != nil {
		return Spec{}, fmt.Errorf("%w: %w", errs.ErrSpec, err)
	}
	if err := s.Validate(); err != nil {
		return Spec{}, err
	}
	return s, nil
}

// decodeStrictly reads one JSON value. It refuses unknown fields, and text after the value. Its errors name the line if the decoder knows it.
func decodeStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var at int64
	switch e := err.(type) {
	case nil:
		if _, err := d.Token(); err == io.EOF {
			return nil
		}
		at, err = d.InputOffset(), errors.New("there is more behind the object")
	case *json.SyntaxError:
		at = e.Offset
	case *json.UnmarshalTypeError:
		at = e.Offset
	default:
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(at, int64(len(text)))], []byte{'\n'}), err)
}

// specFormat is the format of stored specs.
const specFormat = 2

// storedSpec is the stored form of a spec, as JSON.
type storedSpec struct {
	Format  int  `json:"format"`
	Version int  `json:"version"` // of the board: 1, and one more with each migration
	Spec    Spec `json:"spec"`    // defaults filled in
}

// Encode returns the stored form of a spec and the board's version.
func Encode(s Spec, version int) ([]byte, error) {
	b, err := json.Marshal(storedSpec{specFormat, version, WithDefaults(s)})
	if err != nil {
		return nil, fmt.Errorf("board: storing spec %q: %w", s.Name, err)
	}
	return b, nil
}

// Decode is the inverse of Encode. It refuses other formats, which a later version of this package may have written.
func Decode(b []byte) (Spec, int, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return Spec{}, 0, fmt.Errorf("board: stored spec: %w", err)
	}
	if head.Format != specFormat {
		return Spec{}, 0, fmt.Errorf("board: stored spec has format %d, this version reads %d", head.Format, specFormat)
	}
	var stored storedSpec
	err := decodeStrictly(b, &stored)
	if err == nil && stored.Version < 1 {
		err = fmt.Errorf("version is %d, want at least 1", stored.Version)
	}
	if err == nil {
		err = stored.Spec.Validate()
	}
	if err != nil {
		return Spec{}, 0, fmt.Errorf("board: stored spec: %w", err)
	}
	return WithDefaults(stored.Spec), stored.Version, nil
}
