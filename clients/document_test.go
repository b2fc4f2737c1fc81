package clients

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/api"
)

// document is what the tests read of the OpenAPI document.
type document struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	Parameters  []struct{ Name, In string }
	RequestBody *struct {
		Content map[string]struct{ Schema schema }
	}
}

type schema struct {
	Ref                  string `json:"$ref"`
	Properties           map[string]json.RawMessage
	Required             []string
	AdditionalProperties json.RawMessage
}

func readDocument(t *testing.T) (d document) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer e.Close()
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	defer boards.Close()
	h, err := api.New(boards, api.Options{Access: access.Options{Open: true}})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(h.OpenAPI(), &d))
	return d
}

func (d document) resolve(s schema) schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return d.Components.Schemas[name]
	}
	return s
}

// call is a request that a client makes, as its source has it.
type call struct {
	method, path string
	query        []string
	keys         []string // strings in the rest of the statement that name fields of the body
}

var (
	fullRoute = regexp.MustCompile(`"(GET|PUT|POST|DELETE) (/v1/[^"?]*?)(?:\{\?([\w,]*)\})?"`)
	// ofRanking are reads that windows, pinned rankings and unions have: read sends GET, ask sends POST.
	ofRanking = regexp.MustCompile(`\b_?([Rr]ead|[Aa]sk|[Rr]oute)(?:<\w+>)?\((?:"(GET|POST)", )?"([a-z-]+)(?:\{\?([\w,]*)\})?"`)
	key       = regexp.MustCompile(`\{ ?"(\w+)",|"(\w+)": |\["(\w+)"\] = `)
)

// callsOf returns what a source calls. A statement ends with its line.
func callsOf(source string) (calls []call) {
	for line := range strings.Lines(source) {
		if strings.HasPrefix(strings.TrimSpace(line), "//") || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		var keys []string
		for _, m := range key.FindAllStringSubmatch(line, -1) {
			keys = append(keys, m[1]+m[2]+m[3])
		}
		for _, m := range fullRoute.FindAllStringSubmatch(line, -1) {
			if strings.HasSuffix(m[2], "/") { // the name of a read follows
				continue
			}
			calls = append(calls, call{m[1], m[2], names(m[3]), keys})
		}
		for _, m := range ofRanking.FindAllStringSubmatch(line, -1) {
			method := map[string]string{"read": "GET", "ask": "POST", "route": m[2]}[strings.ToLower(m[1])]
			bases := []string{"/v1/boards/{board}/windows/{window}/", "/v1/pins/{pin}/", "/v1/unions/{union}/"}
			if m[3] == "export" {
				bases = bases[:1]
			}
			for _, base := range bases {
				calls = append(calls, call{method, base + m[3], names(m[4]), keys})
			}
		}
	}
	return calls
}

func names(list string) []string {
	return slices.DeleteFunc(strings.Split(list, ","), func(name string) bool { return name == "" })
}

// problems says what of a call is not in the document.
func (d document) problems(c call) (problems []string) {
	op, ok := d.Paths[c.path][strings.ToLower(c.method)]
	if !ok {
		return []string{c.method + " " + c.path + " is no operation"}
	}
	known := map[string]bool{}
	for _, p := range op.Parameters {
		known[p.Name] = true
	}
	for _, name := range c.query {
		if !known[name] {
			problems = append(problems, c.method+" "+c.path+" has no parameter "+name)
		}
	}
	free := false
	if op.RequestBody != nil {
		body := d.resolve(op.RequestBody.Content["application/json"].Schema)
		free = string(body.AdditionalProperties) == "{}"
		for name := range body.Properties {
			known[name] = true
		}
	}
	for _, name := range c.keys {
		if !known[name] && !free {
			problems = append(problems, c.method+" "+c.path+" takes no "+name)
		}
	}
	return problems
}

