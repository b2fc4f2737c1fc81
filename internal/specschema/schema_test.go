package specschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

var write = flag.Bool("write", false, "write spec.schema.json")

// TestSchema: spec.schema.json is made of board.Spec.
func TestSchema(t *testing.T) {
	var made bytes.Buffer
	e := json.NewEncoder(&made)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(newMaker(t).document()))
	if *write {
		require.NoError(t, os.WriteFile("spec.schema.json", made.Bytes(), 0o644))
		return
	}
	require.Equal(t, made.String(), string(JSON), "make it again: go test ./internal/specschema -args -write")
}

func newChecker(t *testing.T) checker {
	c := checker{t: t, patterns: map[string]*regexp.Regexp{}}
	require.NoError(t, json.Unmarshal(JSON, &c.root))
	return c
}

// parse returns the value of a JSON text, which is whole.
func parse(t *testing.T, text []byte) (v any) {
	require.NoError(t, json.Unmarshal(text, &v), "%s", text)
	return v
}

// wide has every field of a spec, though not with one another.
const wide = `{"$schema": "spec.schema.json", "name": "shop/flowers/stars", "columns": [{"name": "a", "kind": "int64", "decimals": 2, "order": "asc", "op": "max", "min": -1.5, "max": 100,
	"absent": "last"}, {"name": "b"}, {"name": "c", "decimals": 3, "of": {"a": 1.5, "b": 2}}], "op": "sum", "ties": "member", "windows": ["week-sunday@America/New_York+10m#8",
	{"name": "cup", "kind": "seasons", "zone": "Asia/Shanghai", "grace": "2h", "keep": 3, "seasons": [{"name": "s1", "start": "2026-03-01", "end": "2026-06-01T12:00:00"}]},
	{"name": "friday", "kind": "week", "start": "friday"}, {"kind": "every", "every": "3h", "anchor": "2026-11-20T00:15:00Z"}], "maxMeta": 256, "onceFor": "forever", "journal": 1000, "feed": {"top": -1},
	"bestRanks": true, "awards": [{"window": "cup", "mode": "dense", "stack": true, "claim": true, "expires": "168h", "tiers": [{"name": "gold", "from": 1, "to": 3, "payload": "500"},
	{"name": "half", "percent": 50}, {"name": "far", "score": [5, 7, 21.5]}, {"name": "all", "everyone": true}]}, {"window": "week", "dropUndelivered": true, "tiers": [{"name": "x", "from": 1}]}]}`

// specs returns specs of files that boards take: all of the documentation, those of tests, and some with what these leave out.
func specs(t *testing.T) (texts [][]byte) {
	paths := []string{"../../README.md", "../../board/spec_file.go"}
	for _, pattern := range []string{"../../docs/*.md", "../../board/internal/specs/testdata/*.json"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	begins := regexp.MustCompile(`\{\s*"(name|\$schema)":`)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		text = bytes.ReplaceAll(text, []byte("\n//"), []byte("\n"))
		for _, at := range begins.FindAllIndex(text, -1) {
			var spec json.RawMessage
			if json.NewDecoder(bytes.NewReader(text[at[0]:])).Decode(&spec) != nil {
				continue
			}
			if _, err := board.ReadSpec(bytes.NewReader(spec)); err == nil {
				texts = append(texts, spec)
			}
		}
	}
	require.Greater(t, len(texts), 10)
	for _, text := range []string{wide,
		`{"name": "a", "top": {"n": 1000, "reserve": 250, "segments": 100}, "columns": [{"kind": "float64"}]}`,
		`{"name": "a", "op": "bestof", "k": 3}`, `{"name": "a", "windows": ["day", "3h=rolling-3h-1m"]}`, `{"name": "a", "parts": 4}`, `{"name": "a", "partMembers": 100000, "ties": "last"}`,
		`{"name": "a", "windows": [{"kind": "rolling", "span": "3h", "bucket": "1m"}, {"kind": "event", "seasons": [{"start": "2026-12-21T18:00:00", "end": "2027-01-07"}]}]}`,
		`{"name": "a", "windows": ["week"], "leagues": {"window": "week", "tiers": ["wood", "gold"], "size": 30, "up": 5, "down": 5, "bands": [1000, 2000]}}`,
		`{"name": "a", "derived": {"from": "b", "groups": "guild", "op": "bestof", "k": 10, "least": 3, "points": "follow"}}`,
		`{"name": "a", "windows": ["day"], "awards": [{"window": "day", "tiers": [{"name": "best", "score": 15.0}]}]}`,
	} {
		texts = append(texts, []byte(text))
	}
	for _, text := range texts { // what boards give back is a spec file, too
		spec, err := board.ReadSpec(bytes.NewReader(text))
		require.NoError(t, err, "%s", text)
		back, err := json.Marshal(spec.WithDefaults())
		require.NoError(t, err)
		texts = append(texts, back)
	}
	return texts
}

