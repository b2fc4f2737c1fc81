package audit

import "github.com/zrankdb/zrank/internal/boardjson"

// MarshalJSON writes the JSON of package boardjson.
func (e Entry) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&e) }

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Entry) UnmarshalJSON(b []byte) error { return boardjson.Read(b, e) }
