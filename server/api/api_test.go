package api

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// The secrets of tests.
var (
	allKey    = strings.Repeat("a", 32)
	readKey   = strings.Repeat("r", 32)
	moderator = strings.Repeat("m", 32)
	duelKey   = strings.Repeat("d", 32)
	signer    = access.Signer{HS256: bytes.Repeat([]byte("t"), 32)}
)

// fixture is a server of a test.
type fixture struct {
	t      *testing.T
	e      *engine.Engine
	boards *local.Boards
	clock  *testclock.Clock
	h      *Handler
	server *httptest.Server
}

func newFixture(t *testing.T, o Options) *fixture {
	f := &fixture{t: t, clock: testclock.New()}
	var err error
	f.e, err = engine.Open("data", engine.Options{FS: memfs.NewCrashable(), Clock: f.clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.e.Close()) })
	f.boards, err = local.Open(f.e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.boards.Close()) })
	for _, name := range []string{"arena", "duel", "a/b"} {
		_, err = f.boards.Define(t.Context(), board.Spec{Name: name, Windows: []board.Window{board.All, board.Day}, MaxMeta: 16, Feed: &board.Feed{}})
		require.NoError(t, err)
	}
	o.Clock = f.clock.Now
	o.Access = access.Options{
		Keys: []access.Key{{Name: "game", Secret: allKey, Rights: access.All}, {Name: "viewer", Secret: readKey, Rights: access.Read}, {Name: "alice", Secret: moderator, Rights: access.Moderate},
			{Name: "duels", Secret: duelKey, Rights: access.Submit, Boards: []string{"duel"}}},
		Tokens:  []access.TokenKey{signer.Key()},
		Tickets: access.TicketOptions{Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}},
	}
	f.h, err = New(f.boards, o)
	require.NoError(t, err)
	f.server = httptest.NewServer(f.h)
	t.Cleanup(f.server.Close)
	t.Cleanup(func() { require.NoError(t, f.h.Close()) })
	return f
}

