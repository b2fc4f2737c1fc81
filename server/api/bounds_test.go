package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// The size of the board of TestBounds, and the most that an answer may have.
const (
	crowd    = 100_000
	mostRows = DefaultMaxRows
	mostBody = 2 << 20
)

// extremes are the numbers that each parameter and each field gets.
var extremes = []int64{math.MinInt64, math.MaxInt64, 1 << 31, DefaultMaxRows, DefaultMaxRows / 2, -1, 0}

// crowded is a server whose board arena has a crowd, as has the group of guilds called wolves; there are more guilds than rows of an answer.
type crowded struct {
	t      *testing.T
	h      *Handler
	schema map[string]any // of the document, by name
	given  map[string]any // what parameters and fields without numbers get, by name
}

func newCrowded(t *testing.T) *crowded {
	clock := testclock.New()
	e, err := engine.Open("data", engine.Options{FS: memfs.New(), Clock: clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()) })
	b, err := boards.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.All}, Journal: crowd, Feed: &board.Feed{}})
	require.NoError(t, err)
	names := make([]string, crowd)
	for i := range names {
		names[i] = fmt.Sprintf("m%06d", i)
	}
	for lo := 0; lo < crowd; lo += 10_000 {
		subs := make([]board.Submission, 10_000)
		for i := range subs {
			subs[i] = board.Submission{Member: names[lo+i], Score: board.Ints(int64(lo + i))}
		}
		_, err = b.SubmitAll(t.Context(), subs)
		require.NoError(t, err)
	}
	guilds, err := boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, guilds.Create(t.Context(), "wolves", nil))
	for i := range mostRows + 10 {
		require.NoError(t, guilds.Create(t.Context(), names[i], nil))
	}
	joinings := make([]board.Joining, mostRows+10)
	for i := range joinings {
		joinings[i] = board.Joining{Member: names[i], Group: "wolves"}
	}
	require.NoError(t, guilds.JoinAll(t.Context(), joinings, nil))
	require.NoError(t, b.SaveBaseline(t.Context(), "all", "start"))
	require.NoError(t, boards.StoreUnion(t.Context(), "u", board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}}}))
	h, err := New(boards, Options{Clock: clock.Now, Timeout: time.Hour, Access: access.Options{
		Keys: []access.Key{{Name: "game", Secret: allKey, Rights: access.All}}, Tickets: access.TicketOptions{Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	c := &crowded{t: t, h: h, given: map[string]any{
		"board": "arena", "window": "all", "kind": "guild", "group": "wolves", "union": "u", "name": "start", "number": "1", "period": "all",
		"member": "m050000", "members": []any{"m050000", "m000001"}, "score": 7, "to": "m000002", "reason": "why", "wait": "false", "percent": "10", "dryRun": true,
		"boards": "arena", "sources": []any{map[string]any{"board": "arena"}},
	}}
	return c
}

// send sends a request. A stream ends behind its first event.
func (c *crowded) send(method, path string, body any) *httptest.ResponseRecorder {
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		require.NoError(c.t, err)
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, path, bytes.NewReader(text))
	r.Header.Set("Authorization", "Bearer "+allKey)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if strings.Contains(path, "/stream") {
		c.h.ServeHTTP(firstEvent{w, cancel}, r)
	} else {
		c.h.ServeHTTP(w, r)
	}
	return w
}

// firstEvent ends a stream when an event has been written.
type firstEvent struct {
	*httptest.ResponseRecorder
	end func()
}

func (w firstEvent) Write(b []byte) (int, error) {
	n, err := w.ResponseRecorder.Write(b)
	if bytes.Contains(w.Body.Bytes(), []byte("data:")) {
		w.end()
	}
	return n, err
}

func (firstEvent) SetWriteDeadline(time.Time) error { return nil }

// rowsOf counts the elements of lists in an answer that are no numbers: rows, names, events.
func rowsOf(v any) (n int) {
	switch x := v.(type) {
	case map[string]any:
		for _, y := range x {
			n += rowsOf(y)
		}
	case []any:
		for _, y := range x {
			switch y.(type) {
			case map[string]any, string:
				n++
			}
			n += rowsOf(y)
		}
	}
	return n
}

// operationOf is an operation of the document.
type operationOf struct {
	id, method, path string
	parameters       []map[string]any
	body             map[string]any // its schema; nil: none
}

// operations returns those of the document: first the reads, last what takes things away.
func (c *crowded) operations() (all []operationOf) {
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Parameters  []map[string]any
			RequestBody struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
		Components struct{ Schemas map[string]any }
	}
	require.NoError(c.t, json.Unmarshal(c.h.OpenAPI(), &doc))
	c.schema = doc.Components.Schemas
	for path, methods := range doc.Paths {
		for method, op := range methods {
			all = append(all, operationOf{op.OperationID, strings.ToUpper(method), path, op.Parameters, op.RequestBody.Content["application/json"].Schema})
		}
	}
	last := func(o operationOf) int {
		switch {
		case strings.HasPrefix(o.id, "erase"), strings.HasPrefix(o.id, "drop"), strings.Contains(o.path, "/moderation/"), o.method == http.MethodDelete, strings.HasSuffix(o.path, "/close"):
			return 2
		case o.method == http.MethodGet:
			return 0
		}
		return 1
	}
	slices.SortFunc(all, func(a, b operationOf) int {
		return 10*(last(a)-last(b)) + strings.Compare(a.id, b.id)
	})
	return all
}

// resolve follows a reference.
func (c *crowded) resolve(s map[string]any) map[string]any {
	if ref, ok := s["$ref"].(string); ok {
		s, _ = c.schema[ref[strings.LastIndex(ref, "/")+1:]].(map[string]any)
		return c.resolve(s)
	}
	return s
}

// isNumber reports whether a schema takes numbers.
func isNumber(s map[string]any) bool {
	for _, one := range append([]any{s}, anys(s["anyOf"])...) {
		for _, kind := range append(anys(one.(map[string]any)["type"]), one.(map[string]any)["type"]) {
			if kind == "integer" || kind == "number" {
				return true
			}
		}
	}
	return false
}

func anys(v any) []any {
	list, _ := v.([]any)
	return list
}

// fields returns bodies of a schema: one that has what is given, and for each number in it, at any depth, one with each extreme.
func (c *crowded) fields(name string, s map[string]any) (all []any) {
	s = c.resolve(s)
	if isNumber(s) {
		if v, ok := c.given[name]; ok {
			all = append(all, v)
		} else {
			all = append(all, nil)
		}
		for _, x := range extremes {
			all = append(all, json.Number(strconv.FormatInt(x, 10)))
		}
		return all
	}
	if items, ok := s["items"].(map[string]any); ok && c.given[name] == nil {
		for _, x := range c.fields(strings.TrimSuffix(name, "s"), items) {
			if x != nil {
				all = append(all, []any{x})
			}
		}
		return all
	}
	properties, ok := s["properties"].(map[string]any)
	if !ok {
		return []any{c.given[name]}
	}
	base, variants := map[string]any{}, map[string][]any{}
	for key, p := range properties {
		values := c.fields(key, p.(map[string]any))
		_, given := c.given[key]
		if len(values) > 0 && values[0] != nil && (given || slices.Contains(anys(s["required"]), any(key))) {
			base[key] = values[0]
		}
		if len(values) > 1 {
			variants[key] = values[1:]
		}
	}
	all = append(all, any(base))
	for _, key := range slices.Sorted(maps.Keys(variants)) {
		for _, v := range variants[key] {
			one := maps.Clone(base)
			one[key] = v
			all = append(all, one)
		}
	}
	return all
}

// requests calls send with each request of an operation.
func (c *crowded) requests(o operationOf, send func(path string, body any)) {
	bodies := []any{nil}
	if o.body != nil {
		bodies = c.fields("", o.body)
	}
	path, query, numbers := o.path, url.Values{}, []string{}
	for _, p := range o.parameters {
		name := p["name"].(string)
		schema := c.resolve(p["schema"].(map[string]any))
		text := fmt.Sprint(c.given[name])
		switch {
		case p["in"] == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(text))
		case p["in"] == "query" && isNumber(schema):
			numbers = append(numbers, name)
			if p["required"] == true {
				query.Set(name, text)
			}
		case p["in"] == "query" && (p["required"] == true || name == "member" || name == "wait"):
			query.Set(name, text)
		}
	}
	for _, body := range bodies {
		send(path+"?"+query.Encode(), body)
	}
	for _, name := range numbers {
		for _, x := range extremes {
			q := maps.Clone(query)
			q.Set(name, strconv.FormatInt(x, 10))
			send(path+"?"+q.Encode(), bodies[0])
		}
	}
	numbers = slices.DeleteFunc(numbers, func(name string) bool { return name == "version" })
	if len(numbers) != 2 {
		return
	}
	for _, x := range extremes {
		for _, y := range extremes {
			q := maps.Clone(query)
			q.Set(numbers[0], strconv.FormatInt(x, 10))
			q.Set(numbers[1], strconv.FormatInt(y, 10))
			send(path+"?"+q.Encode(), bodies[0])
		}
	}
}

