package admin

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/delayqueue"
	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/printable"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/access"
)

// The secrets of tests.
var (
	ownerSecret     = strings.Repeat("o", 32)
	moderatorSecret = strings.Repeat("m", 32)
	readerSecret    = strings.Repeat("r", 32)
	duelSecret      = strings.Repeat("d", 32)
)

func testKeys() []access.Key {
	return []access.Key{{Name: "owner", Secret: ownerSecret, Rights: access.All}, {Name: "mod", Secret: moderatorSecret, Rights: access.Moderate}, {Name: "reader", Secret: readerSecret, Rights: access.Read},
		{Name: "duels", Secret: duelSecret, Rights: access.Moderate, Boards: []string{"duel"}}}
}

// fixture is a server of a test.
type fixture struct {
	t      *testing.T
	e      *engine.Engine
	boards *local.Boards
	clock  *testclock.Clock
	h      *Handler
	server *httptest.Server
}

// newFixture returns pages of two boards and a few players, mounted at /game/admin/.
func newFixture(t *testing.T, o Options) *fixture {
	f := &fixture{t: t, clock: testclock.New()}
	var err error
	f.e, err = engine.Open("data", engine.Options{FS: memfs.NewCrashable(), Clock: f.clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.e.Close() })
	f.boards, err = local.Open(f.e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.boards.Close() })
	_, err = f.boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	f.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, Feed: &board.Feed{},
		Awards: []awards.Plan{{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "100 coins"}}}}})
	f.define(board.Spec{Name: "duel"})
	f.define(board.Spec{Name: "guilds", Windows: []board.Window{board.All, board.Day}, Derived: &board.Derived{From: "arena", Groups: "guild"}})
	o.Local, o.Clock = f.boards, f.clock.Now
	if o.Keys == nil && !o.Open {
		o.Keys = testKeys()
	}
	f.h, err = New(f.boards, o)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/game/admin/", http.StripPrefix("/game/admin", f.h))
	f.server = httptest.NewServer(mux)
	t.Cleanup(func() {
		_ = f.h.Close()
		f.server.Close()
	})
	return f
}

func (f *fixture) define(spec board.Spec) {
	_, err := f.boards.Define(context.Background(), spec)
	require.NoError(f.t, err)
}

// submit submits results to the arena and the duel, and lets a second pass.
func (f *fixture) submit(member string, points int64) {
	for _, name := range []string{"arena", "duel"} {
		b, err := f.boards.Board(context.Background(), name)
		require.NoError(f.t, err)
		_, err = b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(points)})
		require.NoError(f.t, err)
	}
	f.clock.Add(time.Second)
}

// play submits results of two days, of which the first is closed and settled, and puts players into a guild.
func (f *fixture) play() {
	ctx := context.Background()
	g, err := f.boards.Groups(ctx, "guild")
	require.NoError(f.t, err)
	require.NoError(f.t, g.Create(ctx, "wolves", nil))
	for i, name := range []string{"ada", "bea", "cy", hostile[0]} {
		require.NoError(f.t, g.Join(ctx, name, "wolves"))
		f.submit(name, int64(100-i))
	}
	f.clock.Add(24 * time.Hour)
	_, err = f.boards.CloseDue(ctx)
	require.NoError(f.t, err)
	_, err = f.boards.SettleDue(f.t.Context())
	require.NoError(f.t, err)
	f.submit("ada", 5)
	f.submit("cy", 50)
}

// hostile are names that would do harm if they were not text.
var hostile = []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\u202eb\u2066c", strings.Repeat("long", 256), "🦊", "../../etc/passwd", "\xff\xfe", "{{.}}",
	"a&b#c?d%20e+f=g", " both ends ", "javascript:alert(1)", "line\nbreak\ttab", `back\slash`, "'", "\u0000"}

// browser is a client with cookies that follows no redirects.
type browser struct {
	f       *fixture
	cookies []*http.Cookie
	headers http.Header
}