// token returns the token of a player.
func (f *fixture) token(member string) string {
	text, err := signer.Issue(access.Token{Member: member, Expires: f.clock.Now().Add(time.Hour)})
	require.NoError(f.t, err)
	return text
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// code returns the code of a problem.
func (a answer) code() string {
	var p struct{ Code string }
	_ = json.Unmarshal(a.body, &p)
	return p.Code
}

// call makes a request METHOD PATH with a key and a body; headers are pairs.
func (f *fixture) call(key, route, body string, headers ...string) answer {
	return callAt(f.t, f.server.URL, key, route, body, headers...)
}

func callAt(t *testing.T, base, key, route, body string, headers ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	var text io.Reader
	if body != "" {
		text = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, text)
	require.NoError(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header}
	a.body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	return a
}

// wrongTokens returns tokens that nobody may use: one that has expired, one that others have signed, one without a signature.
func (f *fixture) wrongTokens() (expired, other, none string) {
	expired, err := signer.Issue(access.Token{Member: "ada", Expires: f.clock.Now().Add(time.Second)})
	require.NoError(f.t, err)
	f.clock.Add(time.Minute)
	other, err = access.Signer{HS256: bytes.Repeat([]byte("x"), 32)}.Issue(access.Token{Member: "ada", Expires: f.clock.Now().Add(time.Hour)})
	require.NoError(f.t, err)
	none, err = jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{"sub": "ada", "exp": f.clock.Now().Add(time.Hour).Unix()}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	require.NoError(f.t, err)
	return expired, other, none
}

// TestWhoMay: each caller may do what it has the right to, and nothing else.
func TestWhoMay(t *testing.T) {
	f := newFixture(t, Options{})
	ada := f.token("ada")
	expired, other, none := f.wrongTokens()
	const score = `{"member":"ada","score":5}`
	for _, row := range []struct {
		who, key, route, body string
		status                int
		code                  string
	}{
		{"nobody", "", "GET /v1/boards", "", 401, "unauthorized"},
		{"a wrong key", strings.Repeat("w", 32), "GET /v1/boards", "", 401, "unauthorized"},
		{"a token that has expired", expired, "GET /v1/boards/arena", "", 401, "unauthorized"},
		{"a token that others have signed", other, "GET /v1/boards/arena", "", 401, "unauthorized"},
		{"a token without a signature", none, "GET /v1/boards/arena", "", 401, "unauthorized"},
		{"all", allKey, scores, score, 200, ""},
		{"read", readKey, "GET /v1/boards/arena/windows/all/top", "", 200, ""},
		{"read", readKey, scores, score, 403, "forbidden"},
		{"read", readKey, "POST /v1/boards/arena/moderation/ban", `{"member":"ada","by":"x"}`, 403, "forbidden"},
		{"read", readKey, "GET /v1/boards/arena/windows/all/export", "", 403, "forbidden"},
		{"moderate", moderator, scores, score, 403, "forbidden"},
		{"moderate", moderator, "POST /v1/boards/arena/moderation/hide", `{"member":"ada"}`, 200, ""},
		{"moderate", moderator, "POST /v1/boards/arena/moderation/show", `{"member":"ada"}`, 200, ""},
		{"moderate", moderator, "DELETE /v1/boards/arena", "", 403, "forbidden"},
		{"submit to one board", duelKey, "POST /v1/boards/duel/scores", score, 200, ""},
		{"submit to one board", duelKey, scores, score, 403, "forbidden"},
		{"submit to one board", duelKey, "GET /v1/boards", "", 403, "forbidden"},
		{"submit to one board", duelKey, "GET /v1/events?wait=false", "", 403, "forbidden"},
		{"submit to one board", duelKey, "GET /v1/events?wait=false&boards=duel", "", 200, ""},
		{"submit to one board", duelKey, "GET /v1/events?wait=false&boards=duel,arena", "", 403, "forbidden"},
		{"submit to one board", duelKey, "POST /v1/boards/duel/windows/all/arrows", `{"members":["ada"],"board":"arena","window":"all"}`, 403, "forbidden"},
		{"a player", ada, "GET /v1/boards/arena/windows/all/card?member=ada", "", 200, ""},
		{"a player", ada, "GET /v1/boards/arena/windows/all/rank?member=bea", "", 403, "forbidden"},
		{"a player", ada, "GET /v1/boards/arena/windows/all/rank", "", 403, "forbidden"},
		{"a player", ada, "GET /v1/boards/arena/windows/all/top", "", 403, "forbidden"},
		{"a player", ada, "GET /v1/boards", "", 403, "forbidden"},
		{"a player", ada, "POST /v1/boards/arena/windows/all/among", `{"members":["ada","bea"]}`, 200, ""},
		{"a player", ada, "GET /v1/boards/arena/claimable?member=ada", "", 200, ""},
		{"a player", ada, "GET /v1/boards/arena/claimable?member=bea", "", 403, "forbidden"},
		{"a player", ada, "POST /v1/boards/arena/awards/claim", `{"member":"bea","id":"x"}`, 403, "forbidden"},
		{"a player", ada, scores, score, 403, "forbidden"},
		{"a player", ada, "POST /v1/boards/arena/tickets", `{"member":"ada","score":5}`, 403, "forbidden"},
		{"a player", ada, "GET /v1/events?wait=false&member=ada", "", 200, ""},
		{"a player", ada, "GET /v1/events?wait=false", "", 403, "forbidden"},
		{"a player", ada, "GET /v1/events?wait=false&member=bea", "", 403, "forbidden"},
		{"a player", ada, "GET /v1/boards/arena/member?member=bea", "", 403, "forbidden"},
		{"a player", ada, "GET /v1/boards/arena/audit", "", 403, "forbidden"},
	} {
		a := f.call(row.key, row.route, row.body)
		require.Equal(t, row.status, a.status, "%s: %s: %s", row.who, row.route, a.body)
		require.Equal(t, row.code, a.code(), "%s: %s", row.who, row.route)
		if row.status == 401 {
			require.Contains(t, a.header.Get("WWW-Authenticate"), "Bearer")
		}
	}
	audit := f.call(allKey, "GET /v1/boards/arena/audit", "")
	require.Contains(t, string(audit.body), `"by":"alice"`, "the name of the key")
}

// TestPinsOfAKey: a key of some boards reads what it may pin, and compares it with nothing that it may not read.
func TestPinsOfAKey(t *testing.T) {
	f := newFixture(t, Options{})
	pin := f.call(duelKey, "POST /v1/boards/duel/windows/all/pin", "")
	require.Equal(t, 200, pin.status, "%s", pin.body)
	var id struct{ Pin string }
	require.NoError(t, json.Unmarshal(pin.body, &id))
	require.Equal(t, 200, f.call(duelKey, "GET /v1/pins/"+id.Pin+"/top", "").status, "what it may pin it may read")
	require.Equal(t, "forbidden", f.call(duelKey, "POST /v1/pins/"+id.Pin+"/arrows", `{"members":["ada"],"union":"u"}`).code())
	require.Equal(t, "forbidden", f.call(duelKey, "POST /v1/pins/union", `{"sources":[{"board":"duel"},{"board":"arena"}]}`).code())
}

// TestTickets: a ticket counts once, for its player, on its board.
func TestTickets(t *testing.T) {
	f := newFixture(t, Options{})
	ada, bea := f.token("ada"), f.token("bea")
	issued := f.call(allKey, "POST /v1/boards/arena/tickets", `{"member":"ada","score":[7]}`)
	require.Equal(t, 200, issued.status, "%s", issued.body)
	const redeem = "POST /v1/boards/arena/tickets/redeem"
	body := strings.TrimSpace(string(issued.body))
	require.Equal(t, "forbidden", f.call(bea, redeem, body).code())
	require.Equal(t, "ticket", f.call(ada, "POST /v1/boards/duel/tickets/redeem", body).code())
	require.Equal(t, "ticket", f.call(ada, redeem, strings.Replace(body, ".", ".x", 1)).code())
	require.Equal(t, "ticket", f.call(ada, redeem, `{"ticket":"`+ada+`"}`).code(), "a token is no ticket")
	var ticket struct{ Ticket string }
	require.NoError(t, json.Unmarshal(issued.body, &ticket))
	require.Equal(t, 401, f.call(ticket.Ticket, "GET /v1/boards/arena/windows/all/card?member=ada", "").status, "a ticket is no token")
	require.Equal(t, "forbidden", f.call(readKey, redeem, body).code())

	first := f.call(ada, redeem, body)
	require.Equal(t, 200, first.status, "%s", first.body)
	require.Contains(t, string(first.body), `"score":[7]`)
	again := f.call(ada, redeem, body)
	require.Contains(t, string(again.body), `"duplicate":true`)
	f.clock.Add(2 * time.Hour)
	require.Equal(t, "ticket", f.call(f.token("ada"), redeem, body).code(), "it has expired")

	_, err := f.boards.Define(t.Context(), board.Spec{Name: "short", OnceFor: board.Spec{}.OnceFor + 1e9})
	require.NoError(t, err)
	require.Equal(t, "unsupported", f.call(allKey, "POST /v1/boards/short/tickets", `{"member":"ada","score":[7]}`).code(), "a board that forgets Once keys before tickets expire")
}

const scores = "POST /v1/boards/arena/scores"

var badRequests = []struct {
	route, body string
	status      int
	code        string
}{
	{"GET /", "", 404, "no_route"},
	{"GET /v1/nothing", "", 404, "no_route"},
	{"PATCH /v1/boards/arena", "", 405, "no_method"},
	{"GET /v1/boards/none", "", 404, "no_board"},
	{"GET /v1/boards/arena/windows/none/top", "", 404, "no_window"},
	{"GET /v1/boards/arena/windows/day/top?period=2020-01-01", "", 404, "no_period"},
	{"GET /v1/boards/arena/windows/day/top?period=yesterday", "", 404, "period_name"},
	{"GET /v1/boards/arena/windows/all/top?n=-1", "", 422, "count"},
	{"GET /v1/boards/arena/windows/all/top?n=101", "", 422, "count"},
	{"GET /v1/boards/arena/windows/all/top?n=ten", "", 422, "invalid_request"},
	{"GET /v1/boards/arena/windows/all/top?limit=10", "", 422, "invalid_request"},
	{"GET /v1/boards/arena/windows/all/top?mode=olympic", "", 422, "mode"},
	{"GET /v1/boards/arena/windows/day/top?period=2026-11-20&which=closed", "", 422, "invalid_request"},
	{"GET /v1/boards/arena/windows/all/page?cursor=nonsense", "", 422, "cursor"},
	{"GET /v1/boards/arena/windows/all/rank?member=base64:*", "", 422, "invalid_request"},
	{"GET /v1/boards/arena/windows/all/rank-of?score=1,x", "", 422, "score"},
	{"GET /v1/boards/arena/windows/all/rank-of?score=1,2", "", 422, "columns"},
	{"GET /v1/boards/arena/windows/all/top?asOf=2026-01-01T00:00:00Z", "", 409, "no_journal"},
	{"GET /v1/events?wait=false&after=somewhere", "", 422, "position"},
	{"GET /v1/events?wait=false&kinds=nothing", "", 422, "event_kind"},
	{"GET /v1/pins/none/top", "", 404, "no_pin"},
	{"GET /v1/unions/none/top", "", 404, "no_union"},
	{"GET /v1/groups/none", "", 404, "no_groups"},
	{scores, "", 400, "invalid_request"},
	{scores, "{", 422, "invalid_request"},
	{scores, `{"member":"ada","score":5} 7`, 422, "invalid_request"},
	{"POST /v1/boards/arena/scores/batch", "{", 400, "invalid_request"},
	{scores, "[]", 422, "invalid_request"},
	{scores, `{"member":"ada"}`, 422, "columns"},
	{scores, `{"member":"ada","score":5,"points":6}`, 422, "invalid_request"},
	{scores, `{"member":"","score":5}`, 422, "member"},
	{scores, `{"member":"` + strings.Repeat("x", 2000) + `","score":5}`, 422, "member"},
	{scores, `{"member":"ada","score":[1,2]}`, 422, "columns"},
	{scores, `{"member":"ada","score":"much"}`, 422, "invalid_request"},
	{scores, `{"member":"ada","score":1.5}`, 422, "kind"},
	{scores, `{"member":"ada","score":1e400}`, 422, "invalid_request"},
	{scores, `{"member":"ada","score":9223372036854775808}`, 422, "invalid_request"},
	{scores, `{"member":"ada","score":5,"meta":"` + strings.Repeat("x", 17) + `"}`, 422, "meta"},
	{scores, `{"member":"ada","score":5,"windows":["month"]}`, 404, "no_window"},
	{scores, `{"member":"ada","score":5,"if":"lucky"}`, 422, "condition"},
	{scores, `{"member":"ada","score":5,"at":"soon"}`, 422, "invalid_request"},
	{scores, `{"member":"` + strings.Repeat("x", 5000) + `","score":5}`, 413, "body_too_large"},
	{"PUT /v1/boards/new", `{"windows":["fortnight"]}`, 422, "spec"},
	{"PUT /v1/boards/arena", `{"op":"sum"}`, 409, "spec_changed"},
	{"POST /v1/boards/arena/scores/batch", `{"submissions":[{"member":"ada","score":1},{"member":"bea","score":[1,2]}]}`, 422, "columns"},
}

// TestBadRequests: each has its status and its code, and changes nothing.
func TestBadRequests(t *testing.T) {
	f := newFixture(t, Options{MaxBody: 4096, MaxRows: 100})
	for _, row := range badRequests {
		a := f.call(allKey, row.route, row.body)
		require.Equal(t, row.status, a.status, "%s %.80s: %s", row.route, row.body, a.body)
		require.Equal(t, row.code, a.code(), "%s %.80s: %s", row.route, row.body, a.body)
		require.Equal(t, "application/problem+json", a.header.Get("Content-Type"), "%s", row.route)
		require.NotEmpty(t, a.header.Get("X-Request-Id"))
		require.Contains(t, string(a.body), a.header.Get("X-Request-Id"), "%s %.80s", row.route, row.body)
	}
	live, err := must(f.boards.Board(t.Context(), "arena")).Live(t.Context(), "all")
	require.NoError(t, err)
	n, err := live.Len(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	plain := f.call(allKey, scores, `{"member":"ada","score":5}`, "Content-Type", "text/plain")
	require.Equal(t, 415, plain.status, "%s", plain.body)
	batch := f.call(allKey, "POST /v1/boards/arena/scores/batch", `{"submissions":[{"member":"ada","score":1},{"member":"bea","score":[1,2]}]}`)
	require.Contains(t, string(batch.body), `"batch":{"index":1}`)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestExportOfHostileNames: the CSV of a ranking has no formula in it, and JSON lines have the names as they are.
func TestExportOfHostileNames(t *testing.T) {
	f := newFixture(t, Options{})
	b, err := f.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	for i, name := range []string{`=HYPERLINK("http://x")`, "-1", "a;=1", "ada"} {
		_, err := b.Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(int64(10 - i)), Meta: []byte("+1")})
		require.NoError(t, err)
	}
	rows, err := csv.NewReader(bytes.NewReader(f.call(allKey, "GET /v1/boards/arena/windows/all/export?format=csv", "").body)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"rank", "member", "score", "reached", "meta"}, rows[0])
	for i, cell := range []string{`'=HYPERLINK("http://x")`, "'-1", "base64:YTs9MQ==", "ada"} {
		require.Equal(t, []string{strconv.Itoa(i + 1), cell, strconv.Itoa(10 - i)}, rows[i+1][:3])
		require.Equal(t, "'+1", rows[i+1][4])
	}
	lines := f.call(allKey, "GET /v1/boards/arena/windows/all/export", "").body
	require.Contains(t, string(lines), `"member":"=HYPERLINK(\"http://x\")"`)
}