// TestTakes: the schema takes the specs that boards take, alone and in an array.
func TestTakes(t *testing.T) {
	c := newChecker(t)
	var all []any
	for _, text := range specs(t) {
		spec := parse(t, text)
		require.Empty(t, c.refuses(c.root, spec), "%s", text)
		all = append(all, spec)
	}
	require.Empty(t, c.refuses(c.root, all))
	require.NotEmpty(t, c.refuses(c.root, []any{all}))
	require.NotEmpty(t, c.refuses(c.root, []any{}))
}

// TestRefuses: the schema and boards refuse the same specs.
func TestRefuses(t *testing.T) {
	c := newChecker(t)
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for _, text := range []string{
		`5`, `{}`, `{"name": ""}`, `{"name": "a//b"}`, `{"name": "/a"}`, `{"name": "a\u0007"}`, `{"name": 5}`, `{"name": "a", "windws": []}`, `{"name": "` + strings.Repeat("a", board.MaxName+1) + `"}`,
		`{"name": "a", "op": "total"}`, `{"name": "a", "ties": "late"}`, `{"name": "a", "columns": {}}`, `{"name": "a", "columns": [{"kind": "int32"}]}`, `{"name": "a", "columns": [{"order": "up"}]}`,
		`{"name": "a", "columns": [{"nam": "x"}]}`, `{"name": "a", "columns": [{"decimals": 19}]}`, `{"name": "a", "columns": [{"min": "5"}]}`, `{"name": "a", "op": "sum", "columns": [{"op": "bestof"}]}`,
		`{"name": "a", "columns": [{"absent": "middle"}]}`, `{"name": "a", "columns": [{"of": {"x": "y"}}]}`, `{"name": "a", "columns": [` + many(33, "{}") + `]}`, `{"name": "a", "op": "bestof", "k": -1}`,
		`{"name": "a", "windows": ["fortnight"]}`, `{"name": "a", "windows": ["week-someday"]}`, `{"name": "a", "windows": ["day+soon"]}`, `{"name": "a", "windows": [{"kind": "fortnight"}]}`,
		`{"name": "a", "windows": [{"name": "x"}]}`, `{"name": "a", "windows": [5]}`, `{"name": "a", "windows": "day"}`, `{"name": "a", "windows": [{"kind": "day", "keep": -1}]}`,
		`{"name": "a", "windows": [{"kind": "day", "name": "a b"}]}`, `{"name": "a", "windows": [{"kind": "week", "start": "mon"}]}`, `{"name": "a", "windows": [{"kind": "day", "grace": 5}]}`,
		`{"name": "a", "windows": [{"kind": "day", "grace": "-5m"}]}`, `{"name": "a", "windows": [{"kind": "every", "every": "3 hours"}]}`, `{"name": "a", "windows": [{"kind": "day", "zne": "UTC"}]}`,
		`{"name": "a", "windows": [{"kind": "event", "seasons": [{"start": "21.12.2026", "end": "2027-01-07"}]}]}`, `{"name": "a", "windows": [{"kind": "event", "seasons": [{"start": "2026-12-21"}]}]}`,
		`{"name": "a", "maxMeta": 65537}`, `{"name": "a", "maxMeta": 1.5}`, `{"name": "a", "parts": 65}`, `{"name": "a", "partMembers": -1}`, `{"name": "a", "journal": 10000001}`, `{"name": "a", "bestRanks": 1}`,
		`{"name": "a", "onceFor": 24}`, `{"name": "a", "top": {}}`, `{"name": "a", "top": {"n": 0}}`, `{"name": "a", "top": 100}`, `{"name": "a", "top": {"n": 10, "segments": 16385}}`, `{"name": "a", "feed": {"top": 1001}}`,
		`{"name": "a", "feed": true}`, `{"name": "a", "windows": ["week"], "leagues": {"window": "week", "tiers": [], "size": 30}}`, `{"name": "a", "windows": ["week"], "leagues": {"window": "week", "tiers": ["x"], "size": 1}}`,
		`{"name": "a", "windows": ["week"], "leagues": {"tiers": ["x"], "size": 2}}`, `{"name": "a", "derived": {"from": "b"}}`, `{"name": "a", "derived": {"from": "b", "groups": "g", "op": "max"}}`,
		`{"name": "a", "derived": {"from": "b", "groups": "g", "points": "never"}}`, `{"name": "a", "windows": ["day"], "awards": [{"window": "day", "tiers": []}]}`,
		`{"name": "a", "windows": ["day"], "awards": [{"window": "day", "mode": "fair", "tiers": [{"name": "x", "from": 1}]}]}`, `{"name": "a", "windows": ["day"], "awards": [{"window": "day", "tiers": [{"from": 1}]}]}`,
		`{"name": "a", "windows": ["day"], "awards": [{"window": "day", "tiers": [{"name": "a/b", "from": 1}]}]}`, `{"name": "a", "windows": ["day"], "awards": [{"window": "day", "tiers": [{"name": "x", "percent": 101}]}]}`,
		`{"name": "a", "windows": ["day"], "awards": [{"window": "day", "tiers": [{"name": "x", "score": "5"}]}]}`, `{"name": "a", "$schema": 5}`,
	} {
		_, err := board.ReadSpec(strings.NewReader(text))
		require.Error(t, err, text)
		require.NotEmpty(t, c.refuses(c.root, parse(t, []byte(text))), "%s: %v", text, err)
	}
}

