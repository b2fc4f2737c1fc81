package window

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestValidate: the error names each impossible value, and wraps ErrWindow once for each.
func TestValidate(t *testing.T) {
	start, end := instant(t, "2026-11-21T00:00:00Z"), instant(t, "2026-11-28T00:00:00Z")
	one := []Season{{"s1", start, end}}
	for _, row := range []struct {
		w    Window
		want []string
	}{
		{Window{}, []string{`name is ""`, `kind is ""`}},
		{Window{Kind: "weekly"}, []string{`kind is "weekly", want one of all, hour, day, week, month, year, every, seasons, event`}},
		{Window{Kind: Day, Name: "a/b"}, []string{`name is "a/b"`}},
		{Window{Kind: Day, Name: "täglich"}, []string{`name is "täglich"`}},
		{Window{Kind: Day, Name: strings.Repeat("x", 65)}, []string{"want 1 to 64 letters"}},
		{Window{Kind: Day, TimeZone: "Mars/Olympus"}, []string{`zone is "Mars/Olympus": unknown time zone Mars/Olympus`}},
		{Window{Kind: Day, TimeZone: "Local"}, []string{`zone is "Local": it differs from machine to machine`}},
		{Window{Kind: Day, TimeZone: "localtime"}, []string{`zone is "localtime": it differs`}},
		{Window{Kind: Day, TimeZone: "../../etc/passwd"}, []string{`zone is "../../etc/passwd"`}},
		{Window{Kind: Week, Start: 7}, []string{"start is Weekday(7)"}},
		{Window{Kind: Day, Start: Sunday}, []string{"start is sunday, but only a week"}},
		{Window{Kind: Every}, []string{"every is 0s, want whole seconds"}},
		{Window{Kind: Every, Every: -Duration(time.Hour)}, []string{"every is -1h"}},
		{Window{Kind: Every, Every: Duration(1500 * time.Millisecond)}, []string{"every is 1.5s"}},
		{Window{Kind: Every, Every: Forever}, []string{"every is forever"}},
		{Window{Kind: Every, Every: Duration(time.Hour), Anchor: start.Add(1)}, []string{"anchor is 2026-11-21T00:00:00.000000001Z"}},
		{Window{Kind: Every, Every: Duration(time.Hour), Anchor: start.AddDate(9000, 0, 0)}, []string{"anchor is 11026-11-21"}},
		{Window{Kind: Hour, Every: Duration(time.Hour), Anchor: start}, []string{`every is 1h, but the kind is "hour"`, "anchor is 2026"}},
		{Window{Kind: Day, Grace: -1}, []string{"grace is -1ns"}},
		{Window{Kind: All, Grace: 1, Keep: 1}, []string{"grace is 1ns", "keep is 1"}},
		{Window{Kind: Day, Keep: -1}, []string{"keep is -1"}},
		{Window{Kind: Seasons}, []string{"there are no seasons"}},
		{Window{Kind: Day, Seasons: one}, []string{`there are 1 seasons, but the kind is "day"`}},
		{Window{Kind: Event}, []string{"there are 0 seasons, want one that is the event"}},
		{Window{Kind: Event, Seasons: []Season{{"a", start, end}, {"b", end, end.Add(time.Hour)}}}, []string{"there are 2 seasons, want one"}},
		{Window{Kind: Seasons, Seasons: []Season{{"", start, end}}}, []string{`season 1: name is ""`}},
		{Window{Kind: Seasons, Seasons: []Season{{"a/b", start, end}, {"a/b", end, end.Add(time.Hour)}}},
			[]string{`season 1: name is "a/b"`, `season 2: name is "a/b"`, `season 2: name "a/b" is there twice`}},
		{Window{Kind: Seasons, Seasons: []Season{{"a", end, start}}}, []string{"season 1: ends at 2026-11-21T00:00:00Z, which is not after"}},
		{Window{Kind: Seasons, Seasons: []Season{{"a", start, start}}}, []string{"season 1: ends at"}},
		{Window{Kind: Seasons, Seasons: []Season{{Name: "a"}}}, []string{"season 1: start or end is missing"}},
		{Window{Kind: Seasons, Seasons: []Season{{"a", start.Add(time.Millisecond), end}}}, []string{"season 1: is from 2026-11-21T00:00:00.001Z"}},
		{Window{Kind: Seasons, Seasons: []Season{{"a", start, end}, {"b", end.Add(-time.Second), end.Add(time.Hour)}}},
			[]string{"season 2: start is 2026-11-27T23:59:59Z, before the one above ends"}},
	} {
		requireImpossible(t, row.w, row.want)
	}
	for _, w := range []Window{{Kind: All}, {Kind: Day, Name: "A-z_09"}, {Kind: Week, Start: Sunday, TimeZone: "America/New_York"},
		{Kind: Every, Every: Duration(time.Second)}, {Kind: Event, Seasons: one}, {Kind: Event, Seasons: []Season{{"", start, end}}},
		{Kind: Month, Grace: Forever, Keep: math.MaxInt}, seasonal(t), {Kind: Rolling, Span: 1000},
		{Kind: Rolling, Span: 3000, Bucket: 3000, TimeZone: "Asia/Tokyo"}} {
		require.NoError(t, w.Validate())
	}
}