// TestETags: an answer that has not changed is 304, and one that has is not, also when nothing was committed but a period has begun.
func TestETags(t *testing.T) {
	f := newFixture(t, Options{})
	const top = "GET /v1/boards/arena/windows/day/top"
	f.call(allKey, "POST /v1/boards/arena/scores", `{"member":"ada","score":5}`)
	a := f.call(readKey, top, "")
	tag := a.header.Get("ETag")
	require.NotEmpty(t, tag)
	for _, same := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		b := f.call(readKey, top, "", "If-None-Match", same)
		require.Equal(t, 304, b.status, "%s: %s", same, b.body)
		require.Empty(t, b.body)
		require.Equal(t, tag, b.header.Get("ETag"))
	}
	require.Equal(t, 200, f.call(readKey, top, "", "If-None-Match", `"x"`).status)
	f.clock.Add(24 * time.Hour)
	next := f.call(readKey, top, "", "If-None-Match", tag)
	require.Equal(t, 200, next.status)
	require.NotContains(t, string(next.body), "ada")
	f.call(allKey, "POST /v1/boards/arena/scores", `{"member":"bea","score":5}`)
	require.Equal(t, 200, f.call(readKey, top, "", "If-None-Match", next.header.Get("ETag")).status)
}

// TestProxies: the API works below a path, and behind a reverse proxy, also for a board with a slash in its name.
func TestProxies(t *testing.T) {
	f := newFixture(t, Options{})
	below := httptest.NewServer(http.StripPrefix("/game/ranks", f.h))
	defer below.Close()
	u, err := url.Parse(f.server.URL)
	require.NoError(t, err)
	proxy := httptest.NewServer(httputil.NewSingleHostReverseProxy(u))
	defer proxy.Close()
	for _, base := range []string{f.server.URL, below.URL + "/game/ranks", proxy.URL} {
		a := callAt(t, base, allKey, "POST /v1/boards/a%2Fb/scores", `{"member":"../ä","score":5}`)
		require.Equal(t, 200, a.status, "%s: %s", base, a.body)
		a = callAt(t, base, allKey, "GET /v1/boards/a%2Fb/windows/all/rank?member=..%2F%C3%A4", "")
		require.Equal(t, 200, a.status, "%s: %s", base, a.body)
	}
}

