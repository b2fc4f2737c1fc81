package admin

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/admin/internal/pages"
	"github.com/zrankdb/zrank/server/admin/internal/session"
)

// TestWhoMayLook asks for every page, as everybody.
func TestWhoMayLook(t *testing.T) {
	f := newFixture(t, Options{})
	f.play()
	queries := map[string]string{"board": "board=arena", "periods": "board=arena", "spec": "board=arena", "player": "member=ada", "preview": "do=ban&board=arena&member=ada", "group": "kind=guild&group=wolves",
		"settlement": "board=arena&window=day&period=2026-11-20"}
	nobody, reader := f.browser(), f.browser().signIn("reader", readerSecret)
	limited, mod := f.browser().signIn("duels", duelSecret), f.browser().signIn("mod", moderatorSecret)
	all := map[string]bool{"overview": true, "players": true, "player": true, "awards": true, "feed": true} // show what the reader may see, perhaps nothing
	for _, p := range pages.All() {
		page := p.Name + "?" + queries[p.Name]
		w, _ := nobody.do(http.MethodGet, page, nil)
		require.Equal(t, http.StatusSeeOther, w.StatusCode, "nobody: %s", page)
		require.Equal(t, "signin?"+url.Values{"back": {strings.TrimSuffix(page, "?")}}.Encode(), w.Header.Get("Location"))
		mod.get(page)
		w, body := reader.do(http.MethodGet, page, nil)
		want := http.StatusOK
		if p.Name == "audit" || p.Name == "preview" {
			want = http.StatusForbidden
		}
		require.Equal(t, want, w.StatusCode, "reader: %s", page)
		require.NotContains(t, body, `action="act"`)
		w, body = limited.do(http.MethodGet, page, nil)
		if !all[p.Name] {
			want = http.StatusForbidden
			if p.Name == "audit" {
				want = http.StatusOK // of its own board
			}
		}
		require.Equal(t, want, w.StatusCode, "limited: %s", page)
		require.NotContains(t, strings.ReplaceAll(body, page, ""), "arena", "limited: %s", page)
	}
	for _, path := range []string{"figures", "live/overview", "live/board?board=arena", "live/health", "live/feed", "live/queues"} {
		w, _ := nobody.do(http.MethodGet, path, nil)
		require.Equal(t, http.StatusForbidden, w.StatusCode, path)
		if path != "live/overview" && path != "live/feed" {
			w, _ = limited.do(http.MethodGet, path, nil)
			require.Equal(t, http.StatusForbidden, w.StatusCode, "limited: %s", path)
		}
	}
}

// TestWhoMayAct tries a ban as everybody.
func TestWhoMayAct(t *testing.T) {
	f := newFixture(t, Options{})
	f.play()
	form := func(b *browser) url.Values {
		v := url.Values{"do": {"ban"}, "board": {"arena"}, "member": {"ada"}, "reason": {"a test"}}
		if b.cookies != nil {
			v.Set("token", b.token("overview"))
		}
		return v
	}
	refused := func(b *browser, v url.Values, why string) {
		t.Helper()
		w, body := b.do(http.MethodPost, "act", v)
		require.Contains(t, []int{http.StatusForbidden, http.StatusBadRequest}, w.StatusCode)
		require.Contains(t, body, why)
		require.NotZero(t, f.rank("arena", "ada"), "nothing has changed")
	}
	nobody, reader, limited := f.browser(), f.browser().signIn("reader", readerSecret), f.browser().signIn("duels", duelSecret)
	mod, owner := f.browser().signIn("mod", moderatorSecret), f.browser().signIn("owner", ownerSecret)
	refused(nobody, form(nobody), "not signed in any more")
	refused(reader, form(reader), "right to moderate")
	refused(limited, form(limited), "right to moderate")
	v := form(limited)
	v.Set("do", "erase everywhere")
	v.Set("typed", "ada")
	refused(limited, v, "right to moderate on all boards")
	v = form(mod)
	v.Del("token")
	refused(mod, v, "not of your session")
	v.Set("token", owner.token("overview"))
	refused(mod, v, "not of your session")
	v.Set("token", strings.Repeat("A", len(owner.token("overview"))))
	refused(mod, v, "not of your session")
	v = form(mod)
	v.Set("reason", " ")
	refused(mod, v, "needs a reason")
	v = form(mod)
	v.Set("do", "erase")
	refused(mod, v, "was typed")
	for _, header := range []struct{ name, value string }{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}} {
		evil := &browser{f: f, cookies: mod.cookies, headers: http.Header{header.name: {header.value}}}
		v := form(mod)
		refused(evil, v, "origin may not do that")
	}
	w, _ := limited.act("ban", "duel", "ada")
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
	require.Zero(t, f.rank("duel", "ada"), "on its own board it may")
	w, _ = mod.act("ban", "arena", "ada")
	require.Equal(t, "player?member=ada", w.Header.Get("Location"))
	require.Zero(t, f.rank("arena", "ada"))
	require.Contains(t, mod.get("player?member=ada"), "Done: ban on arena, entry 1 of the audit log.")
	require.NotContains(t, mod.get("player?member=ada"), "Done:", "it is told once")
	require.Contains(t, mod.get("audit?board=arena"), "<td>mod</td><td class=\"wrap\">a test</td>")
}

