package state

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

func bounded(v rules.Value) *rules.Value { return &v }

// fullSpec returns a spec with a value in every field.
func fullSpec() board.Spec {
	return board.Spec{
		Name: "shop/flowers/stars",
		Columns: []rules.Column{{Name: "flowers", Max: bounded(rules.Int(1 << 60))}, {Name: "givers", Op: rules.Max},
			{Name: "weight", Kind: rules.Float64, Order: rules.Asc, Min: bounded(rules.Float(0.5))}},
		Op:   rules.Sum,
		Ties: rules.LastToReach,
		Windows: []window.Window{{Kind: window.All}, {Kind: window.Week, Start: window.Sunday, TimeZone: "America/New_York", Keep: 8},
			{Name: "raid", Kind: window.Every, Every: window.Duration(3 * time.Hour), Anchor: time.Unix(3600, 0).UTC(), Grace: window.Forever},
			{Name: "cup", Kind: window.Seasons, Seasons: []window.Season{
				{Name: "spring", Start: time.Unix(0, 0).UTC(), End: time.Unix(3600, 0).UTC()},
				{Name: "autumn", Start: time.Unix(7200, 0).UTC(), End: time.Unix(9000, 0).UTC()}}}},
		MaxMeta: 256, BestRanks: true, OnceFor: window.Duration(48 * time.Hour),
	}
}

// TestSpecValid checks that Validate accepts possible specs.
func TestSpecValid(t *testing.T) {
	for _, s := range []board.Spec{
		fullSpec(), {Name: "x"}, {Name: strings.Repeat("a", board.MaxName)}, {Name: "花/赠送 者/%.*"}, {Name: "."},
		{Name: "a", Windows: []window.Window{{Kind: window.Rolling, Span: window.Duration(3 * time.Hour), Bucket: window.Duration(time.Minute)}}},
		{Name: "a", MaxMeta: board.MaxMeta, OnceFor: window.Forever}, {Name: "a", OnceFor: window.Duration(time.Second)},
		{Name: "a", Windows: []window.Window{{Name: "x", Kind: window.Day}, {Name: "y", Kind: window.Day}, {Kind: window.Day}}},
	} {
		require.NoError(t, s.Validate(), s.Name)
		require.NoError(t, s.WithDefaults().Validate(), s.Name)
		require.Nil(t, s.Differences(s.WithDefaults()))
	}
}

// TestSpecImpossible checks that every impossible value is named.
func TestSpecImpossible(t *testing.T) {
	name := func(name string) board.Spec { return board.Spec{Name: name} }
	for _, row := range []struct {
		spec board.Spec
		want []string
	}{
		{name(""), []string{`board: impossible spec "": name has 0 bytes, want 1 to 1024`}},
		{name(strings.Repeat("a", board.MaxName+1)), []string{"name has 1025 bytes"}},
		{name("a\xffb"), []string{`board: impossible spec "a\xffb": name is not UTF-8`}},
		{name("a\x00b"), []string{"without control characters"}},
		{name("/a"), []string{"empty part"}},
		{name("a/"), []string{"empty part"}},
		{name("a//b"), []string{"empty part"}},
		{board.Spec{Name: "a", Op: "total", Ties: "x", Columns: []rules.Column{{Kind: "int"}}},
			[]string{`op is "total", want one of`, `ties is "x"`, `kind of column "score" is "int"`}},
		{board.Spec{Name: "a", Windows: []window.Window{{Kind: window.All}, {Kind: "fortnight", TimeZone: "Mars/Olympus"}, {Name: "all", Kind: window.Day}}},
			[]string{`kind is "fortnight"`, `zone is "Mars/Olympus"`, `window "all" is there twice`}},
		{board.Spec{Name: "a", MaxMeta: board.MaxMeta + 1, OnceFor: -1}, []string{"maxMeta is 65537, want 0 to 65536", "onceFor is -1ns, want at least 1s"}},
		{board.Spec{Name: "a", MaxMeta: -1, OnceFor: window.Duration(time.Second - 1)}, []string{"maxMeta is -1", "onceFor is 999.999999ms"}},
	} {
		err := row.spec.Validate()
		require.ErrorIs(t, err, board.ErrSpec)
		for _, want := range row.want {
			require.ErrorContains(t, err, want)
		}
		require.Len(t, strings.Split(err.Error(), "\n"), len(row.want), err)
		for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
			require.ErrorIs(t, one, board.ErrSpec)
		}
	}
	require.ErrorIs(t, board.Spec{Name: "a", Op: "total"}.Validate(), rules.ErrRules)
	require.ErrorIs(t, board.Spec{Name: "a", Windows: []window.Window{{}}}.Validate(), window.ErrWindow)
}

