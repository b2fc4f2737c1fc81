package window

import (
	"fmt"
	"time"
)

// Differences returns one text for each value of w that differs from stored. The text names the stored value first: "zone is UTC, not
// Asia/Shanghai". Values with the same meaning are equal: "" and "UTC", and an instant in two zones. O(seasons).
func (w Window) Differences(stored Window) []string {
	var diff []string
	field := func(name, want, have string) {
		if want != have {
			diff = append(diff, fmt.Sprintf("%s is %s, not %s", name, have, want))
		}
	}
	field("name", w.Label(), stored.Label())
	field("kind", string(w.Kind), string(stored.Kind))
	field("zone", w.zone(), stored.zone())
	field("start", w.Start.String(), stored.Start.String())
	field("every", w.Every.String(), stored.Every.String())
	field("anchor", moment(w.anchor()), moment(stored.anchor()))
	field("span", w.Span.String(), stored.Span.String())
	field("bucket", w.Bucket.String(), stored.Bucket.String())
	names, storedNames := w.seasonLabels(), stored.seasonLabels()
	field("list of seasons", list(names), list(storedNames))
	if list(names) == list(storedNames) {
		for i, s := range w.Seasons {
			field("start of season "+names[i], moment(s.Start), moment(stored.Seasons[i].Start))
			field("end of season "+names[i], moment(s.End), moment(stored.Seasons[i].End))
		}
	}
	field("grace", w.Grace.String(), stored.Grace.String())
	field("keep", fmt.Sprint(w.Keep), fmt.Sprint(stored.Keep))
	return diff
}

// zone returns the name of the window's zone.
func (w Window) zone() string {
	if w.TimeZone == "" {
		return "UTC"
	}
	return w.TimeZone
}

// anchor returns when one of the periods of the kind every begins.
func (w Window) anchor() time.Time {
	if w.Anchor.IsZero() {
		return time.Unix(0, 0)
	}
	return w.Anchor
}

// seasonLabels returns the names of the seasons.
func (w Window) seasonLabels() []string {
	names := make([]string, len(w.Seasons))
	for i, s := range w.Seasons {
		names[i] = w.seasonLabel(s)
	}
	return names
}

// moment writes an instant, whatever zone it is in.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
