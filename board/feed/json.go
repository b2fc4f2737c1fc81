package feed

import "github.com/zrankdb/zrank/internal/boardjson"

// MarshalJSON writes the JSON of package boardjson.
func (e Event) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&e) }

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Event) UnmarshalJSON(b []byte) error { return boardjson.Read(b, e) }