// TestChanged changes specs at one place each. Boards refuse all that the schema refuses, and the schema all that boards cannot read: unknown fields, other types.
func TestChanged(t *testing.T) {
	c := newChecker(t)
	changed, refused, both := 0, 0, 0
	for _, text := range specs(t) {
		root := parse(t, text)
		try := func(set func(v any)) {
			for _, v := range []any{true, 0, -1, 1e9, 3.5, "x", "5m", []any{}, object{}, object{"unknown": 1}} {
				set(v)
				next, err := json.Marshal(root)
				require.NoError(t, err)
				_, err = board.ReadSpec(bytes.NewReader(next))
				why := c.refuses(c.root, parse(t, next))
				if changed++; err != nil {
					refused++
				}
				if why != "" {
					both++
					require.Error(t, err, "%s: %s", next, why)
				}
				if errors.As(err, new(*json.UnmarshalTypeError)) || err != nil && strings.Contains(err.Error(), "unknown field") {
					require.NotEmpty(t, why, "%s: %v", next, err)
				}
			}
		}
		each(root, try)
	}
	require.Greater(t, both, refused/2)
	t.Logf("%d changes; boards refuse %d, the schema %d of those", changed, refused, both)
}

// each calls try for each place in a value, with a function that changes what is there.
func each(v any, try func(set func(v any))) {
	switch v := v.(type) {
	case object:
		for name, was := range v {
			each(was, try)
			try(func(next any) { v[name] = next })
			v[name] = was
		}
		try(func(next any) { v["unknown"] = next })
		delete(v, "unknown")
	case []any:
		for i, was := range v {
			each(was, try)
			try(func(next any) { v[i] = next })
			v[i] = was
		}
	}
}
