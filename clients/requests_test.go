package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	verrors "github.com/pb33f/libopenapi-validator/errors"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/zrankdb/zrank/server/api"
)

// op is an operation of the document.
type op struct {
	id, method, path string
	spec             map[string]any
}

// contract is a document, in the forms that the tests need.
type contract struct {
	ops       []op
	schemas   map[string]any
	paths     *v3.Paths
	validator validator.Validator
}

func readContract(t *testing.T, document []byte) *contract {
	var d map[string]any
	require.NoError(t, json.Unmarshal(document, &d))
	c := &contract{schemas: d["components"].(map[string]any)["schemas"].(map[string]any)}
	paths := d["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			spec := item[method].(map[string]any)
			c.ops = append(c.ops, op{spec["operationId"].(string), strings.ToUpper(method), path, spec})
		}
	}
	doc, err := libopenapi.NewDocument(document)
	require.NoError(t, err)
	model, err := doc.BuildV3Model()
	require.NoError(t, err)
	c.paths = model.Model.Paths
	c.validator = validator.NewValidatorFromV3Model(&model.Model, config.WithFormatAssertions())
	return c
}

// loud is a log that counts errors: panics, and what handlers cannot explain.
type loud struct {
	errors atomic.Int64
	last   atomic.Value
}

func (l *loud) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }
func (l *loud) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *loud) WithGroup(string) slog.Handler                    { return l }
func (l *loud) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
	l.last.Store(text)
	l.errors.Add(1)
	return nil
}

// specs are boards that requests define, and those that are there from the start.
var specs = []map[string]any{
	{"op": "best", "windows": []any{"all", "week", "day"}, "maxMeta": 64, "journal": 100, "bestRanks": true, "feed": map[string]any{},
		"awards": []any{map[string]any{"window": "week", "claim": true, "tiers": []any{map[string]any{"name": "gold", "from": 1}, map[string]any{"name": "all", "everyone": true}}}}},
	{"op": "sum", "windows": []any{"week"}, "leagues": map[string]any{"window": "week", "tiers": []any{"bronze", "silver"}, "size": 30, "up": 1, "down": 1}},
	{"op": "last", "windows": []any{"all"}, "columns": []any{map[string]any{"name": "points"}, map[string]any{"name": "time", "kind": "float64", "order": "asc"}}},
	{"windows": []any{"all"}, "derived": map[string]any{"from": "arena", "groups": "guild"}},
}

// target is a server with something of everything, and what requests to it may name.
type target struct {
	*server
	g   *generator
	log *loud
}

func newTarget(t *testing.T, c *contract) *target {
	x := &target{log: &loud{}}
	x.server = newServer(t, x.log, api.Options{MaxRows: 1000, MaxPins: 8})
	ask := func(method, path string, body any) map[string]any {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		r := httptest.NewRequest(method, path, bytes.NewReader(text))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+gameKey)
		w := httptest.NewRecorder()
		x.handler.ServeHTTP(w, r)
		require.Less(t, w.Code, 300, "%s %s: %s", method, path, w.Body)
		var answer map[string]any
		_ = json.Unmarshal(w.Body.Bytes(), &answer)
		return answer
	}
	ask("PUT", "/v1/groups/guild", nil)
	for i, name := range []string{"arena", "duel", "two", "guilds"} {
		ask("PUT", "/v1/boards/"+name, specs[i])
	}
	for i, member := range []string{"ada", "bea", "cy", "dan", "base64:_w"} {
		ask("POST", "/v1/boards/arena/scores", map[string]any{"member": member, "score": 1000 + i, "meta": "m", "once": "k" + member})
		ask("POST", "/v1/boards/duel/scores", map[string]any{"member": member, "score": i})
		ask("POST", "/v1/boards/two/scores", map[string]any{"member": member, "score": []any{i, 0.5}})
	}
	ask("POST", "/v1/boards/arena/scores", map[string]any{"member": "eve", "score": "9007199254740993"})
	ask("POST", "/v1/groups/guild/group", map[string]any{"group": "owls", "meta": "hoot"})
	ask("POST", "/v1/groups/guild/join", map[string]any{"group": "owls", "member": "ada"})
	ask("PUT", "/v1/boards/arena/windows/week/baselines/noon", nil)
	ask("PUT", "/v1/unions/both", map[string]any{"sources": []any{map[string]any{"board": "arena", "window": "all"}, map[string]any{"board": "duel", "window": "week"}}})
	ask("POST", "/v1/boards/arena/moderation/hide", map[string]any{"member": "bea"})
	ask("POST", "/v1/boards/arena/windows/week/close", nil)
	_, err := x.boards.SettleDue(t.Context())
	require.NoError(t, err)
	pin := ask("POST", "/v1/boards/arena/windows/all/pin", nil)["pin"].(string)
	ticket := ask("POST", "/v1/boards/arena/tickets", map[string]any{"member": "ada", "score": 5})["ticket"].(string)
	cursor := ask("GET", "/v1/boards/arena/windows/all/page?n=2", nil)["next"].(string)
	x.g = &generator{schemas: c.schemas, known: map[string][]string{
		"board": {"arena", "arena", "arena", "duel", "two", "guilds"}, "from": {"arena", "guild"}, "window": {"all", "week", "week", "day"}, "member": {"ada", "bea", "cy", "dan", "base64:_w", "eve"},
		"to": {"ada", "zoe", "duel"}, "kind": {"guild", "ban", "submitted"}, "group": {"owls", "foxes"}, "groups": {"guild"}, "period": {"all", "2026-W47", "2026-11-20"}, "pin": {pin},
		"ticket": {ticket}, "cursor": {cursor, ""}, "union": {"both", "both", "more"}, "name": {"noon", "eve"}, "baseline": {"noon"}, "id": {"arena/week/2026-W47/1/eve", "arena/week/2026-W47/5/ada"},
		"number": {"1"}, "tier": {"bronze", "silver"}, "mode": {"ordinal", "dense", "modified", "competition"}, "score": {"1000", "1", "1,0.5", ""}, "best": {"1003", ""}, "worst": {"1000", ""},
		"Idempotency-Key": {"k1", "kada"}, "If-None-Match": {`"x"`, "*"}, "Last-Event-ID": {"oldest"}, "after": {"oldest"}, "zone": {"UTC"},
	}}
	return x
}