func (f *fixture) browser() *browser { return &browser{f: f, headers: http.Header{}} }

// do sends a request to a page and returns the answer and its body.
func (b *browser) do(method, page string, form url.Values) (*http.Response, string) {
	b.f.t.Helper()
	r, err := http.NewRequestWithContext(b.f.t.Context(), method, b.f.server.URL+"/game/admin/"+page, strings.NewReader(form.Encode()))
	require.NoError(b.f.t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range b.headers {
		r.Header[name] = values
		if name == "Host" {
			r.Host = values[0]
		}
	}
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b.f.t, err)
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	require.NoError(b.f.t, err)
	for _, c := range w.Cookies() {
		b.cookies = nil
		if c.MaxAge >= 0 {
			b.cookies = []*http.Cookie{c}
		}
	}
	return w, string(body)
}

// get returns a page that must be there.
func (b *browser) get(page string) string {
	b.f.t.Helper()
	w, body := b.do(http.MethodGet, page, nil)
	require.Equal(b.f.t, http.StatusOK, w.StatusCode, "%s: %s %s", page, w.Header.Get("Location"), body)
	return body
}

// signIn signs in with a key.
func (b *browser) signIn(name, secret string) *browser {
	b.f.t.Helper()
	w, body := b.do(http.MethodPost, "signin", url.Values{"name": {name}, "secret": {secret}})
	require.Equal(b.f.t, http.StatusSeeOther, w.StatusCode, body)
	require.Equal(b.f.t, "overview", w.Header.Get("Location"))
	return b
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// token returns the token of the forms of a page.
func (b *browser) token(page string) string {
	b.f.t.Helper()
	match := tokenField.FindStringSubmatch(b.get(page))
	require.NotNil(b.f.t, match, "%s has no form", page)
	return match[1]
}

// act sends the form of an action.
func (b *browser) act(do, name, member string, more ...string) (*http.Response, string) {
	b.f.t.Helper()
	form := url.Values{"token": {b.token("overview")}, "do": {do}, "board": {name}, "member": {printable.Name(member)}, "reason": {"a test"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return b.do(http.MethodPost, "act", form)
}

// rank returns the live rank of a member, 0 if it has none.
func (f *fixture) rank(name, member string) int {
	ctx := context.Background()
	b, err := f.boards.Board(ctx, name)
	require.NoError(f.t, err)
	k, err := b.Live(ctx, "all")
	require.NoError(f.t, err)
	row, ok, err := k.Rank(ctx, member)
	require.NoError(f.t, err)
	if !ok {
		return 0
	}
	return row.Rank
}

// TestOptions refuses what is impossible, and names all of it.
func TestOptions(t *testing.T) {
	boards := (*local.Boards)(nil)
	_, err := New(boards, Options{})
	require.ErrorIs(t, err, ErrOptions)
	require.ErrorContains(t, err, "nobody could look")
	_, err = New(boards, Options{Keys: []access.Key{{Name: "a", Secret: "short", Rights: access.Read}}, MaxStreams: -1, Refresh: -1, Queues: map[string]*delayqueue.Queue{"mail": nil}, Limits: []Limiter{{}}})
	for _, part := range []string{"Secret has 5 bytes", "MaxStreams is -1", "Refresh is -1", `Queues["mail"] is nil`, "Limits[0].Limiter is nil"} {
		require.ErrorContains(t, err, part)
	}
	require.NotContains(t, err.Error(), "short")
}

// TestNames shows members with hostile names as text, on every page that shows them, with links that lead to them.
func TestNames(t *testing.T) {
	f := newFixture(t, Options{})
	for i, name := range hostile {
		f.submit(name, int64(1000-i))
	}
	b := f.browser().signIn("owner", ownerSecret)
	ranking := b.get("board?board=arena")
	links := regexp.MustCompile(`class="member" href="(player\?member=[^"]*)"`).FindAllStringSubmatch(ranking, -1)
	require.Len(t, links, len(hostile))
	for i, name := range hostile {
		page := b.get(html.UnescapeString(links[i][1]))
		require.Contains(t, page, fmt.Sprintf(`<td class="n">%d</td>`, i+1), "the page of %q has its rank", name)
		around := b.get("board?board=arena&member=" + url.QueryEscape(printable.Name(name)))
		require.Contains(t, around, fmt.Sprintf(`<tr id="row-%x" data-rank="%d" class="marked">`, name, i+1))
		preview := b.get("preview?do=ban&board=arena&member=" + url.QueryEscape(printable.Name(name)))
		for _, text := range []string{ranking, page, around, preview, b.get("feed")} {
			for _, bad := range []string{"<script>alert", "<img", "\u202e", "\u2066", "\xff", "javascript:", "\u0000"} {
				require.NotContains(t, strings.ReplaceAll(text, `>javascript:alert(1)<`, ""), "href=\""+bad)
				if bad != "javascript:" {
					require.NotContains(t, text, bad)
				}
			}
		}
	}
}

// TestQueuesAndLimits shows a queue, what is dead in it, and what is left of limits for a key.
func TestQueuesAndLimits(t *testing.T) {
	clock := testclock.New()
	e, err := engine.New(engine.Options{Clock: clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	q, err := delayqueue.Open(e, delayqueue.Spec{Name: "mail", MaxDeliveries: 1})
	require.NoError(t, err)
	require.NoError(t, q.Push(t.Context(), delayqueue.Item{ID: "dead<b>", Payload: []byte("\xffpayload")}))
	_, err = q.Lease(t.Context(), 1, time.Second)
	require.NoError(t, err)
	clock.Add(time.Minute)
	_, err = q.Lease(t.Context(), 1, time.Second)
	require.NoError(t, err)
	require.NoError(t, q.Push(t.Context(), delayqueue.Item{ID: "later", Due: clock.Now().Add(time.Hour)}))
	limits := []ratelimit.Limit{{Max: 10, Window: time.Minute}}
	l, err := ratelimit.New(e, ratelimit.Spec{Name: "api", Limits: limits})
	require.NoError(t, err)
	_, err = l.Allow(t.Context(), "ada", 3)
	require.NoError(t, err)

	f := newFixture(t, Options{Open: true, Queues: map[string]*delayqueue.Queue{"mail": q}, Limits: []Limiter{{Name: "api", Limiter: l, Limits: limits}}})
	page := f.browser().get("queues?key=ada")
	require.Contains(t, page, `<th scope="row">mail</th><td class="n">0</td><td class="n">1</td><td class="n">0</td><td class="n"><span class="bad">1</span>`)
	require.Contains(t, page, `<bdi>dead&lt;b&gt;</bdi>`)
	require.Contains(t, page, `\xffpayload`)
	require.Contains(t, page, `<td class="n">7</td><td>1 min 0 s</td>`)
}

// TestBytes adds up what a browser loads for the largest pages: the page, and all that it names.
func TestBytes(t *testing.T) {
	const most = 150_000
	f := newFixture(t, Options{Open: true})
	for i := range 60 {
		f.submit(fmt.Sprintf("a member with a name of some length %d", i), int64(i))
	}
	b := f.browser()
	for _, page := range []string{"overview", "board?board=arena", "health", "feed"} {
		text := b.get(page)
		total := len(text)
		for _, asset := range regexp.MustCompile(`(?:href|src)="(assets/[^"]+)"`).FindAllStringSubmatch(text, -1) {
			total += len(b.get(html.UnescapeString(asset[1])))
		}
		require.Greater(t, total, len(text)+10_000, page)
		require.Less(t, total, most, page)
		t.Logf("%s: %d bytes, of which the page %d", page, total, len(text))
	}
}