// TestSessions looks at what signing in gives, and when it ends.
func TestSessions(t *testing.T) {
	f := newFixture(t, Options{})
	b := f.browser()
	b.cookies = []*http.Cookie{{Name: "zrank_session_" + f.server.URL[strings.LastIndexByte(f.server.URL, ':')+1:], Value: strings.Repeat("A", 43)}}
	w, _ := b.do(http.MethodGet, "overview", nil)
	require.Equal(t, http.StatusSeeOther, w.StatusCode, "a name that was made up")
	made := b.cookies[0].Value
	b.signIn("mod", moderatorSecret)
	c := b.cookies[0]
	require.NotEqual(t, made, c.Value, "signing in gives a new name")
	require.True(t, c.HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, c.SameSite)
	require.Empty(t, c.Path, "browsers take the folder of the pages")
	require.False(t, c.Secure, "there is no TLS")
	first := *b
	b.signIn("mod", moderatorSecret)
	require.NotEqual(t, c.Value, b.cookies[0].Value)
	w, _ = first.do(http.MethodGet, "overview", nil)
	require.Equal(t, http.StatusSeeOther, w.StatusCode, "the name from before is worthless")

	require.NotEqual(t, b.token("overview"), b.token("overview"), "tokens look different on each page")
	for range 3 {
		f.clock.Add(session.Idle - time.Second)
		b.get("overview")
	}
	f.clock.Add(session.Idle)
	w, _ = b.do(http.MethodGet, "overview", nil)
	require.Equal(t, http.StatusSeeOther, w.StatusCode, "nobody was there for so long")
	b.signIn("mod", moderatorSecret)
	for began := f.clock.Now(); f.clock.Now().Sub(began) < session.Longest-time.Minute; f.clock.Add(time.Minute) {
		b.get("players")
	}
	f.clock.Add(time.Minute)
	w, _ = b.do(http.MethodGet, "overview", nil)
	require.Equal(t, http.StatusSeeOther, w.StatusCode, "a session has an end")

	b.signIn("mod", moderatorSecret)
	kept := *b
	w, _ = b.do(http.MethodPost, "signout", url.Values{"token": {b.token("overview")}})
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
	require.Empty(t, b.cookies)
	w, _ = kept.do(http.MethodGet, "overview", nil)
	require.Equal(t, http.StatusSeeOther, w.StatusCode, "it is over for the server too")
}

// TestManySessions signs in more often than a user may have sessions: the one that was unused for longest goes, and nobody else's.
func TestManySessions(t *testing.T) {
	f := newFixture(t, Options{})
	owner := f.browser().signIn("owner", ownerSecret)
	first, second := f.browser().signIn("mod", moderatorSecret), f.browser()
	f.clock.Add(time.Second)
	second.signIn("mod", moderatorSecret)
	f.clock.Add(time.Second)
	for range session.Most - 1 {
		first.get("players")
		f.browser().signIn("mod", moderatorSecret)
	}
	first.get("overview")
	w, _ := second.do(http.MethodGet, "overview", nil)
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
	owner.get("overview")
}

// TestRestart sends the form of a page that was open while the server began anew.
func TestRestart(t *testing.T) {
	f := newFixture(t, Options{})
	f.play()
	b := f.browser().signIn("mod", moderatorSecret)
	form := url.Values{"token": {b.token("preview?do=ban&board=arena&member=ada")}, "do": {"ban"}, "board": {"arena"}, "member": {"ada"}, "reason": {"a test"}}
	again, err := New(f.boards, f.h.o)
	require.NoError(t, err)
	f.server.Close()
	f.server = httptest.NewServer(http.StripPrefix("/game/admin", again))
	w, body := b.do(http.MethodPost, "act", form)
	require.Equal(t, http.StatusForbidden, w.StatusCode)
	require.Contains(t, body, "the server has begun anew")
	require.NotZero(t, f.rank("arena", "ada"))
}

// TestGuessing sends wrong secrets until the address is refused.
func TestGuessing(t *testing.T) {
	f := newFixture(t, Options{Failures: 3})
	b := f.browser()
	wrong := url.Values{"name": {"owner"}, "secret": {strings.Repeat("x", 32)}}
	for range 3 {
		w, body := b.do(http.MethodPost, "signin", wrong)
		require.Equal(t, http.StatusForbidden, w.StatusCode)
		require.Contains(t, body, "No key has this name and secret.")
		require.NotContains(t, body, "xxxx", "the secret is not sent back")
	}
	right := url.Values{"name": {"owner"}, "secret": {ownerSecret}}
	w, body := b.do(http.MethodPost, "signin", right)
	require.Equal(t, http.StatusTooManyRequests, w.StatusCode)
	require.Contains(t, body, "Try again in")
	f.clock.Add(time.Minute)
	w, _ = b.do(http.MethodPost, "signin", url.Values{"name": {"mod"}, "secret": {ownerSecret}})
	require.Equal(t, http.StatusForbidden, w.StatusCode, "the secret of another key")
	b.signIn("owner", ownerSecret)
}

