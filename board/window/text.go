package window

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Text returns the window as one word, which ParseShort reads:
//
//	[name=]kind[-detail][@zone][+grace][#keep]
//
//	all
//	week-sunday@America/New_York
//	nightly=day@Europe/Berlin+10m#30        called nightly, a grace of ten minutes, 30 closed periods kept
//	every-3h                                counted from 1970 on
//	every-1h30m-2026-11-20T00:15:00Z        counted from an anchor
//	month+forever                           closed by hand
//	3h=rolling-3h                           called 3h, the last three hours
//	rolling-168h-1h                         the last seven days, in buckets of an hour
//
// The seasons of the kinds seasons and event are left out. O(length).
func (w Window) Text() string {
	var b strings.Builder
	if w.Label() != string(w.Kind) {
		b.WriteString(w.Name + "=")
	}
	b.WriteString(string(w.Kind))
	if w.Start != Monday {
		b.WriteString("-" + w.Start.String())
	}
	if w.Every != 0 {
		b.WriteString("-" + w.Every.String())
	}
	if !w.Anchor.IsZero() {
		b.WriteString("-" + moment(w.Anchor))
	}
	for _, d := range []Duration{w.Span, w.Bucket} {
		if d != 0 {
			b.WriteString("-" + d.String())
		}
	}
	if w.TimeZone != "" {
		b.WriteString("@" + w.TimeZone)
	}
	if w.Grace != 0 {
		b.WriteString("+" + w.Grace.String())
	}
	if w.Keep != 0 {
		b.WriteString("#" + strconv.Itoa(w.Keep))
	}
	return b.String()
}

// ParseShort reads a window as Text writes it, and validates it. Seasons and events need a spec file. The error wraps ErrWindow.
func ParseShort(text string) (Window, error) {
	w, err := parseShort(text)
	if err == nil {
		err = w.Validate()
	}
	if err != nil {
		return Window{}, fmt.Errorf("window %q: %w", text, err)
	}
	return w, nil
}

// parseShort reads a window without validating it. It takes the parts that Text writes from the text one by one, the last ones first.
func parseShort(text string) (w Window, err error) {
	rest, keep, found := strings.Cut(text, "#")
	if found {
		n, err := strconv.ParseUint(keep, 10, 31)
		if err != nil {
			return w, fmt.Errorf("%w: keep is %q, want a number", ErrWindow, keep)
		}
		w.Keep = int(n)
	}
	if i := strings.LastIndexByte(rest, '+'); i >= 0 && isGrace(rest[i+1:]) {
		if err := w.Grace.UnmarshalText([]byte(rest[i+1:])); err != nil {
			return w, err
		}
		rest = rest[:i]
	}
	if name, after, found := strings.Cut(rest, "="); found {
		if w.Name, rest = name, after; name == "" {
			return w, fmt.Errorf("%w: no name stands before =", ErrWindow)
		}
	}
	rest, w.TimeZone, found = strings.Cut(rest, "@")
	if found && w.TimeZone == "" {
		return w, fmt.Errorf("%w: no zone stands after @", ErrWindow)
	}
	kind, detail, found := strings.Cut(rest, "-")
	w.Kind = Kind(kind)
	if w.Kind == Seasons || w.Kind == Event {
		return w, fmt.Errorf("%w: the times of %s have to be listed in a spec file", ErrWindow, w.Kind)
	}
	if !found {
		return w, nil
	}
	return w, w.parseDetail(detail)
}

// isGrace reports whether the text after a + is a grace, and not the end of a zone, Etc/GMT+5, or of an anchor, +08:00@Asia/Shanghai:
// durations end with a letter and have neither : nor @.
func isGrace(text string) bool {
	return text != "" && 'a' <= text[len(text)-1] && text[len(text)-1] <= 'z' && !strings.ContainsAny(text, ":@")
}

// parseDetail reads the detail after the kind: the first day of a week, the length and the anchor of the kind every, or the span and the
// bucket of the kind rolling.
func (w *Window) parseDetail(detail string) error {
	switch w.Kind {
	case Week:
		return w.Start.UnmarshalText([]byte(detail))
	case Every:
		every, anchor, found := strings.Cut(detail, "-")
		if err := w.Every.UnmarshalText([]byte(every)); err != nil || !found {
			return err
		}
		t, err := time.Parse(time.RFC3339, anchor)
		if err != nil {
			return fmt.Errorf("%w: anchor is %q, want a time like 2026-11-20T00:15:00Z", ErrWindow, anchor)
		}
		w.Anchor = t
		return nil
	case Rolling:
		span, bucket, found := strings.Cut(detail, "-")
		if err := w.Span.UnmarshalText([]byte(span)); err != nil || !found {
			return err
		}
		return w.Bucket.UnmarshalText([]byte(bucket))
	default:
		return fmt.Errorf("%w: %q stands after the kind %s, which has no such detail", ErrWindow, detail, w.Kind)
	}
}