// TestClientsAndDocument looks up every route of every client, its parameters and the fields that it sends.
func TestClientsAndDocument(t *testing.T) {
	d := readDocument(t)
	for _, file := range []string{"typescript/zrank.ts", "csharp/Zrank.cs", "gdscript/zrank.gd"} {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		calls := callsOf(string(source))
		require.Greater(t, len(calls), 30, "%s: not all calls are found", file)
		for _, c := range calls {
			require.Empty(t, d.problems(c), file)
		}
		t.Logf("%s: %d routes", file, len(calls))
	}
}

// TestProblemsOfCalls: what is not in the document is noticed.
func TestProblemsOfCalls(t *testing.T) {
	d := readDocument(t)
	for source, want := range map[string]string{
		`call("GET /v1/boards/{board}/tops", x)`:                               "GET /v1/boards/{board}/tops is no operation",
		`call("GET /v1/boards/{board}/member{?member,by}", x)`:                 "GET /v1/boards/{board}/member has no parameter by",
		`read("top{?limit}", x)`:                                               "GET /v1/pins/{pin}/top has no parameter limit",
		`_ask("top", x)`:                                                       "POST /v1/pins/{pin}/top is no operation",
		`Call("POST /v1/groups/{kind}/leave", p, new Body { { "group", g } })`: "POST /v1/groups/{kind}/leave takes no group",
		`_call("POST /v1/groups/{kind}/leave", {"kind": kind}, {"member": member, "forever": true})`: "POST /v1/groups/{kind}/leave takes no forever",
	} {
		var all []string
		for _, c := range callsOf(source) {
			all = append(all, d.problems(c)...)
		}
		require.Contains(t, all, want, source)
	}
}

var (
	tsInterface = regexp.MustCompile(`(?s)export interface (\w+)(?: extends (\w+))? \{(.*?)\}(?: // schema: (\w+))?\n`)
	tsField     = regexp.MustCompile(`(?:^|[;\n{])\s*(?:/\*\*.*?\*/\s*)?(\w+)(\?)?: `)
)

// ownTypes are interfaces of zrank.ts that no schema has: settings of the client, and events, which are text to the document.
var ownTypes = []string{"Options", "CallOptions", "SubmitOptions", "CallRequest", "Select", "StreamOptions", "FeedEvent", "Action"}

// TestTypesAndSchemas compares the interfaces of zrank.ts with the schemas: the same fields, and the same of them may be absent.
func TestTypesAndSchemas(t *testing.T) {
	d := readDocument(t)
	source, err := os.ReadFile("typescript/zrank.ts")
	require.NoError(t, err)
	types, compared := map[string]map[string]bool{}, 0
	for _, m := range tsInterface.FindAllStringSubmatch(string(source), -1) {
		fields := maps.Clone(types[m[2]]) // of what it extends
		if fields == nil {
			fields = map[string]bool{}
		}
		for _, f := range tsField.FindAllStringSubmatch(m[3], -1) {
			fields[f[1]] = f[2] == "?"
		}
		types[m[1]] = fields
		if slices.Contains(ownTypes, m[1]) {
			continue
		}
		name := m[1]
		if m[4] != "" {
			name = m[4]
		}
		s, ok := d.Components.Schemas[name]
		require.True(t, ok, "no schema %s", name)
		want := map[string]bool{}
		for field := range s.Properties {
			want[field] = !slices.Contains(s.Required, field)
		}
		require.Equal(t, want, fields, "%s: which fields there are, and whether they may be absent", name)
		compared++
	}
	require.Greater(t, compared, 40)
	for field := range types["Action"] {
		require.Contains(t, d.Components.Schemas["ActionOn"].Properties, field)
	}
}

// TestLint checks the document by the rules that redocly recommends.
func TestLint(t *testing.T) {
	needNode(t)
	file := filepath.Join(t.TempDir(), "openapi.json")
	require.NoError(t, os.WriteFile(file, newServer(t, slog.DiscardHandler, api.Options{}).handler.OpenAPI(), 0o600))
	out := run(t, "typescript", []string{"REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"}, "node", "node_modules/@redocly/cli/bin/cli.js", "lint", "--format=json", file)
	require.Contains(t, out, `"errors": 0`)
	require.Contains(t, out, `"warnings": 0`)
}