// TestSpecDefaults checks the defaults, and that the result of WithDefaults shares no memory with its argument.
func TestSpecDefaults(t *testing.T) {
	got := board.Spec{Name: "a"}.WithDefaults()
	require.Equal(t, board.Spec{Name: "a", Columns: []rules.Column{{Name: "score", Kind: rules.Int64, Order: rules.Desc}}, Op: rules.Best, Ties: rules.FirstToReach,
		Windows: []window.Window{{Name: "all", Kind: window.All}}, OnceFor: window.Duration(24 * time.Hour)}, got)

	s := fullSpec()
	filled := s.WithDefaults()
	*s.Columns[0].Max, s.Columns[0].Name, s.Windows[0].Kind, s.Windows[3].Seasons[0].Name = rules.Int(0), "x", window.Day, "y"
	require.Equal(t, fullSpec().WithDefaults(), filled)

}

// change is a change of fullSpec, and the differences that it makes.
type change struct {
	change func(s *board.Spec)
	want   []string
}

// changes are made to fullSpec.
var changes = []change{
	{func(s *board.Spec) { s.Op = rules.Max }, []string{"column givers: op is max, not the board's", "op is sum, not max"}},
	{func(s *board.Spec) { s.Ties = "" }, []string{"ties is last, not first"}},
	{func(s *board.Spec) { s.Columns[0].Order = rules.Asc }, []string{"column flowers: order is desc, not asc"}},
	{func(s *board.Spec) { s.Columns[0].Kind, s.Columns[0].Max = rules.Float64, nil }, []string{"column flowers: kind is int64, not float64",
		"column flowers: max is 1152921504606846976, not none"}},
	{func(s *board.Spec) { s.Columns[1].Op = "" }, []string{"column givers: op is max, not the board's"}},
	{func(s *board.Spec) { s.Columns[1].Min = bounded(rules.Int(0)) }, []string{"column givers: min is none, not 0"}},
	{func(s *board.Spec) { s.Columns[2].Min = bounded(rules.Int(1)) }, []string{"column weight: min is 0.5, not 1.0"}},
	{func(s *board.Spec) { s.Columns[1].Name = "fans" }, []string{"column fans is new", "column givers is gone"}},
	{func(s *board.Spec) { s.Columns = s.Columns[:1] }, []string{"column givers is gone", "column weight is gone"}},
	{func(s *board.Spec) { s.Columns = append(s.Columns, rules.Column{}) }, []string{"column score4 is new"}},
	{func(s *board.Spec) { slices.Reverse(s.Columns[:2]) }, []string{"order of columns is flowers, givers, weight, not givers, flowers, weight"}},
	{func(s *board.Spec) { slices.Reverse(s.Windows) }, nil},
	{func(s *board.Spec) { s.Windows[0].Name = "all" }, nil},
	{func(s *board.Spec) { s.Columns[0].Op, s.Columns[0].Kind = rules.Sum, rules.Int64 }, nil},
	{func(s *board.Spec) { s.Columns[2].Min = bounded(rules.Float(0.5)) }, nil},
	{func(s *board.Spec) { s.Windows = s.Windows[1:] }, []string{"window all is gone"}},
	{func(s *board.Spec) { s.Windows = append(s.Windows, window.Window{Kind: window.Day}) }, []string{"window day is new"}},
	{func(s *board.Spec) { s.Windows[1].Name = "nights" }, []string{"window nights is new", "window week is gone"}},
	{func(s *board.Spec) { s.Windows[1].TimeZone, s.Windows[1].Keep = "", 9 }, []string{"window week: zone is America/New_York, not UTC", "window week: keep is 8, not 9"}},
	{func(s *board.Spec) { s.Windows[2].Grace = 0 }, []string{"window raid: grace is forever, not 0s"}},
	{func(s *board.Spec) { s.Windows[3].Seasons = s.Windows[3].Seasons[:1] }, []string{"window cup: list of seasons is spring, autumn, not spring"}},
	{func(s *board.Spec) { s.MaxMeta, s.BestRanks, s.OnceFor = 0, false, 0 },
		[]string{"maxMeta is 256, not 0", "bestRanks is true, not false", "onceFor is 48h, not 24h"}},
	{func(s *board.Spec) { s.Feed = &board.Feed{} }, []string{"feed is none, not top 10"}},
	{func(s *board.Spec) { s.Top, s.BestRanks = &board.Top{N: 10, Reserve: 5}, false },
		[]string{"top is none, not 10 with a reserve of 5", "bestRanks is true, not false"}},
	{func(s *board.Spec) { s.Columns[2].Absent = rules.AbsentLast }, []string{"column weight: absent is refused, not last"}},
	{func(s *board.Spec) { s.Name = "another" }, nil},
}