// TestIdempotencyKey: a request that is sent again counts once, and one with another body is an error.
func TestIdempotencyKey(t *testing.T) {
	f := newFixture(t, Options{})
	send := func(body string) answer { return f.call(allKey, scores, body, "Idempotency-Key", "k1") }
	require.NotContains(t, string(send(`{"member":"ada","score":5}`).body), "duplicate")
	require.Contains(t, string(send(`{"member":"ada","score":5}`).body), `"duplicate":true`)
	require.Equal(t, "idempotency_key_reused", send(`{"member":"ada","score":6}`).code())
	require.Equal(t, "invalid_request", send(`{"member":"ada","score":5,"once":"k2"}`).code())
	require.Contains(t, string(f.call(allKey, scores, `{"member":"ada","score":5,"once":"k1"}`).body), `"duplicate":true`)
	require.Equal(t, "columns", f.call(allKey, scores, `{"member":"ada","once":"k1"}`).code(), "a duplicate without a score")
}

// TestPins: pinned rankings stay as they were, for their caller, until they have not been read for a while; their number and their size are limited.
func TestPins(t *testing.T) {
	f := newFixture(t, Options{MaxPins: 2, MaxPinRows: 3})
	submit := func(member string) {
		require.Equal(t, 200, f.call(allKey, scores, `{"member":"`+member+`","score":5}`).status)
	}
	pin := func(key string) (string, answer) {
		a := f.call(key, "POST /v1/boards/arena/windows/all/pin", "")
		var p struct{ Pin string }
		_ = json.Unmarshal(a.body, &p)
		return "/v1/pins/" + p.Pin, a
	}
	submit("ada")
	first, _ := pin(readKey)
	submit("bea")
	require.NotContains(t, string(f.call(readKey, "GET "+first+"/top", "").body), "bea")
	require.Equal(t, "no_pin", f.call(allKey, "GET "+first+"/top", "").code(), "another caller's")
	require.Equal(t, "forbidden", f.call(f.token("ada"), "GET "+first+"/rank?member=ada", "").code())
	second, _ := pin(readKey)
	_, a := pin(readKey)
	require.Equal(t, 429, a.status, "as many as there may be")
	require.Equal(t, 204, f.call(readKey, "DELETE "+second, "").status)
	submit("cy")
	_, a = pin(readKey)
	require.Equal(t, "too_many_pins", a.code(), "1 and 3 members")
	f.clock.Add(DefaultPinTime - time.Second)
	require.Equal(t, 200, f.call(readKey, "GET "+first+"/top", "").status)
	f.clock.Add(DefaultPinTime)
	require.Equal(t, "no_pin", f.call(readKey, "GET "+first+"/top", "").code())
	_, a = pin(readKey)
	require.Equal(t, 200, a.status)
}

// TestRateLimit: requests of a key beyond the limit are refused, and say when to come again.
func TestRateLimit(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer e.Close()
	l, err := ratelimit.New(e, ratelimit.Spec{Name: "api", Limits: []ratelimit.Limit{{Max: 3, Window: time.Hour}}})
	require.NoError(t, err)
	f := newFixture(t, Options{Limiter: l})
	for range 3 {
		require.Equal(t, 200, f.call(readKey, "GET /v1/boards", "").status)
	}
	a := f.call(readKey, "GET /v1/boards", "")
	require.Equal(t, 429, a.status)
	require.NotEmpty(t, a.header.Get("Retry-After"))
	require.Equal(t, 200, f.call(allKey, "GET /v1/boards", "").status, "another key")
}