// requireImpossible requires that Validate names these values of a window, and no others.
func requireImpossible(t *testing.T, w Window, want []string) {
	t.Helper()
	err := w.Validate()
	require.ErrorIs(t, err, ErrWindow)
	for _, text := range want {
		require.ErrorContains(t, err, text)
	}
	require.Equal(t, len(want), strings.Count(err.Error(), ErrWindow.Error()), err)
	_, err = w.Calendar()
	require.ErrorIs(t, err, ErrWindow)
}

// TestValidateRolling checks that every impossible value of a rolling window is named.
func TestValidateRolling(t *testing.T) {
	for _, row := range []struct {
		w    Window
		want []string
	}{
		{Window{Kind: Rolling}, []string{"span is 0s, want whole microseconds"}},
		{Window{Kind: Rolling, Span: Forever}, []string{"span is forever, want"}},
		{Window{Kind: Rolling, Span: 1500}, []string{"span is 1.5µs, want"}},
		{Window{Kind: Rolling, Span: -1000, Bucket: -1000}, []string{"span is -1µs", "bucket is -1µs"}},
		{Window{Kind: Rolling, Span: 1000, Bucket: 2000}, []string{"bucket is 2µs, want whole microseconds, at most the span, 1µs"}},
		{Window{Kind: Rolling, Span: 1000, Bucket: 1}, []string{"bucket is 1ns"}},
		{Window{Kind: Rolling, Span: 1000, Grace: 1, Keep: 2}, []string{"grace is 1ns", "keep is 2, want 0 or more, and 0 where nothing ends"}},
		{Window{Kind: All, Span: 1000, Bucket: 1000}, []string{`span is 1µs, but the kind is "all"`, `bucket is 1µs, but the kind is "all"`}},
	} {
		requireImpossible(t, row.w, row.want)
	}
}

func TestDifferences(t *testing.T) {
	w := Window{Kind: Week, Name: "weekly", Start: Sunday, TimeZone: "Asia/Tokyo", Grace: Duration(time.Hour), Keep: 3}
	require.Empty(t, w.Differences(w))
	require.Equal(t, []string{"name is week, not weekly", "zone is UTC, not Asia/Tokyo", "start is monday, not sunday", "grace is forever, not 1h",
		"keep is 0, not 3"}, w.Differences(Window{Kind: Week, Grace: Forever}))
	r := Window{Kind: Rolling, Span: Duration(time.Hour), Bucket: Duration(time.Minute)}
	require.Equal(t, []string{"span is 2h, not 1h", "bucket is 0s, not 1m"}, r.Differences(Window{Kind: Rolling, Span: Duration(2 * time.Hour)}))
	e := Window{Kind: Every, Every: Duration(time.Hour), TimeZone: "UTC"}
	require.Empty(t, e.Differences(Window{Kind: Every, Name: "every", Every: Duration(time.Hour), Anchor: time.Unix(0, 0)}))
	require.Equal(t, []string{"kind is day, not every", "every is 0s, not 1h"}, e.Differences(Window{Kind: Day, Name: "every"}))
	require.Equal(t, []string{"every is 2h, not 1h", "anchor is 1970-01-01T00:00:01Z, not 1970-01-01T00:00:00Z"},
		e.Differences(Window{Kind: Every, Every: Duration(2 * time.Hour), Anchor: time.Unix(1, 0)}))
	s, stored := seasonal(t), seasonal(t)
	for i := range s.Seasons {
		s.Seasons[i].Start = s.Seasons[i].Start.UTC()
	}
	require.Empty(t, s.Differences(stored))
	s.Seasons[1].End = s.Seasons[1].End.Add(time.Hour)
	require.Equal(t, []string{"end of season summer is 2026-08-31T16:00:00Z, not 2026-08-31T17:00:00Z"}, s.Differences(stored))
	s.Seasons = s.Seasons[:2]
	require.Equal(t, []string{"list of seasons is spring, summer, autumn, not spring, summer"}, s.Differences(stored))
}