// TestSpecDifferences checks the text of every difference, and that the reverse comparison has as many.
func TestSpecDifferences(t *testing.T) {
	for _, row := range changes {
		s := fullSpec()
		row.change(&s)
		require.NoError(t, s.Validate())
		require.Equal(t, row.want, s.Differences(fullSpec()))
		require.Len(t, fullSpec().Differences(s), len(row.want))
		require.Nil(t, s.Differences(s))
	}
	t.Logf("%d changes", len(changes))
}

// TestOneProblemOneMessage: a wrong word in derived gives one message, which is not followed by what it would mean.
func TestOneProblemOneMessage(t *testing.T) {
	for _, d := range []board.Derived{{Points: "leave"}, {Points: "leave", Op: board.GroupBest}, {Op: "median", Points: board.Stay}, {Op: "median", K: 3}, {Op: board.GroupBest, Points: board.Stay}} {
		d.From, d.Groups = "arena", "guild"
		err := board.Spec{Name: "x", Derived: &d}.Validate()
		require.ErrorContains(t, err, "derived.")
		require.Equal(t, 1, strings.Count(err.Error(), "derived."), err)
	}
}

// TestSpecDifferencesAll checks that Differences notices a change of any field of a spec, a column or a window, except the spec's name.
func TestSpecDifferencesAll(t *testing.T) {
	fields := 0
	for each := range eachField(reflect.ValueOf(new(fullSpec())).Elem(), "") {
		s := fullSpec()
		for path := range eachField(reflect.ValueOf(&s).Elem(), "") {
			if path.name == each.name {
				path.value.SetZero()
			}
		}
		fields++
		if diff := s.Differences(fullSpec()); each.name == ".Name" {
			require.Nil(t, diff)
		} else {
			require.NotNil(t, diff, each.name)
		}
	}
	t.Logf("%d fields", fields)
	require.Greater(t, fields, 30)
}

// field is a field of a spec that is not zero, with its path.
type field struct {
	name  string
	value reflect.Value
}

// eachField yields the fields of a struct that are not zero, and those of the structs in its slices.
func eachField(v reflect.Value, name string) iter.Seq[field] {
	return func(yield func(field) bool) {
		for i := range v.NumField() {
			f, name := v.Field(i), name+"."+v.Type().Field(i).Name
			if f.IsZero() || !yield(field{name, f}) || f.Kind() != reflect.Slice {
				continue
			}
			for j := range f.Len() {
				eachField(f.Index(j), fmt.Sprintf("%s[%d]", name, j))(yield)
			}
		}
	}
}

