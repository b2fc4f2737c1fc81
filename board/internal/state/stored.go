package state

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/board/internal/ranking"
)

// storedRecord is the stored form of a Record, as JSON. Times are microseconds after 1970: RFC 3339 cannot express the year 10000, nor the
// seconds in the offsets of local mean time. Format 0 has no digests; in format 1 they are 16 hexadecimal digits.
type storedRecord struct {
	Format    int               `json:"format,omitempty"`
	Period    string            `json:"period"`
	Start     int64             `json:"start"`
	End       int64             `json:"end"`
	ClosedAt  int64             `json:"closedAt"`
	Members   int               `json:"members"`
	Digests   map[int]string    `json:"digests,omitempty"`
	Indexed   bool              `json:"indexed,omitempty"`
	Removed   []int             `json:"removed,omitempty"`
	Hidden    int               `json:"hidden,omitempty"`
	Vacancies map[int][]vacancy `json:"vacancies,omitempty"`
}

// vacancy is the stored form of a vacancy.
type vacancy struct {
	Score int64  `json:"score"`
	Tie   []byte `json:"tie,omitempty"`
}

// recordFormat is the format of records with digests.
const recordFormat = 1

// Encode returns the stored form of the record.
func (r *Record) Encode() ([]byte, error) {
	s := storedRecord{Period: r.Period, Start: r.Start.UnixMicro(), End: r.End.UnixMicro(), ClosedAt: r.ClosedAt.UnixMicro(), Members: r.Members,
		Indexed: r.Indexed, Removed: r.Removed, Hidden: r.Hidden}
	for _, d := range r.Digests {
		if s.Digests == nil {
			s.Format, s.Digests = recordFormat, map[int]string{}
		}
		s.Digests[d.Version] = fmt.Sprintf("%016x", d.Sum)
	}
	for version, vacancies := range r.Vacancies {
		if s.Vacancies == nil {
			s.Vacancies = map[int][]vacancy{}
		}
		for _, g := range vacancies {
			s.Vacancies[version] = append(s.Vacancies[version], vacancy(g))
		}
	}
	return json.Marshal(s)
}

// DecodeThrough reads the end of the last closed period of a window, in microseconds after 1970, as boardkey.Window stores it.
func DecodeThrough(text []byte) (int64, error) { return strconv.ParseInt(string(text), 10, 64) }

// DecodeRecord is the inverse of Encode. Times are in UTC. A board with many closed periods decodes as many records when it is opened, so
// DecodeRecord parses the text that Encode writes by itself, and leaves any other to package json.
func DecodeRecord(b []byte) (*Record, error) {
	if r, ok := parseRecord(b); ok {
		return r, nil
	}
	return decodeJSON(b)
}

// decodeJSON decodes a record in any form of JSON.
func decodeJSON(b []byte) (*Record, error) {
	var s storedRecord
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	if s.Format < 0 || s.Format > recordFormat {
		return nil, fmt.Errorf("format %d, and this version knows %d", s.Format, recordFormat)
	}
	r := newRecord(s.Period, s.Start, s.End, s.ClosedAt, s.Members)
	for version, text := range s.Digests {
		digest, err := strconv.ParseUint(text, 16, 64)
		if err != nil || version < 1 {
			return nil, fmt.Errorf("digest %q of version %d", text, version)
		}
		r.Digests = append(r.Digests, Digest{version, digest})
	}
	r.Indexed, r.Removed, r.Hidden = s.Indexed, s.Removed, s.Hidden
	for version, vacancies := range s.Vacancies {
		if len(vacancies) == 0 {
			continue
		}
		if r.Vacancies == nil {
			r.Vacancies = map[int]ranking.Vacancies{}
		}
		all := make([]ranking.Vacancy, len(vacancies))
		for i, g := range vacancies {
			if all[i] = ranking.Vacancy(g); len(g.Tie) == 0 {
				all[i].Tie = nil
			}
		}
		r.Vacancies[version] = ranking.NewVacancies(all)
	}
	slices.SortFunc(r.Digests, func(x, y Digest) int { return cmp.Compare(x.Version, y.Version) })
	return r, nil
}
