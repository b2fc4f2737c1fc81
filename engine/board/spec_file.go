package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxSpecFile is the length of the longest spec file, in bytes.
const maxSpecFile = 1 << 20

// ReadSpec reads a spec file: one JSON object whose fields are those of Spec.
//
//	{
//	  "name": "shop/flowers/stars",
//	  "columns": [
//	    {"name": "flowers"},
//	    {"name": "givers", "op": "max", "max": 100000},
//	    {"name": "weight", "kind": "float64", "order": "asc", "min": 0.5}
//	  ],
//	  "op": "sum",
//	  "ties": "first",
//	  "windows": [
//	    "all",
//	    "week-sunday@America/New_York+10m#8",
//	    {"name": "cup", "kind": "seasons", "zone": "Asia/Shanghai", "grace": "2h", "seasons": [
//	      {"name": "spring", "start": "2026-03-01", "end": "2026-06-01T12:00:00"},
//	      {"name": "autumn", "start": "2026-09-01T00:00:00+08:00", "end": "2026-12-01"}
//	    ]}
//	  ],
//	  "maxMeta": 256,
//	  "bestRanks": true,
//	  "onceFor": "48h"
//	}
//
// Everything but the name may be left out. Windows are objects, or short texts as window.ParseShort reads them. A number with a
// point or an exponent is a float64, any other an int64, which a column of float64 takes too. Errors: one that wraps ErrSpec, for what
// is no JSON, fields that do not exist, more behind the object, more than 1 MiB, and what Validate refuses; that of the reader.
func ReadSpec(r io.Reader) (Spec, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSpecFile+1))
	if err != nil {
		return Spec{}, fmt.Errorf("board: reading a spec file: %w", err)
	}
	if len(text) > maxSpecFile {
		return Spec{}, fmt.Errorf("%w: the file is longer than %d bytes", ErrSpec, maxSpecFile)
	}
	var s Spec
	if err := decodeStrictly(text, &s); err != nil {
		return Spec{}, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	if err := s.Validate(); err != nil {
		return Spec{}, err
	}
	return s, nil
}

// decodeStrictly reads one JSON value and nothing behind it, whose fields all exist. Its errors say in which line, where that is
// known.
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

// specFormat is the version of what a stored spec looks like.
const specFormat = 2

// storedSpec is what is stored of a board, as JSON.
type storedSpec struct {
	Format  int  `json:"format"`
	Version int  `json:"version"` // of the board: 1, and one more with each migration
	Spec    Spec `json:"spec"`    // defaults filled in
}

// encode returns what is stored of a spec and the board's version.
func encodeSpec(s Spec, version int) ([]byte, error) {
	b, err := json.Marshal(storedSpec{specFormat, version, withDefaults(s)})
	if err != nil {
		return nil, fmt.Errorf("board: storing spec %q: %w", s.Name, err)
	}
	return b, nil
}

// decodeSpec is the inverse of encode. It refuses other formats, which a later version may have written.
func decodeSpec(b []byte) (Spec, int, error) {
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
	return withDefaults(stored.Spec), stored.Version, nil
}