// TestSpecDifferencesRandom checks that two random specs have no differences if and only if their stored forms are equal, except for the
// order of windows.
func TestSpecDifferencesRandom(t *testing.T) {
	const seed, pairs = 6, 2000
	random := rand.New(rand.NewPCG(seed, 0))
	randomSpec := func() board.Spec {
		s := fullSpec()
		for range random.IntN(3) {
			next := s.WithDefaults()
			if changes[random.IntN(len(changes))].apply(&next); next.Validate() == nil {
				s = next
			}
		}
		return s
	}
	stored := func(s board.Spec) string {
		s = s.WithDefaults()
		s.Name = "x"
		slices.SortFunc(s.Windows, func(a, b window.Window) int { return strings.Compare(a.Label(), b.Label()) })
		b, err := EncodeSpec(s, 1)
		require.NoError(t, err)
		return string(b)
	}
	equal := 0
	for range pairs {
		a, b := randomSpec(), randomSpec()
		require.Equal(t, stored(a) == stored(b), a.Differences(b) == nil, "%s\n%s", stored(a), stored(b))
		if stored(a) == stored(b) {
			equal++
		}
	}
	t.Logf("seed %d: %d pairs, %d of them equal", seed, pairs, equal)
}

// apply makes the change, if the spec still has the columns, windows and seasons that changes refer to.
func (c change) apply(s *board.Spec) {
	if len(s.Columns) == 3 && len(s.Windows) == 4 && len(s.Windows[3].Seasons) == 2 {
		c.change(s)
	}
}

// TestSpecStored checks that Decode returns every spec that Encode stored.
func TestSpecStored(t *testing.T) {
	for i, row := range append(slices.Clone(changes), change{func(s *board.Spec) { *s = board.Spec{Name: "x"} }, nil}) {
		s := fullSpec()
		row.change(&s)
		b, err := EncodeSpec(s, i+1)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(b), `{"format":2,"version":`), string(b))
		got, version, err := DecodeSpec(b)
		require.NoError(t, err)
		require.Equal(t, i+1, version)
		require.Equal(t, s.WithDefaults(), got)
		require.Nil(t, s.Differences(got))
	}
}

// TestSpecStoredOtherwise checks that Decode refuses other formats and damaged specs.
func TestSpecStoredOtherwise(t *testing.T) {
	for text, want := range map[string]string{
		``:                                 "stored spec: unexpected end",
		`[]`:                               "stored spec",
		`{"format":1,"spec":{"name":"a"}}`: "has format 1, this version reads 2",
		`{"format":3,"version":1,"spec":{"name":"a"},"x":1}`:         "has format 3, this version reads 2",
		`{"version":1,"spec":{"name":"a"}}`:                          "has format 0",
		`{"format":2,"version":0,"spec":{"name":"a"}}`:               "version is 0",
		`{"format":2,"version":1,"spec":{"name":"a"},"x":1}`:         `unknown field "x"`,
		`{"format":2,"version":1,"spec":{"name":"a","order":"asc"}}`: `unknown field "order"`,
		`{"format":2,"version":1,"spec":{"name":"a"}} {}`:            "invalid character '{' after",
		`{"format":2,"version":1}`:                                   "name has 0 bytes",
	} {
		_, _, err := DecodeSpec([]byte(text))
		require.ErrorContains(t, err, want)
	}
	_, err := EncodeSpec(board.Spec{Name: "a", Columns: []rules.Column{{Max: bounded(rules.Float(math.Inf(1)))}}}, 1)
	require.ErrorContains(t, err, `storing spec "a"`)
	_, err = json.Marshal(fullSpec())
	require.NoError(t, err)
}
