package state

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// TestConvertWindows checks which changes of a window are allowed without another name.
func TestConvertWindows(t *testing.T) {
	season := func(name string, start int64) window.Season {
		return window.Season{Name: name, Start: time.Unix(start, 0).UTC(), End: time.Unix(start+100, 0).UTC()}
	}
	seasons := func(list ...window.Season) window.Window {
		return window.Window{Name: "w", Kind: window.Seasons, Seasons: list}
	}
	day := window.Window{Name: "w", Kind: window.Day}
	for _, row := range []struct {
		name     string
		from, to []window.Window
		want     string // of the error; "": the change is allowed
	}{
		{"none", nil, nil, ""},
		{"added and dropped", []window.Window{{Kind: window.Day}}, []window.Window{{Kind: window.Week}, {Kind: window.All}}, ""},
		{"turned round", []window.Window{{Kind: window.Day}, {Kind: window.Week}}, []window.Window{{Kind: window.Week}, {Kind: window.Day}}, ""},
		{"grace and keep", []window.Window{day}, []window.Window{{Name: "w", Kind: window.Day, Grace: window.Forever, Keep: 3, TimeZone: "UTC"}}, ""},
		{"renamed", []window.Window{day}, []window.Window{{Name: "v", Kind: window.Day, TimeZone: "Asia/Shanghai"}}, ""},
		{"kind", []window.Window{day}, []window.Window{{Name: "w", Kind: window.Month}}, "kind is day, not month"},
		{"zone", []window.Window{{Kind: window.Day}}, []window.Window{{Kind: window.Day, TimeZone: "Asia/Shanghai"}}, "zone is UTC, not Asia/Shanghai"},
		{"start", []window.Window{{Kind: window.Week}}, []window.Window{{Kind: window.Week, Start: window.Sunday}}, "start is monday, not sunday"},
		{"every", []window.Window{{Kind: window.Every, Every: window.Duration(time.Hour)}}, []window.Window{{Kind: window.Every, Every: window.Duration(2 * time.Hour)}},
			"every is 1h, not 2h"},
		{"anchor", []window.Window{{Kind: window.Every, Every: window.Duration(time.Hour)}},
			[]window.Window{{Kind: window.Every, Every: window.Duration(time.Hour), Anchor: time.Unix(60, 0)}}, "anchor is 1970-01-01T00:00:00Z, not"},
		{"span", []window.Window{{Kind: window.Rolling, Span: 1000}}, []window.Window{{Kind: window.Rolling, Span: 2000}}, "span is 1µs, not 2µs"},
		{"bucket", []window.Window{{Kind: window.Rolling, Span: 1000}}, []window.Window{{Kind: window.Rolling, Span: 1000, Bucket: 1000}}, "bucket is 0s, not 1µs"},
		{"rolling", []window.Window{{Kind: window.Rolling, Span: 1000}}, []window.Window{{Kind: window.Rolling, Span: 1000}, {Kind: window.Day}}, ""},
		{"a season more", []window.Window{seasons(season("a", 0))}, []window.Window{seasons(season("a", 0), season("b", 200))}, ""},
		{"a season more, and grace", []window.Window{seasons(season("a", 0))},
			[]window.Window{{Name: "w", Kind: window.Seasons, Grace: 1e9, Seasons: []window.Season{season("a", 0), season("b", 200)}}}, ""},
		{"a season before", []window.Window{seasons(season("a", 200))}, []window.Window{seasons(season("b", 0), season("a", 200))}, "list of seasons is a, not b"},
		{"a season moved", []window.Window{seasons(season("a", 0))}, []window.Window{seasons(season("a", 1), season("b", 200))}, "start of season a is"},
		{"a season gone", []window.Window{seasons(season("a", 0), season("b", 200))}, []window.Window{seasons(season("a", 0))}, "list of seasons is a, b, not a"},
		{"an event moved", []window.Window{{Kind: window.Event, Seasons: []window.Season{season("", 0)}}},
			[]window.Window{{Kind: window.Event, Seasons: []window.Season{season("", 50)}}}, "start of season event is"},
	} {
		t.Run(row.name, func(t *testing.T) {
			from, to := board.Spec{Name: "a", Windows: row.from}, board.Spec{Name: "a", Windows: row.to}
			require.NoError(t, from.Validate())
			require.NoError(t, to.Validate())
			convert, _, err := ConvertSpec(from.WithDefaults(), to.WithDefaults())
			if row.want == "" {
				require.NoError(t, err)
				require.NotNil(t, convert)
				return
			}
			require.ErrorIs(t, err, board.ErrSpec)
			require.ErrorContains(t, err, "give it another name")
			require.ErrorContains(t, err, row.want)
			require.Nil(t, convert)
		})
	}
	_, _, err := ConvertSpec(board.Spec{Name: "a", Windows: []window.Window{{Kind: window.Day}, {Kind: window.Week}}}, board.Spec{Name: "a", Windows: []window.Window{
		{Kind: window.Day, TimeZone: "Asia/Tokyo"}, {Kind: window.Week, TimeZone: "Asia/Tokyo"}}})
	require.ErrorContains(t, err, "window day")
	require.ErrorContains(t, err, "window week")
}

// TestConvertSpec checks that entries are converted from the rules of one spec to those of the other.
func TestConvertSpec(t *testing.T) {
	from := board.Spec{Name: "a", Columns: []rules.Column{{Name: "x"}, {Name: "y", Kind: rules.Float64}}, Ties: rules.ByMember}
	to := board.Spec{Name: "a", Columns: []rules.Column{{Name: "y"}, {Name: "z", Min: bounded(rules.Int(4))}, {Name: "x", Order: rules.Asc}}, Op: rules.Sum}
	convert, _, err := ConvertSpec(from, to)
	require.NoError(t, err)
	got, err := convert(rules.Entry{Score: rules.Values(rules.Int(7), rules.Float(-3))})
	require.NoError(t, err)
	require.Equal(t, rules.Entry{Score: rules.Ints(-3, 4, 7)}, got)
	_, err = convert(rules.Entry{Score: rules.Values(rules.Int(7), rules.Float(0.5))})
	require.EqualError(t, err, `board: value of the wrong kind: 0.5 in column "y"`)
	_, _, err = ConvertSpec(from, board.Spec{Name: "a", Op: "total"})
	require.ErrorIs(t, err, rules.ErrRules)
	_, _, err = ConvertSpec(board.Spec{Name: "a", Op: "total"}, to)
	require.ErrorIs(t, err, rules.ErrRules)
}