// check sends a request and compares the answer with the document. It returns the status.
func (x *target) check(t *rapid.T, c *contract, o op, r *http.Request, body []byte) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if o.id == "streamTop" { // ends when its client goes
		ctx, cancel = context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
	}
	w := httptest.NewRecorder()
	r.Body = io.NopCloser(bytes.NewReader(body))
	x.handler.ServeHTTP(w, r.WithContext(ctx))
	said := w.Body.String()
	if x.log.errors.Load() > 0 {
		t.Fatalf("%s %s %s\nlogged %s", r.Method, r.URL, body, x.log.last.Load())
	}
	if w.Code == http.StatusInternalServerError {
		t.Fatalf("%s %s %s\n500: %s", r.Method, r.URL, body, said)
	}
	for _, part := range parts(w) { // before the request is looked at, which reads bodies
		response := *w.Result()
		response.Body = io.NopCloser(strings.NewReader(part))
		if ok, errs := c.validator.GetResponseBodyValidator().ValidateResponseBodyWithPathItem(r, &response, c.paths.PathItems.GetOrZero(o.path), o.path); !ok {
			t.Fatalf("%s: %s %s %s\n%d %s: %s\n%s", o.id, r.Method, r.URL, body, w.Code, response.Header.Get("Content-Type"), said, explain(errs))
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if ok, errs := c.validator.ValidateHttpRequestSyncWithPathItem(r, c.paths.PathItems.GetOrZero(o.path), o.path); !ok && w.Code < 300 {
		t.Fatalf("%s: %s %s %s\nis not what the document says, and the answer is %d: %s\n%s", o.id, r.Method, r.URL, body, w.Code, said, explain(errs))
	}
	return w.Code
}

// parts returns the body of an answer, or each line of one that has a JSON value in each.
func parts(w *httptest.ResponseRecorder) []string {
	text := w.Body.String()
	if w.Header().Get("Content-Type") != "application/jsonl" {
		return []string{text}
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func explain(errs []*verrors.ValidationError) string {
	var b strings.Builder
	for _, e := range errs {
		b.WriteString(e.Message + ": " + e.Reason + "\n")
		for _, s := range e.SchemaValidationErrors {
			b.WriteString("  " + s.FieldPath + ": " + s.Reason + "\n")
		}
	}
	return b.String()
}

// TestRequestsFromDocument sends requests that are made from the document, valid and invalid ones, to every operation: each answer has a status that the
// document has for the operation, and a body of its schema; none is 500, and nothing panics. A request that the document does not allow never succeeds, but that
// parameters that are empty and fields that are null count as absent.
func TestRequestsFromDocument(t *testing.T) {
	for name, value := range map[string]string{"rapid.checks": "60", "rapid.shrinktime": "2s", "rapid.nofailfile": "true"} {
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			require.NoError(t, f.Value.Set(value))
		}
	}
	c := readContract(t, newServer(t, slog.DiscardHandler, api.Options{}).handler.OpenAPI())
	statuses := map[int]int{}
	succeeded := map[string]bool{}
	for _, o := range c.ops {
		t.Run(o.id, func(t *testing.T) {
			x := newTarget(t, c)
			rapid.Check(t, func(t *rapid.T) {
				r := x.g.request(t, o)
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Fatal(err)
				}
				status := x.check(t, c, o, r, body)
				statuses[status]++
				if status < 300 {
					succeeded[o.id] = true
				}
			})
		})
	}
	t.Logf("%d operations, of which %d succeeded; answers by status: %v", len(c.ops), len(succeeded), statuses)
	require.Greater(t, len(succeeded), len(c.ops)*3/4, "requests do not reach what they are for")
}

// TestYear10000: periods that end when JSON has no times any more have no end. These requests made the server panic.
func TestYear10000(t *testing.T) {
	x := newTarget(t, readContract(t, newServer(t, slog.DiscardHandler, api.Options{}).handler.OpenAPI()))
	for _, path := range []string{"deadline?", "windows/week/info?", "windows/week/top?", "windows/day/rank?member=ada&"} {
		r := httptest.NewRequest(http.MethodGet, "/v1/boards/arena/"+path+"at=9999-12-31T23:59:59Z", nil)
		r.Header.Set("Authorization", "Bearer "+gameKey)
		w := httptest.NewRecorder()
		x.handler.ServeHTTP(w, r)
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, w.Code, "%s: %s", path, w.Body)
	}
	require.Zero(t, x.log.errors.Load())
}
