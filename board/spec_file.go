package board

import (
	"fmt"
	"io"

	"github.com/zrankdb/zrank/internal/jsontext"
)

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
//	  "onceFor": "48h",
//	  "awards": [
//	    {"window": "cup", "mode": "competition", "claim": true, "expires": "168h", "tiers": [
//	      {"name": "gold", "from": 1, "payload": "500 coins"},
//	      {"name": "silver", "from": 2, "to": 10, "payload": "100 coins"},
//	      {"name": "best tenth", "percent": 10, "payload": "20 coins"},
//	      {"name": "played", "everyone": true, "payload": "5 coins"}
//	    ]}
//	  ]
//	}
//
// A rolling window is {"name": "3h", "kind": "rolling", "span": "3h"}, with "bucket": "1m" for buckets. A board that ranks its best members only has
// "top": {"n": 1000, "reserve": 250}. A board in parts has "parts": 4, or "partMembers": 100000, one with a journal "journal": 100000. Everything but the name may be left out. "$schema" names the JSON schema for editors, which "zrank schema" prints, and is ignored. Windows are objects, or short texts as window.ParseShort reads them. A number with a
// point or an exponent is a float64, any other an int64, which a column of float64 takes too. Errors: one that wraps ErrSpec, for
// text that is not JSON, unknown fields, text after the object, more than 1 MiB, and a spec that Validate refuses; that of the reader.
func ReadSpec(r io.Reader) (Spec, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSpecFile+1))
	if err != nil {
		return Spec{}, fmt.Errorf("board: reading a spec file: %w", err)
	}
	if len(text) > maxSpecFile {
		return Spec{}, fmt.Errorf("%w: the file is longer than %d bytes", ErrSpec, maxSpecFile)
	}
	var file struct {
		Schema string `json:"$schema"` // for editors
		Spec
	}
	if text, err = jsontext.Clean(text); err == nil {
		err = jsontext.Decode(text, &file)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	if err := file.Spec.Validate(); err != nil {
		return Spec{}, err
	}
	return file.Spec, nil
}

// maxSpecFile is the length of the longest spec file, in bytes.
const maxSpecFile = 1 << 20