// TestText: ParseShort and Text are inverse, except that Text leaves out defaults; ParseShort refuses wrong texts.
func TestText(t *testing.T) {
	for text, want := range map[string]Window{
		"all":                              {Kind: All},
		"week-sunday@America/New_York":     {Kind: Week, Start: Sunday, TimeZone: "America/New_York"},
		"nightly=day@Europe/Berlin+10m#30": {Kind: Day, Name: "nightly", TimeZone: "Europe/Berlin", Grace: Duration(10 * time.Minute), Keep: 30},
		"every-3h":                         {Kind: Every, Every: Duration(3 * time.Hour)},
		"every-1h30m-2026-11-20T00:15:00Z+1m1.5s": {Kind: Every, Every: Duration(90 * time.Minute), Anchor: instant(t, "2026-11-20T00:15:00Z"), Grace: Duration(61500 * time.Millisecond)},
		"month+forever":                 {Kind: Month, Grace: Forever},
		"day@Etc/GMT+5":                 {Kind: Day, TimeZone: "Etc/GMT+5"},
		"day@Etc/GMT+5+1h":              {Kind: Day, TimeZone: "Etc/GMT+5", Grace: Duration(time.Hour)},
		"day-1=day@Etc/GMT-14#1":        {Kind: Day, Name: "day-1", TimeZone: "Etc/GMT-14", Keep: 1},
		"hour@America/Port-au-Prince":   {Kind: Hour, TimeZone: "America/Port-au-Prince"},
		"3h=rolling-3h":                 {Kind: Rolling, Name: "3h", Span: Duration(3 * time.Hour)},
		"rolling-168h-1h30m@Asia/Tokyo": {Kind: Rolling, TimeZone: "Asia/Tokyo", Span: Duration(168 * time.Hour), Bucket: Duration(90 * time.Minute)},
	} {
		got, err := ParseShort(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
		require.Equal(t, text, got.Text())
	}
	for text, want := range map[string]string{
		"day=day": "day", "week-monday": "week", "day+0s#0": "day", "every-3h0m0s": "every-3h", "day+60m": "day+1h",
		"every-3h-2026-11-20T08:00:00+08:00@Asia/Shanghai+5m": "every-3h-2026-11-20T00:00:00Z@Asia/Shanghai+5m",
	} {
		got, err := ParseShort(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got.Text())
	}
	require.Equal(t, "ladder=seasons@Asia/Shanghai", seasonal(t).Text())
	wrong := []string{"", "weekly", "day-sunday", "week-sun", "week-", "every", "every-", "every-3", "every-3h-", "every-3h-2026-11-20", "every-3h-2026-11-20T00:00:00",
		"day@", "day@Mars", "day@Local", "=day", "a b=day", "day+", "day+5", "day+5x", "day+-5m", "day#", "day#x", "day#-1", "day#+1", "day#99999999999",
		"all#1", "all+1m", "rolling", "rolling-", "rolling-3", "rolling-3h-", "rolling-3h-4h", "rolling-3h#1", "rolling-3h+1m", "seasons", "event", "event@UTC", "day@UTC@UTC", "a=b=day"}
	for _, text := range wrong {
		_, err := ParseShort(text)
		require.ErrorIs(t, err, ErrWindow, text)
		require.ErrorContains(t, err, `window "`+text+`"`)
	}
	t.Logf("%d texts refused", len(wrong))
}

// TestJSON: windows are read from JSON as in spec files, and written in UTC without defaults; wrong JSON changes nothing.
func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"day"}`: `{"kind":"day"}`,
		`{"name":"w","kind":"week","zone":"Asia/Shanghai","start":"sunday","grace":"90m","keep":4}`: `{"name":"w","kind":"week","zone":"Asia/Shanghai","start":"sunday","grace":"1h30m","keep":4}`,
		`{"kind":"rolling","span":"168h","bucket":"60m"}`:                                           `{"kind":"rolling","span":"168h","bucket":"1h"}`,
		`{"kind":"week","start":"monday","grace":"0s"}`:                                             `{"kind":"week"}`,
		`{"kind":"every","every":"3h","anchor":"2026-11-20","zone":"Asia/Tokyo","grace":"forever"}`: `{"kind":"every","zone":"Asia/Tokyo","every":"3h","anchor":"2026-11-19T15:00:00Z","grace":"forever"}`,
		`{"kind":"event","seasons":[{"start":"2026-11-21","end":"2026-11-22T00:00:00"}]}`:           `{"kind":"event","seasons":[{"start":"2026-11-21T00:00:00Z","end":"2026-11-22T00:00:00Z"}]}`,
		// A midnight that is left out, an hour that comes twice, an instant with an offset, a time before there were zones.
		`{"seasons":[{"name":"a","start":"2018-11-04","end":"2018-11-05T00:00:00-02:00"}],"kind":"seasons","zone":"America/Sao_Paulo"}`: `{"kind":"seasons","zone":"America/Sao_Paulo","seasons":[{"name":"a","start":"2018-11-04T03:00:00Z","end":"2018-11-05T02:00:00Z"}]}`,
		`{"kind":"event","zone":"Europe/Berlin","seasons":[{"start":"1890-01-01","end":"2026-10-25T02:30:00"}]}`:                        `{"kind":"event","zone":"Europe/Berlin","seasons":[{"start":"1889-12-31T23:06:32Z","end":"2026-10-25T00:30:00Z"}]}`,
	} {
		var w, again Window
		require.NoError(t, json.Unmarshal([]byte(text), &w), text)
		require.NoError(t, w.Validate())
		b, err := json.Marshal(w)
		require.NoError(t, err)
		require.Equal(t, want, string(b))
		require.NoError(t, json.Unmarshal(b, &again))
		require.Equal(t, w, again)
	}
	for text, want := range map[string]string{
		`{"kind":"day","zonee":"UTC"}`:                                       `unknown field "zonee"`,
		`{"kind":"day","seasons":[{"start":"2026-11-21","stop":""}]}`:        `unknown field "stop"`,
		`{"kind":"week","start":"Sunday"}`:                                   `"Sunday" is no day of the week`,
		`{"kind":"week","start":6}`:                                          "cannot unmarshal number",
		`{"kind":"every","every":"10d"}`:                                     `"10d" is no duration`,
		`{"kind":"every","every":"1h","anchor":"yesterday"}`:                 `time is "yesterday"`,
		`{"kind":"event","name":"x","seasons":[{"start":"21.11.2026"}]}`:     `"x": time is "21.11.2026"`,
		`{"kind":"event","zone":"Mars","seasons":[{"start":"2026-11-21"}]}`:  "unknown time zone Mars",
		`{"kind":"event","zone":"Local","seasons":[{"start":"2026-11-21"}]}`: "differs from machine to machine",
	} {
		w := Window{Kind: Day, Keep: 7}
		err := json.Unmarshal([]byte(text), &w)
		require.ErrorIs(t, err, ErrWindow, text)
		require.ErrorContains(t, err, want)
		require.Equal(t, Window{Kind: Day, Keep: 7}, w)
	}
	_, err := json.Marshal(Window{Kind: Week, Start: 9})
	require.ErrorIs(t, err, ErrWindow)
}

func TestDurationText(t *testing.T) {
	for d, want := range map[Duration]string{0: "0s", Duration(time.Second): "1s", Duration(10 * time.Second): "10s", Duration(10 * time.Minute): "10m",
		Duration(100 * time.Hour): "100h", Duration(time.Hour + time.Second): "1h0m1s", Duration(time.Millisecond): "1ms",
		-Duration(time.Hour): "-1h", Forever: "forever", Forever - 1: "2562047h47m16.854775806s"} {
		require.Equal(t, want, d.String())
		var back Duration
		require.NoError(t, back.UnmarshalText([]byte(want)))
		require.Equal(t, d, back)
	}
}
