package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

// TestConvertWindows checks which windows may change under their name.
func TestConvertWindows(t *testing.T) {
	season := func(name string, start int64) Season {
		return Season{Name: name, Start: time.Unix(start, 0).UTC(), End: time.Unix(start+100, 0).UTC()}
	}
	seasons := func(of ...Season) Window { return Window{Name: "w", Kind: window.Seasons, Seasons: of} }
	day := Window{Name: "w", Kind: window.Day}
	for _, row := range []struct {
		name     string
		from, to []Window
		want     string // "": it may
	}{
		{"none", nil, nil, ""},
		{"added and dropped", []Window{Day}, []Window{Week, All}, ""},
		{"turned round", []Window{Day, Week}, []Window{Week, Day}, ""},
		{"grace and keep", []Window{day}, []Window{{Name: "w", Kind: window.Day, Grace: window.Forever, Keep: 3, Zone: "UTC"}}, ""},
		{"renamed", []Window{day}, []Window{{Name: "v", Kind: window.Day, Zone: "Asia/Shanghai"}}, ""},
		{"kind", []Window{day}, []Window{{Name: "w", Kind: window.Month}}, "kind is day, not month"},
		{"zone", []Window{Day}, []Window{{Kind: window.Day, Zone: "Asia/Shanghai"}}, "zone is UTC, not Asia/Shanghai"},
		{"start", []Window{Week}, []Window{{Kind: window.Week, Start: window.Sunday}}, "start is monday, not sunday"},
		{"every", []Window{{Kind: window.Every, Every: window.Duration(time.Hour)}}, []Window{{Kind: window.Every, Every: window.Duration(2 * time.Hour)}},
			"every is 1h, not 2h"},
		{"anchor", []Window{{Kind: window.Every, Every: window.Duration(time.Hour)}},
			[]Window{{Kind: window.Every, Every: window.Duration(time.Hour), Anchor: time.Unix(60, 0)}}, "anchor is 1970-01-01T00:00:00Z, not"},
		{"a season more", []Window{seasons(season("a", 0))}, []Window{seasons(season("a", 0), season("b", 200))}, ""},
		{"a season more, and grace", []Window{seasons(season("a", 0))},
			[]Window{{Name: "w", Kind: window.Seasons, Grace: 1e9, Seasons: []Season{season("a", 0), season("b", 200)}}}, ""},
		{"a season before", []Window{seasons(season("a", 200))}, []Window{seasons(season("b", 0), season("a", 200))}, "list of seasons is a, not b"},
		{"a season moved", []Window{seasons(season("a", 0))}, []Window{seasons(season("a", 1), season("b", 200))}, "start of season a is"},
		{"a season gone", []Window{seasons(season("a", 0), season("b", 200))}, []Window{seasons(season("a", 0))}, "list of seasons is a, b, not a"},
		{"an event moved", []Window{{Kind: window.Event, Seasons: []Season{season("", 0)}}},
			[]Window{{Kind: window.Event, Seasons: []Season{season("", 50)}}}, "start of season event is"},
	} {
		t.Run(row.name, func(t *testing.T) {
			from, to := Spec{Name: "a", Windows: row.from}, Spec{Name: "a", Windows: row.to}
			require.NoError(t, from.Validate())
			require.NoError(t, to.Validate())
			fn, err := convert(withDefaults(from), withDefaults(to))
			if row.want == "" {
				require.NoError(t, err)
				require.NotNil(t, fn)
				return
			}
			require.ErrorIs(t, err, ErrSpec)
			require.ErrorContains(t, err, "give it another name")
			require.ErrorContains(t, err, row.want)
			require.Nil(t, fn)
		})
	}
	_, err := convert(Spec{Name: "a", Windows: []Window{Day, Week}}, Spec{Name: "a", Windows: []Window{
		{Kind: window.Day, Zone: "Asia/Tokyo"}, {Kind: window.Week, Zone: "Asia/Tokyo"}}})
	require.ErrorContains(t, err, "window day")
	require.ErrorContains(t, err, "window week")
}

// TestConvertSpec checks that entries go by the rules of both specs.
func TestConvertSpec(t *testing.T) {
	from := Spec{Name: "a", Columns: []Column{{Name: "x"}, {Name: "y", Kind: Float64}}, Ties: ByMember}
	to := Spec{Name: "a", Columns: []Column{{Name: "y"}, {Name: "z", Min: bounded(Int(4))}, {Name: "x", Order: Asc}}, Op: Sum}
	fn, err := convert(from, to)
	require.NoError(t, err)
	got, err := fn(rules.Entry{Score: Values(Int(7), Float(-3))})
	require.NoError(t, err)
	require.Equal(t, rules.Entry{Score: Ints(-3, 4, 7)}, got)
	_, err = fn(rules.Entry{Score: Values(Int(7), Float(0.5))})
	require.EqualError(t, err, `board: value of the wrong kind: 0.5 in column "y"`)
	_, err = convert(from, Spec{Name: "a", Op: "total"})
	require.ErrorIs(t, err, rules.ErrRules)
	_, err = convert(Spec{Name: "a", Op: "total"}, to)
	require.ErrorIs(t, err, rules.ErrRules)
}
