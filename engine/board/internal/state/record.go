package state

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Record describes a closed period that had members. A migration adds a digest to it.
type Record struct {
	Period   string
	Start    time.Time
	End      time.Time
	ClosedAt time.Time // to the microsecond
	Members  int
	// Digests has the digest of the period's set, see engine.Owner, by the version of the board in the set's key. It is nil if a version of
	// this package without digests closed the period. The map is never modified, only replaced.
	Digests map[int]uint64
}

// storedRecord is the stored form of a Record, as JSON. Times are microseconds after 1970: RFC 3339 cannot express the year 10000, nor the
// seconds in the offsets of local mean time. Format 0 has no digests; in format 1 they are 16 hexadecimal digits.
type storedRecord struct {
	Format   int            `json:"format,omitempty"`
	Period   string         `json:"period"`
	Start    int64          `json:"start"`
	End      int64          `json:"end"`
	ClosedAt int64          `json:"closedAt"`
	Members  int            `json:"members"`
	Digests  map[int]string `json:"digests,omitempty"`
}

// recordFormat is the format of records with digests.
const recordFormat = 1

// Encode returns the stored form of the record.
func (r *Record) Encode() ([]byte, error) {
	s := storedRecord{Period: r.Period, Start: r.Start.UnixMicro(), End: r.End.UnixMicro(), ClosedAt: r.ClosedAt.UnixMicro(), Members: r.Members}
	for version, digest := range r.Digests {
		if s.Digests == nil {
			s.Format, s.Digests = recordFormat, map[int]string{}
		}
		s.Digests[version] = fmt.Sprintf("%016x", digest)
	}
	return json.Marshal(s)
}

// DecodeThrough reads the end of the last closed period of a window, in microseconds after 1970, as boardkey.Window stores it.
func DecodeThrough(text []byte) (int64, error) { return strconv.ParseInt(string(text), 10, 64) }

// DecodeRecord is the inverse of Encode. Times are in UTC.
func DecodeRecord(b []byte) (*Record, error) {
	var s storedRecord
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	if s.Format < 0 || s.Format > recordFormat {
		return nil, fmt.Errorf("format %d, and this version knows %d", s.Format, recordFormat)
	}
	utc := func(micro int64) time.Time { return time.UnixMicro(micro).UTC() }
	r := &Record{Period: s.Period, Start: utc(s.Start), End: utc(s.End), ClosedAt: utc(s.ClosedAt), Members: s.Members}
	for version, text := range s.Digests {
		digest, err := strconv.ParseUint(text, 16, 64)
		if err != nil || version < 1 {
			return nil, fmt.Errorf("digest %q of version %d", text, version)
		}
		if r.Digests == nil {
			r.Digests = map[int]uint64{}
		}
		r.Digests[version] = digest
	}
	return r, nil
}
