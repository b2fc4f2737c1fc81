package window

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzAt: in any zone and at any time, either checkPeriod succeeds, or At returns ErrTime near the ends of the range.
func FuzzAt(f *testing.F) {
	f.Add(uint16(0), uint8(0), int64(0))
	f.Add(uint16(17), uint8(0), int64(1289100660)) // St. John's, 2010-11-07 00:01
	f.Add(uint16(43), uint8(1), int64(1325239200)) // Apia, 2011-12-30
	f.Add(uint16(37), uint8(2), int64(1861833600)) // Berlin, the last day of 2028
	f.Fuzz(func(t *testing.T, zone uint16, kind uint8, unix int64) {
		w := in(zones[int(zone)%len(zones)], civilWindows[int(kind)%len(civilWindows)])
		if kind > 128 {
			w.Kind, w.Start, w.Every = Every, Monday, Duration(time.Duration(kind-128)*time.Second<<(zone%24))
		}
		c := compile(t, w)
		at := time.Unix(unix, 0)
		if _, err := c.At(at); err != nil {
			require.ErrorIs(t, err, ErrTime)
			year := at.UTC().Year()
			require.True(t, year < 10 || year > 9990, "%s at %s: %v", w.Text(), at, err)
			return
		}
		if p, _ := c.At(at); p.End.Year() < 9990 && p.Start.Year() > 10 {
			checkPeriod(t, c, at)
		}
	})
}

// FuzzParse: if Parse accepts a name, its period has this name.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"all", "2026-11-20T15", "2026-10-25T02b", "2026-11-20", "2026-W47", "2026-11-15", "2026-11", "2026",
		"2026-11-20T15:00:00Z", "2011-12-30", "0000-W01", "9999-12-31T23"} {
		for kind := range len(civilWindows) + 2 {
			f.Add(name, uint8(kind), uint16(len(name)))
		}
	}
	f.Fuzz(func(t *testing.T, name string, kind uint8, zone uint16) {
		all := append(append([]Window{}, civilWindows...), Window{Kind: All}, Window{Kind: Every, Every: Duration(3 * time.Hour)})
		c := compile(t, in(zones[int(zone)%len(zones)], all[int(kind)%len(all)]))
		p, err := c.Parse(name)
		if err != nil {
			var wrong *PeriodNameError
			require.True(t, errors.As(err, &wrong))
			return
		}
		require.Equal(t, name, p.Name)
		if !c.open {
			require.Equal(t, p, mustAt(t, c, p.Start))
			require.Equal(t, p, mustAt(t, c, p.End.Add(-1)))
		}
	})
}

// FuzzJSON: a valid window that is read from JSON is the same after it was written and read again.
func FuzzJSON(f *testing.F) {
	f.Add(`{"kind":"day"}`)
	f.Add(`{"name":"w","kind":"week","zone":"Asia/Shanghai","start":"sunday","grace":"1h30m","keep":4}`)
	f.Add(`{"kind":"every","zone":"Asia/Tokyo","every":"3h","anchor":"2026-11-20","grace":"forever"}`)
	f.Add(`{"kind":"event","zone":"Europe/Berlin","seasons":[{"start":"1890-01-01","end":"2026-10-25T02:30:00"}]}`)
	f.Add(`{"kind":"seasons","seasons":[{"name":"a","start":"2026-01-01","end":"2026-02-01"},{"name":"b","start":"2026-02-01","end":"2026-03-01"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var w, again Window
		if err := json.Unmarshal([]byte(text), &w); err != nil || w.Validate() != nil {
			return
		}
		b, err := json.Marshal(w)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &again))
		require.NoError(t, again.Validate())
		require.Empty(t, w.Differences(again))
		require.Empty(t, again.Differences(w))
		roundTrip(t, w)
	})
}

// FuzzText: a window that is read from a text is the same after it was written and read again.
func FuzzText(f *testing.F) {
	f.Add("nightly=day@Europe/Berlin+10m#30")
	f.Add("every-1h30m-2026-11-20T00:15:00+02:00@Etc/GMT+5+forever#1")
	f.Add("week-sunday@America/New_York")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseShort(text)
		if err != nil {
			require.ErrorIs(t, err, ErrWindow)
			return
		}
		roundTrip(t, w)
	})
}

// roundTrip writes a valid window as one word and reads it again, unless it has seasons.
func roundTrip(t *testing.T, w Window) {
	if w.Kind == Seasons || w.Kind == Event {
		return
	}
	again, err := ParseShort(w.Text())
	require.NoError(t, err)
	require.Empty(t, w.Differences(again), w.Text())
	require.Equal(t, w.Text(), again.Text())
}
