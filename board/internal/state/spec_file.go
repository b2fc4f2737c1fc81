package state

import (
	"encoding/json"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// specFormat is the format of stored specs.
const specFormat = 2

// storedSpec is the stored form of a spec, as JSON.
type storedSpec struct {
	Format  int        `json:"format"`
	Version int        `json:"version"` // of the board: 1, and one more with each migration
	Spec    board.Spec `json:"spec"`    // defaults filled in
}

// Encode returns the stored form of a spec and the board's version.
func EncodeSpec(s board.Spec, version int) ([]byte, error) {
	b, err := json.Marshal(storedSpec{specFormat, version, s.WithDefaults()})
	if err != nil {
		return nil, fmt.Errorf("board: storing spec %q: %w", s.Name, err)
	}
	return b, nil
}

// Decode is the inverse of Encode. It refuses other formats, which a later version of this package may have written.
func DecodeSpec(b []byte) (board.Spec, int, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return board.Spec{}, 0, fmt.Errorf("board: stored spec: %w", err)
	}
	if head.Format != specFormat {
		return board.Spec{}, 0, fmt.Errorf("board: stored spec has format %d, this version reads %d", head.Format, specFormat)
	}
	var stored storedSpec
	err := jsontext.Decode(b, &stored)
	if err == nil && stored.Version < 1 {
		err = fmt.Errorf("version is %d, want at least 1", stored.Version)
	}
	if err == nil {
		err = stored.Spec.Validate()
	}
	if err != nil {
		return board.Spec{}, 0, fmt.Errorf("board: stored spec: %w", err)
	}
	return stored.Spec.WithDefaults(), stored.Version, nil
}
