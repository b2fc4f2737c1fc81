package window

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Validate returns one error that names every impossible value, each wrapping ErrWindow, or nil. It loads the zone.
func (w Window) Validate() error {
	v := validation{label: w.Label()}
	if !validName(w.Label()) {
		v.bad("name is %q, want 1 to %d letters, digits, - and _", w.Label(), MaxName)
	}
	if !slices.Contains(kinds, w.Kind) {
		v.bad("kind is %q, want one of %s", w.Kind, list(kinds))
	}
	if _, err := loadZone(w.TimeZone); err != nil {
		v.bad("zone is %q: %v", w.TimeZone, err)
	}
	w.validateStart(&v)
	w.validateEvery(&v)
	w.validateRolling(&v)
	w.validateEnding(&v)
	w.validateSeasons(&v)
	return errors.Join(v.errs...)
}

// validation collects the errors of a window.
type validation struct {
	label string
	errs  []error
}

func (v *validation) bad(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("%w %q: "+format, append([]any{ErrWindow, v.label}, args...)...))
}

func (w Window) validateStart(v *validation) {
	switch {
	case !w.Start.valid():
		v.bad("start is %v, want a day of the week", w.Start)
	case w.Start != Monday && w.Kind != Week:
		v.bad("start is %v, but only a week has a first day", w.Start)
	}
}

func (w Window) validateEvery(v *validation) {
	switch {
	case w.Kind != Every && w.Every != 0:
		v.bad("every is %v, but the kind is %q", w.Every, w.Kind)
	case w.Kind == Every && (w.Every < Duration(time.Second) || w.Every == Forever || w.Every%Duration(time.Second) != 0):
		v.bad("every is %v, want whole seconds, at least one", w.Every)
	}
	switch {
	case w.Anchor.IsZero():
	case w.Kind != Every:
		v.bad("anchor is %s, but the kind is %q", w.Anchor.Format(time.RFC3339), w.Kind)
	case !validMoment(w.Anchor):
		v.bad("anchor is %s, want a whole second of the years 0 to 9999", w.Anchor.Format(time.RFC3339Nano))
	}
}

func (w Window) validateRolling(v *validation) {
	wrong := func(d Duration) bool { return d < Duration(time.Microsecond) || d%Duration(time.Microsecond) != 0 }
	switch {
	case w.Kind != Rolling && w.Span != 0:
		v.bad("span is %v, but the kind is %q", w.Span, w.Kind)
	case w.Kind == Rolling && wrong(w.Span):
		v.bad("span is %v, want whole microseconds, at least one", w.Span)
	}
	switch {
	case w.Kind != Rolling && w.Bucket != 0:
		v.bad("bucket is %v, but the kind is %q", w.Bucket, w.Kind)
	case w.Bucket != 0 && (wrong(w.Bucket) || w.Bucket > w.Span):
		v.bad("bucket is %v, want whole microseconds, at most the span, %v", w.Bucket, w.Span)
	}
}

// validateEnding checks the grace, and how many closed periods are kept.
func (w Window) validateEnding(v *validation) {
	if w.Grace < 0 || !w.Ends() && w.Grace != 0 {
		v.bad("grace is %v, want 0 or more, and 0 where nothing ends", w.Grace)
	}
	if w.Keep < 0 || !w.Ends() && w.Keep != 0 {
		v.bad("keep is %d, want 0 or more, and 0 where nothing ends", w.Keep)
	}
}

func (w Window) validateSeasons(v *validation) {
	switch {
	case w.Kind == Event && len(w.Seasons) != 1:
		v.bad("there are %d seasons, want one that is the event", len(w.Seasons))
	case w.Kind == Seasons && len(w.Seasons) == 0:
		v.bad("there are no seasons, want at least one")
	case w.Kind != Event && w.Kind != Seasons && len(w.Seasons) != 0:
		v.bad("there are %d seasons, but the kind is %q", len(w.Seasons), w.Kind)
	}
	names := map[string]bool{}
	for i, s := range w.Seasons {
		name := w.seasonLabel(s)
		if !validName(name) {
			v.bad("season %d: name is %q, want 1 to %d letters, digits, - and _", i+1, name, MaxName)
		}
		if names[name] {
			v.bad("season %d: name %q is there twice", i+1, name)
		}
		names[name] = true
		if i > 0 && s.Start.Before(w.Seasons[i-1].End) {
			v.bad("season %d: start is %s, before the one above ends", i+1, s.Start.Format(time.RFC3339))
		}
		v.seasonTimes(i, s)
	}
}

func (v *validation) seasonTimes(i int, s Season) {
	switch {
	case s.Start.IsZero() || s.End.IsZero():
		v.bad("season %d: start or end is missing", i+1)
	case !validMoment(s.Start) || !validMoment(s.End):
		v.bad("season %d: is from %s to %s, want whole seconds of the years 0 to 9999", i+1,
			s.Start.Format(time.RFC3339Nano), s.End.Format(time.RFC3339Nano))
	case !s.Start.Before(s.End):
		v.bad("season %d: ends at %s, which is not after its start", i+1, s.End.Format(time.RFC3339))
	}
}

// validName reports whether text can be the name of a window or a season, and so a part of a key.
func validName(text string) bool {
	ok := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_'
	}
	return 0 < len(text) && len(text) <= MaxName && strings.IndexFunc(text, func(r rune) bool { return !ok(r) }) < 0
}

// validMoment reports whether t can be written in JSON and in a name.
func validMoment(t time.Time) bool {
	year := t.UTC().Year()
	return t.Nanosecond() == 0 && 0 <= year && year <= 9999
}

// locations caches the loaded zones by name: a few hundred at most, since thousands of boards share few zones.
var locations sync.Map

// loadZone returns the location of a window's zone.
func loadZone(name string) (*time.Location, error) {
	if zone, ok := locations.Load(name); ok {
		return zone.(*time.Location), nil
	}
	if name == "Local" || name == "localtime" {
		return nil, errors.New("it differs from machine to machine, want a name of the IANA database")
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		locations.Store(name, zone)
	}
	return zone, err
}

// list joins texts with commas.
func list[T ~string](texts []T) string {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = string(t)
	}
	return strings.Join(plain, ", ")
}
