package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// TestReadSpec checks the spec files in testdata.
func TestReadSpec(t *testing.T) {
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		return moment.UTC()
	}
	for file, want := range map[string]board.Spec{
		"flowers.json": {Name: "shop/flowers/stars", Op: rules.Sum, MaxMeta: 256, BestRanks: true,
			Windows: []window.Window{{Kind: window.All}, {Kind: window.Week, TimeZone: "Asia/Shanghai", Grace: window.Duration(10 * time.Minute), Keep: 8}}},
		"race.json": {Name: "event/winter/race", Columns: []rules.Column{{Name: "level", Min: bounded(rules.Int(1)), Max: bounded(rules.Int(60))}}, Ties: rules.FirstToReach,
			Windows: []window.Window{{Kind: window.Event, TimeZone: "Europe/Berlin", Grace: window.Duration(15 * time.Minute),
				Seasons: []window.Season{{Name: "winter-2026", Start: at("2026-12-21T18:00:00+01:00"), End: at("2027-01-07T00:00:00+01:00")}}}},
			OnceFor: window.Duration(48 * time.Hour)},
		"ladder.json": {Name: "ladder", Columns: []rules.Column{{Name: "rating", Kind: rules.Float64, Min: bounded(rules.Int(0))}}, Op: rules.Last, Ties: rules.LastToReach,
			Windows: []window.Window{{Name: "season", Kind: window.Seasons, TimeZone: "America/Sao_Paulo", Grace: window.Forever, Seasons: []window.Season{
				{Name: "s1", Start: at("2026-01-01T00:00:00-03:00"), End: at("2026-07-01T00:00:00-03:00")},
				{Name: "s2", Start: at("2026-07-01T00:00:00-03:00"), End: at("2027-01-01T00:00:00-03:00")}}},
				{Kind: window.Day, TimeZone: "America/Sao_Paulo"}}},
		"contest.json": {Name: "contest/wf2025", Op: rules.Sum, Ties: rules.ByMember, Columns: []rules.Column{{Name: "solved"}, {Name: "penalty", Order: rules.Asc},
			{Name: "last accept", Order: rules.Asc, Op: rules.Max}}},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		require.NoError(t, err)
		got, err := board.ReadSpec(iotest.OneByteReader(bytes.NewReader(text)))
		require.NoError(t, err, file)
		require.Equal(t, want, got, file)
	}
}

// TestReadSpecDoc checks the example in the comment of board.ReadSpec.
func TestReadSpecDoc(t *testing.T) {
	source, err := os.ReadFile("../../spec_file.go")
	require.NoError(t, err)
	var example strings.Builder
	for line := range strings.Lines(string(source)) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			example.WriteString(text)
		}
	}
	s, err := board.ReadSpec(strings.NewReader(example.String()))
	require.NoError(t, err)
	var names []string
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	for _, w := range s.Windows {
		names = append(names, w.Label())
	}
	require.Equal(t, []string{"flowers", "givers", "weight", "all", "week", "cup"}, names)
	require.Equal(t, "2026-02-28T16:00:00Z", s.Windows[2].Seasons[0].Start.Format(time.RFC3339))
	require.Equal(t, s.Windows[2].Seasons[1].Start, time.Date(2026, 8, 31, 16, 0, 0, 0, time.UTC))
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(example.String()), &fields))
	require.Len(t, fields, 9, "it shows every field")
}

// TestReadSpecRefused checks texts that Read refuses: the error says why and in which line.
func TestReadSpecRefused(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "unexpected EOF",
		`{"name":`:                             "unexpected EOF",
		"{\n\"name\": \"a\",\n}":               "line 3: invalid character '}'",
		"{\"name\":\"a\",\n\"maxMeta\":\"x\"}": "line 2: json: cannot unmarshal string into Go struct field Spec.maxMeta",
		`{"name":"a","maxMeta":1.5}`:           "cannot unmarshal number 1.5",
		`{"name":"a"} x`:                       "line 1: there is more behind the object",
		"{\"name\":\"a\"}\n\n{}":               "line 3: there is more behind the object",
		`{"name":"a","order":"asc"}`:           `unknown field "order"`,
		`{"name":"a","columns":[{"nam":"x"}]}`: `unknown field "nam"`,
		`{"name":"a","windows":[{"kind":"day","zon":"UTC"}]}`:  `unknown field "zon"`,
		`{"name":"a","windows":["fortnight"]}`:                 `window "fortnight"`,
		`{"name":"a","windows":["day@Mars/Olympus"]}`:          "Mars/Olympus",
		`{"name":"a","windows":["day","day"]}`:                 `window "day" is there twice`,
		`{"name":"a","windows":[7]}`:                           "impossible window: it is 7, want an object",
		`{"name":"a","columns":[{"min":"x"}]}`:                 `board: not a number: "\"x\""`,
		`{"name":"a","columns":[{"max":9223372036854775808}]}`: `not a number: "9223372036854775808"`,
		`{"name":"a","columns":[{"min":0.5}]}`:                 "value of the wrong kind",
		`{"name":"a","onceFor":"2 days"}`:                      `"2 days" is no duration`,
		`null`:                                                 "name has 0 bytes",
		`[]`:                                                   "cannot unmarshal array",
		`{"name":"a"}` + strings.Repeat(" ", 1<<20):            "the file is longer than 1048576 bytes",
	} {
		s, err := board.ReadSpec(strings.NewReader(text))
		require.ErrorIs(t, err, board.ErrSpec, text)
		require.ErrorContains(t, err, want)
		require.Zero(t, s)
	}
	broken := errors.New("disk is gone")
	_, err := board.ReadSpec(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, board.ErrSpec)
	_, err = board.ReadSpec(strings.NewReader(`{"name":"a","columns":[{"min":0.5}]}`))
	require.ErrorIs(t, err, rules.ErrKind)
}

// FuzzSpec checks that every spec that Read accepts is the same after it was stored, and that Decode does not panic for any bytes.
func FuzzSpec(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(text)
		s, err := board.ReadSpec(bytes.NewReader(text))
		require.NoError(f, err)
		stored, err := EncodeSpec(s, 7)
		require.NoError(f, err)
		f.Add(stored)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, version, err := DecodeSpec(text); err == nil {
			require.Positive(t, version)
			require.NoError(t, s.Validate())
		}
		s, err := board.ReadSpec(bytes.NewReader(text))
		if err != nil {
			require.ErrorIs(t, err, board.ErrSpec)
			return
		}
		stored, err := EncodeSpec(s, 1)
		require.NoError(t, err)
		again, _, err := DecodeSpec(stored)
		require.NoError(t, err)
		require.Equal(t, s.WithDefaults(), again)
		require.Nil(t, s.Differences(again))
	})
}