// TestBounds sends each operation of the document, to a board of 100,000 members, with extreme numbers in each parameter and each field that takes numbers, and
// in two parameters at once. No answer has more rows than
// MaxRows, none is large, and none is an error of the server.
func TestBounds(t *testing.T) {
	c := newCrowded(t)
	var pin struct{ Pin, Ticket string }
	pinned := c.send("POST", "/v1/boards/arena/windows/all/pin", nil)
	require.NoError(t, json.Unmarshal(pinned.Body.Bytes(), &pin), pinned.Body)
	ticket := c.send("POST", "/v1/boards/arena/tickets", map[string]any{"member": "m050000", "score": 50_000})
	require.NoError(t, json.Unmarshal(ticket.Body.Bytes(), &pin), ticket.Body)
	c.given["pin"], c.given["ticket"] = pin.Pin, pin.Ticket
	redeemed := c.send("POST", "/v1/boards/arena/tickets/redeem", map[string]any{"ticket": pin.Ticket})
	require.Equal(t, http.StatusOK, redeemed.Code, redeemed.Body)
	sent, fine := 0, 0
	for _, o := range c.operations() {
		if strings.HasSuffix(o.path, "/export") { // a stream of the whole ranking, without numbers
			continue
		}
		served := false
		c.requests(o, func(path string, body any) {
			w := c.send(o.method, path, body)
			text, _ := json.Marshal(body)
			what := fmt.Sprintf("%s %s %s %.200s: %d %.200s", o.id, o.method, path, text, w.Code, w.Body.Bytes())
			var answer any
			_ = json.Unmarshal(w.Body.Bytes(), &answer)
			sent++
			if w.Code < 300 {
				fine, served = fine+1, true
			}
			if w.Code >= 500 && !strings.Contains(w.Body.String(), `"unsupported"`) && !strings.Contains(w.Body.String(), `"migrating"`) {
				t.Errorf("an error of the server: %s", what)
			}
			if n := rowsOf(answer); n > mostRows {
				t.Errorf("%d rows: %s", n, what)
			}
			if n := w.Body.Len(); n > mostBody {
				t.Errorf("%d bytes: %s", n, what)
			}
		})
		if !served {
			t.Logf("never served: %s", o.id)
		}
	}
	t.Logf("%d requests, %d of them served", sent, fine)
}
