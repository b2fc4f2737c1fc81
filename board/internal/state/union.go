package state

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// Union describes a stored union. It does not change.
type Union struct {
	Version  int // in the key of its set
	Members  int
	Digest   uint64 // of its set: see engine.Owner
	StoredAt time.Time
	Rules    *rules.Rules
	Spec     []byte // as JSON
}

// storedUnion is the stored form of a Union, as JSON; see storedRecord.
type storedUnion struct {
	Format   int             `json:"format"`
	Version  int             `json:"version"`
	Members  int             `json:"members"`
	Digest   string          `json:"digest"`
	StoredAt int64           `json:"storedAt"`
	Columns  []rules.Column  `json:"columns"`
	Ties     rules.Ties      `json:"ties"`
	Spec     json.RawMessage `json:"spec"`
}

// unionFormat is the format of stored unions.
const unionFormat = 1

// Encode returns the stored form of the union.
func (u *Union) Encode() ([]byte, error) {
	return json.Marshal(storedUnion{unionFormat, u.Version, u.Members, fmt.Sprintf("%016x", u.Digest), u.StoredAt.UnixMicro(), u.Rules.Columns(),
		u.Rules.Ties(), u.Spec})
}

// DecodeUnion is the inverse of Encode.
func DecodeUnion(text []byte) (*Union, error) {
	var s storedUnion
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Format != unionFormat {
		return nil, fmt.Errorf("format %d, and this version knows %d", s.Format, unionFormat)
	}
	digest, err := strconv.ParseUint(s.Digest, 16, 64)
	if err != nil {
		return nil, err
	}
	r, err := rules.New(s.Columns, rules.Best, s.Ties)
	if err != nil {
		return nil, err
	}
	return &Union{s.Version, s.Members, digest, time.UnixMicro(s.StoredAt).UTC(), r, s.Spec}, nil
}
