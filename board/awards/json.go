package awards

import "github.com/zrankdb/zrank/internal/boardjson"

// MarshalJSON writes the JSON of package boardjson.
func (a Award) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&a) }

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Award) UnmarshalJSON(b []byte) error { return boardjson.Read(b, a) }

// MarshalJSON writes the JSON of package boardjson.
func (s Settlement) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&s) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Settlement) UnmarshalJSON(b []byte) error { return boardjson.Read(b, s) }

// MarshalJSON writes the JSON of package boardjson.
func (d Difference) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&d) }

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Difference) UnmarshalJSON(b []byte) error { return boardjson.Read(b, d) }

// MarshalJSON writes the JSON of package boardjson.
func (c Change) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&c) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Change) UnmarshalJSON(b []byte) error { return boardjson.Read(b, c) }

// MarshalJSON writes the JSON of package boardjson.
func (r Resettlement) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&r) }

// UnmarshalJSON reads what MarshalJSON writes. A field that does not exist is an error.
func (r *Resettlement) UnmarshalJSON(b []byte) error { return boardjson.ReadStrict(b, r) }
