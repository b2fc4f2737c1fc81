package boardjson

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

type inner struct {
	Name string `json:"name,text"`
}

// MarshalJSON shows that a struct that embeds this one goes by the fields.
func (inner) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

type sample struct {
	inner
	Member  string         `json:"member,text,omitempty"`
	Names   []string       `json:"names,text,omitempty"`
	Meta    []byte         `json:"meta,omitzero"`
	At      time.Time      `json:"at,omitzero"`
	Score   rules.Score    `json:"score,exact"`
	Was     rules.Score    `json:"was,omitempty"`
	By      rules.Value    `json:"by"`
	List    []int          `json:"list"`
	Some    []int          `json:"some,omitzero"`
	Few     []int          `json:"few,omitempty"`
	Next    *leaf          `json:"next,omitempty"`
	Hidden  string         `json:"-"`
	Rows    []inner        `json:"rows,omitempty"`
	Counts  map[string]int `json:"counts,omitempty"`
	Untaged bool
}

type leaf struct {
	Scores []rules.Value `json:"scores"`
	Last   bool
}

// TestForm: each rule, and that what is written is read again.
func TestForm(t *testing.T) {
	for _, row := range []struct {
		name string
		v    sample
		want string
	}{
		{"zero", sample{}, `{"name":"","score":[],"by":0,"list":[],"untaged":false}`},
		{"texts", sample{inner: inner{"base64:x"}, Member: "\xff", Names: []string{"a<", "\xfe"}, Meta: []byte{}},
			`{"name":"base64:YmFzZTY0Ong","member":"base64:_w","names":["a<","base64:_g"],"meta":"","score":[],"by":0,"list":[],"untaged":false}`},
		{"scores", sample{Score: rules.Values(rules.Decimal(150, 2), rules.Absent), Was: rules.Ints(3), By: rules.Float(math.Inf(1))},
			`{"name":"","score":[1.50,null],"was":[3],"by":"+Inf","list":[],"untaged":false}`},
		{"exact", sample{Score: rules.Ints(1<<53 + 1)}, `{"name":"","score":[9007199254740993],"scoreText":["9007199254740993"],"by":0,"list":[],"untaged":false}`},
		{"lists", sample{List: []int{1, 2}, Some: []int{}, Few: []int{}, Rows: []inner{}}, `{"name":"","score":[],"by":0,"list":[1,2],"some":[],"untaged":false}`},
		{"times", sample{At: time.Date(2026, 3, 1, 2, 3, 4, 5000, time.UTC)}, `{"name":"","at":"2026-03-01T02:03:04.000005Z","score":[],"by":0,"list":[],"untaged":false}`},
		{"others", sample{Next: &leaf{Scores: []rules.Value{rules.Decimal(150, 2)}, Last: true}, Counts: map[string]int{"a&b": 1}},
			`{"name":"","score":[],"by":0,"list":[],"next":{"scores":[1.50],"last":true},"counts":{"a&b":1},"untaged":false}`},
	} {
		text, err := Marshal(row.v)
		require.NoError(t, err, row.name)
		require.Equal(t, row.want, string(text), row.name)
		var again sample
		require.NoError(t, Read(text, &again), row.name)
		twice, err := Marshal(again)
		require.NoError(t, err, row.name)
		require.Equal(t, row.want, string(twice), row.name)
	}
	late, err := Marshal(sample{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.NotContains(t, string(late), "at")
	own, err := AppendAny(nil, struct{ Rows []inner }{[]inner{{"x"}}})
	require.NoError(t, err)
	require.Equal(t, `{"rows":["own"]}`, string(own))
}

// TestRead: what requests may have, and what is refused.
func TestRead(t *testing.T) {
	var s sample
	require.NoError(t, ReadStrict([]byte(`{"score":7,"was":["9007199254740993"],"by":"5","names":["base64:_w"],"meta":null,"list":null}`), &s))
	require.Equal(t, rules.Ints(7), s.Score)
	require.Equal(t, rules.Ints(1<<53+1), s.Was)
	require.Equal(t, []string{"\xff"}, s.Names)
	require.Equal(t, rules.Int(5), s.By)
	require.ErrorContains(t, ReadStrict([]byte(`{"scores":7}`), &s), `unknown field "scores"`)
	require.ErrorContains(t, ReadStrict([]byte(`{"next":{"score":7}}`), &s), `unknown field "score"`)
	require.NoError(t, Read([]byte(`{"scores":7}`), &s))
	require.ErrorIs(t, Read([]byte(`{"member":"base64:!"}`), &s), ErrText)
	require.ErrorIs(t, Read([]byte(`{"score":["x"]}`), &s), ErrScore)
	require.Error(t, Read([]byte(`{"score":[1]} 2`), &s))
	for text, want := range map[string]string{`[1]`: "want an object, not array", `{"member":5}`: "member: want a string, not number", `{"names":"a"}`: "names: want a list of strings, not string",
		`{"list":[1.5]}`: "list: want a whole number of 64 bits, not 1.5", `{"list":7}`: "list: want a list, not number", `{"untaged":1}`: "untaged: want true or false, not number"} {
		require.EqualError(t, Read([]byte(text), &s), want)
	}
}

// FuzzRead: any bytes are read or refused, and what was read is written in a form that is read again as the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"name":"base64:_w","score":[1.50,null,"9007199254740993"],"at":"2026-03-01T02:03:04Z","next":{"scores":[1]}}`))
	f.Add([]byte(`{"score":"NaN","by":1e300,"counts":{"a":1},"rows":["own"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s, again sample
		if Read(b, &s) != nil {
			return
		}
		text, err := Marshal(s)
		require.NoError(t, err)
		require.True(t, json.Valid(text), "%s", text)
		if len(s.Rows) > 0 { // their own JSON is not theirs to read
			return
		}
		require.NoError(t, Read(text, &again))
		twice, err := Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(text), string(twice))
	})
}

// FuzzText: any bytes come back from their text, as JSON and as a parameter, and any text is bytes or an error.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "ada", "base64:", "base64:YWRh", "base64:*", "\xff", "ä\u2028", "base64:YQ\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, err := json.Marshal(Text(s))
		require.NoError(t, err)
		var back Text
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, s, string(back))
		require.NoError(t, back.UnmarshalText([]byte(Text(s).String())))
		require.Equal(t, s, string(back))
		var read Text
		if read.UnmarshalText([]byte(s)) == nil && Text(s).String() == s {
			require.Equal(t, s, read.String())
		}
	})
}

// FuzzScore: what is read as a score is written as a text that reads as the same score.
func FuzzScore(f *testing.F) {
	for _, s := range []string{`[1,2.50,null]`, `7`, `"9007199254740993"`, `[]`, `["NaN","-Inf"]`, `[1e400]`, `[0.1,1e-7,-0.0,-0]`, `{}`, `[[1]]`, `"-"`, `[`, `[12`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		score, err := readScore([]byte(s))
		if err != nil {
			return
		}
		require.LessOrEqual(t, score.Len(), rules.MaxColumns)
		text := appendScore(nil, &score)
		back, err := readScore(text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, score.String(), back.String())
		if score.Len() > 0 {
			back, err = ParseScore(ScoreText(score))
			require.NoError(t, err, "%s", text)
			require.Equal(t, score.String(), back.String())
		}
	})
}

// TestWhole: a whole number may be written with a point or an exponent; what is none is refused where it stands.
func TestWhole(t *testing.T) {
	var to struct {
		N     int
		Big   int64
		Small []int8
	}
	for text, want := range map[string]int64{"5.0": 5, "5e0": 5, "1e+14": 1e14, "-1": -1, "-1.50e1": -15, "9223372036854775807": 1<<63 - 1, "-9223372036854775808e0": -1 << 63, "0.0": 0} {
		require.NoError(t, Read([]byte(`{"big":`+text+`}`), &to), text)
		require.Equal(t, want, to.Big, text)
	}
	for _, text := range []string{"5.5", "1e-3", "9223372036854775808", "1e30", "1e-999999999"} {
		require.ErrorIs(t, Read([]byte(`{"n":`+text+`}`), &to), ErrWhole, text)
	}
	require.ErrorContains(t, Read([]byte(`{"small":[1,200]}`), &to), "small: want a number in range, not 200")
	require.ErrorContains(t, Read([]byte(`{"n":"5"}`), &to), "n: want a")
}
