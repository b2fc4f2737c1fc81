package window

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board/internal/calendar"
)

// plain is a Window whose JSON is that of its fields.
type plain Window

// MarshalJSON writes the window as in spec files. Instants are in UTC: offsets of zones before 1972 had seconds, which RFC 3339 cannot
// express. It fails for instants outside of the years 0 to 9999.
func (w Window) MarshalJSON() ([]byte, error) {
	w.Anchor = w.Anchor.UTC()
	w.Seasons = slices.Clone(w.Seasons)
	for i := range w.Seasons {
		s := &w.Seasons[i]
		s.Start, s.End = s.Start.UTC(), s.End.UTC()
	}
	return json.Marshal(plain(w))
}

// UnmarshalJSON reads a window from a spec file: an object, in which an instant may be a civil time of the window's zone, or a
// string, as ParseShort reads it. It refuses unknown fields, so that a misspelt one is noticed. It does not validate objects. Its
// errors wrap ErrWindow, or are those of encoding/json.
func (w *Window) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte{'"'}) {
		return w.unmarshalShort(b)
	}
	if !bytes.HasPrefix(b, []byte{'{'}) {
		return fmt.Errorf("%w: it is %.32s, want an object, or a text like week@Asia/Shanghai", ErrWindow, b)
	}
	var read struct {
		plain
		Anchor  string `json:"anchor"`
		Seasons []struct {
			Name  string `json:"name"`
			Start string `json:"start"`
			End   string `json:"end"`
		} `json:"seasons"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		return fmt.Errorf("%w: %w", ErrWindow, err)
	}
	got := Window(read.plain)
	in := instants{zone: got.TimeZone}
	got.Anchor = in.read(read.Anchor)
	for _, s := range read.Seasons {
		got.Seasons = append(got.Seasons, Season{Name: s.Name, Start: in.read(s.Start), End: in.read(s.End)})
	}
	if in.err != nil {
		return fmt.Errorf("%w %q: %w", ErrWindow, got.Label(), in.err)
	}
	*w = got
	return nil
}

// unmarshalShort reads a window from a string.
func (w *Window) unmarshalShort(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	got, err := ParseShort(text)
	if err == nil {
		*w = got
	}
	return err
}

// instants reads instants of a zone, up to the first error.
type instants struct {
	zone     string
	location *time.Location // nil until a civil time was read
	err      error
}

// read returns the instant that a text stands for, or the zero time for an empty text.
func (in *instants) read(text string) time.Time {
	if text == "" || in.err != nil {
		return time.Time{}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC()
	}
	for _, layout := range []string{"2006-01-02T15:04:05", time.DateOnly} {
		if civil, err := time.Parse(layout, text); err == nil {
			return in.civil(civil)
		}
	}
	in.err = fmt.Errorf("time is %q, want one like 2026-11-21T00:00:00+08:00, 2026-11-21T00:00:00 or 2026-11-21", text)
	return time.Time{}
}

// civil returns the first passage of a civil time in the zone, with its fraction of a second.
func (in *instants) civil(civil time.Time) time.Time {
	if in.location == nil {
		if in.location, in.err = loadZone(in.zone); in.err != nil {
			return time.Time{}
		}
	}
	unix := calendar.FirstPassage(in.location, calendar.Of(civil))
	return time.Unix(unix, int64(civil.Nanosecond())).UTC()
}