// TestBack signs in and comes back to a page, and to no other place.
func TestBack(t *testing.T) {
	f := newFixture(t, Options{})
	for back, want := range map[string]string{"audit?board=a%2Fb": "audit?board=a%2Fb", "https://evil.example": "overview", "//evil.example": "overview", `\\evil.example`: "overview", "/v1/boards": "overview",
		"": "overview", "javascript:alert(1)": "overview", "a\r\nSet-Cookie: x=y": "overview", "../x": "overview"} {
		w, _ := f.browser().do(http.MethodPost, "signin", url.Values{"name": {"owner"}, "secret": {ownerSecret}, "back": {back}})
		require.Equal(t, want, w.Header.Get("Location"), back)
	}
}

// TestHeaders looks at what every answer has, errors and files too.
func TestHeaders(t *testing.T) {
	f := newFixture(t, Options{Open: true})
	b := f.browser()
	for _, page := range []string{"overview", "nothing", "assets/admin.js", "figures", "signin", "board?board=nothing"} {
		w, _ := b.do(http.MethodGet, page, nil)
		require.Contains(t, w.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'", page)
		require.NotContains(t, w.Header.Get("Content-Security-Policy"), "unsafe", page)
		require.Equal(t, "DENY", w.Header.Get("X-Frame-Options"), page)
		require.Equal(t, "nosniff", w.Header.Get("X-Content-Type-Options"), page)
	}
	page := b.get("overview")
	for _, inline := range []string{"style=", "onclick", "<style", "<script>", "http://", "https://"} {
		require.NotContains(t, page, inline)
	}
	w, _ := b.do(http.MethodGet, "overview", nil)
	require.Equal(t, "no-store", w.Header.Get("Cache-Control"))
}

// TestOpen asks open pages by names that may be anybody's.
func TestOpen(t *testing.T) {
	f := newFixture(t, Options{Open: true, Hosts: []string{"boards.example"}})
	for host, want := range map[string]int{"evil.example": http.StatusForbidden, "boards.example": http.StatusOK, "localhost:8080": http.StatusOK, "127.0.0.1": http.StatusOK} {
		b := f.browser()
		b.headers = http.Header{"Host": {host}}
		w, _ := b.do(http.MethodGet, "overview", nil)
		require.Equal(t, want, w.StatusCode, host)
	}
	b := f.browser()
	b.get("audit")
	require.Contains(t, b.get("overview"), "Read-only")
	w, _ := b.do(http.MethodPost, "signin", url.Values{"name": {"open"}, "secret": {""}})
	require.Equal(t, http.StatusForbidden, w.StatusCode)
	w, body := b.do(http.MethodPost, "act", url.Values{"do": {"ban"}, "board": {"arena"}, "member": {"ada"}, "reason": {"x"}})
	require.Equal(t, http.StatusForbidden, w.StatusCode)
	require.Contains(t, body, "nothing was changed")
}

// TestBadInput asks for what there is not, and for what cannot be.
func TestBadInput(t *testing.T) {
	f := newFixture(t, Options{})
	f.play()
	b := f.browser().signIn("owner", ownerSecret)
	for page, want := range map[string]int{
		"board": 404, "board?board=nothing": 404, "board?board=arena&window=year": 404, "board?board=arena&window=day&period=1999-01-01": 404, "board?board=arena&window=day&period=x": 404,
		"board?board=arena&from=-1": 400, "board?board=arena&from=x": 400, "board?board=arena&from=99999999": 200, "board?board=arena&base=none": 200, "overview?from=1e9": 400, "overview?from=999": 200,
		"player": 400, "preview?do=ban&board=arena": 400, "preview?do=dance&board=arena&member=ada": 400, "preview?do=ban&board=nothing&member=ada": 404, "preview?do=rename&board=arena&member=ada&to=cy": 200,
		"group?kind=guild&group=nothing": 404, "group?kind=clan&group=x": 404, "groups?kind=clan": 404, "settlement?board=arena&window=all&period=all": 404, "feed?kind=dance": 422, "audit?kind=dance": 422,
		"spec?board=arena&spec=%7B": 200, "live/nothing": 404, "assets/nothing.js": 404, "figures": 200,
	} {
		w, body := b.do(http.MethodGet, page, nil)
		require.Equal(t, want, w.StatusCode, "%s: %s", page, body)
	}
	_, body := b.do(http.MethodGet, "board?board=arena&from=x", nil)
	require.Contains(t, body, "impossible value: from is no whole number from 0 on")
	w, err := http.Post(f.server.URL+"/game/admin/overview", "text/plain", strings.NewReader("x"))
	require.NoError(t, err)
	defer w.Body.Close()
	_, err = io.Copy(io.Discard, w.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, w.StatusCode)
}
