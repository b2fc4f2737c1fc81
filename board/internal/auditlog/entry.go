package auditlog

import (
	"encoding/json"
	"fmt"

	"github.com/zrankdb/zrank/board/audit"
)

// stored is the stored form of an entry, as JSON. Members may have bytes that are no UTF-8, so they are stored as bytes.
type stored struct {
	audit.Entry
	Member []byte `json:"member,omitempty"`
	To     []byte `json:"to,omitempty"`
}

// Encode returns the stored form.
func Encode(e *audit.Entry) ([]byte, error) {
	return json.Marshal(stored{*e, []byte(e.Member), []byte(e.To)})
}

// Decode reads the stored form that a key has.
func Decode(key string, text []byte) (e audit.Entry, err error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return e, fmt.Errorf("board: stored as %q: entry of the audit log: %w", key, err)
	}
	e = s.Entry
	e.Member, e.To = string(s.Member), string(s.To)
	return e, nil
}
