package browsertest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestFrames has a page of another origin frame the pages: it shows nothing of them.
func TestFrames(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	evil := serveEvil(t, `<iframe id="f" src="`+s.base()+`overview"></iframe><object id="o" data="`+s.base()+`overview"></object>`)
	x := newTab(t, evil)
	x.open("")
	x.settle()
	x.mu.Lock()
	problems := strings.Join(x.problems, "\n")
	x.mu.Unlock()
	require.Contains(t, problems, "frame-ancestors")
	require.NotContains(t, js[string](x, "document.body.innerText"), "arena")
	// A tab of the same browser shows it, so that the frame is empty for the reason that is meant.
	x.base = s.base()
	x.open("overview")
	require.Contains(t, x.text("main"), "arena")
}

// serveEvil serves a page of another origin: other than 127.0.0.1, and so of another site.
func serveEvil(t *testing.T, body string) string {
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>evil</title><link rel=icon href=data:,><body>%s", body)
	}))
	t.Cleanup(evil.Close)
	return strings.Replace(evil.URL, "127.0.0.1", "localhost", 1) + "/"
}

// TestForgedForms sends the form of a ban from another origin, while a moderator is signed in, with and without a token: nothing changes.
func TestForgedForms(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	arena, err := s.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	victim := playerName(1)
	form := func(token string) string {
		return `<form method="post" action="` + s.base() + `act"><input name="do" value="ban"><input name="board" value="arena"><input name="member" value="` + victim +
			`"><input name="reason" value="forged"><input name="token" value="` + token + `"></form><button onclick="document.querySelector('form').submit()">win</button>`
	}
	for _, name := range []string{"", "of another session"} {
		x := newTab(t, s.base())
		token := ""
		if name != "" {
			y := newTab(t, s.base())
			y.signIn("ada")
			token = js[string](y, "document.querySelector('input[name=token]').value")
		}
		x.signIn("grace")
		x.open(serveEvil(t, form(token)))
		x.leave(click("button"))
		require.Contains(t, js[string](x, "location.href"), s.base()+"act")
		require.Contains(t, x.text("body"), "a page of this origin may not do that", name)
		require.False(t, known(arena.IsBanned(t.Context(), victim)))
		// From a page of the same site the cookie is sent, and the token is what is missing.
		x.open("overview")
		js[bool](x, "(document.body.innerHTML = "+quoted(form(token))+", true)")
		x.leave(chromedp.Evaluate[chromedp.Void]("document.querySelector('form').submit()"))
		require.Contains(t, x.text("main"), "This form is not of your session, and nothing was changed", name)
		require.False(t, known(arena.IsBanned(t.Context(), victim)))
	}
}

// cookies returns the cookies of a tab for the pages.
func (x *tab) cookies() []*network.Cookie {
	x.t.Helper()
	all, err := chromedp.Call(x.ctx, network.GetCookies, network.GetCookiesParams{URLs: []string{x.base + "overview"}})
	require.NoError(x.t, err)
	return all.Cookies
}

// TestSessions checks the cookie, and that one which was there before signing in, or after signing out, is worth nothing.
func TestSessions(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.open("overview")
	require.Empty(t, x.cookies())
	port := s.at[strings.LastIndexByte(s.at, ':')+1:]
	fixed := strings.Repeat("A", 43)
	_, err := chromedp.Call(x.ctx, network.SetCookie, network.SetCookieParams{Name: "zrank_session_" + port, Value: fixed, URL: s.base(), Path: "/admin"})
	require.NoError(t, err)
	x.signIn("grace")
	all := x.cookies()
	require.Len(t, all, 1)
	require.NotEqual(t, fixed, all[0].Value)
	require.True(t, all[0].HTTPOnly)
	require.Equal(t, network.CookieSameSiteStrict, all[0].SameSite)
	require.True(t, all[0].Session)
	require.Equal(t, "/admin", all[0].Path)
	require.Empty(t, js[string](x, "document.cookie"))
	// Whoever has fixed the cookie has no session by it.
	require.Contains(t, get(t, s.base()+"overview", "zrank_session_"+port, fixed), "Sign in</a>")
	old := all[0].Value
	require.Contains(t, get(t, s.base()+"overview", "zrank_session_"+port, old), "Sign out")
	x.signIn("ada") // signing in anew ends the session of before
	require.Contains(t, get(t, s.base()+"overview", "zrank_session_"+port, old), "Sign in</a>")
	old = x.cookies()[0].Value
	x.leave(click(".who button"))
	require.Empty(t, x.cookies())
	require.Contains(t, get(t, s.base()+"overview", "zrank_session_"+port, old), "Sign in</a>")
}

// get returns a page for a cookie.
func get(t *testing.T, at, name, value string) string {
	r, err := http.NewRequest(http.MethodGet, at, nil)
	require.NoError(t, err)
	r.AddCookie(&http.Cookie{Name: name, Value: value})
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(body)
}

// TestLimitedModerator signs in with a key for the board ladder: it acts there, and neither sees nor changes another one.
func TestLimitedModerator(t *testing.T) {
	s := newServer(t, newGame(t), func(s *server) { s.options.Open = false })
	x := newTab(t, s.base())
	x.signIn("mona")
	victim := playerName(1)
	x.open("overview")
	require.Contains(t, x.text("main"), "ladder")
	x.open("player" + query("member", victim))
	require.Equal(t, []string{"ladder"}, js[[]string](x, "[...document.querySelectorAll('.card h2 a')].map(a => a.textContent)"))
	for _, at := range all(t) {
		x.open(at)
		page, _, _ := strings.Cut(at, "?")
		text := x.text("main") + js[string](x, "document.title")
		if page != "feed" && page != "board" && page != "periods" && page != "spec" && page != "settlement" && page != "preview" && page != "audit" {
			require.NotContains(t, text, "arena", at)
		}
		require.NotContains(t, text, "podium", at)
		require.NotContains(t, text, "Iron Foxes", at)
		live := js[string](x, "fetch('live/' + location.href.slice("+fmt.Sprint(len(s.base()))+")).then(r => r.status < 400 ? 'open ' + r.url : '')")
		if strings.Contains(at, "arena") {
			require.Empty(t, live, at)
		}
	}
	token := js[string](x, "document.querySelector('input[name=token]').value")
	send := func(board string) string {
		return js[string](x, "fetch('act', {method: 'POST', body: new URLSearchParams("+quoted(url.Values{"do": {"ban"}, "board": {board}, "member": {victim}, "reason": {"x"}, "token": {token}}.Encode())+")}).then(r => r.status + ' ' + r.url)")
	}
	require.Contains(t, send("arena"), "403")
	require.Contains(t, send("ladder"), "200")
	for name, want := range map[string]bool{"arena": false, "ladder": true} {
		b, err := s.boards.Board(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, want, known(b.IsBanned(t.Context(), victim)), name)
	}
}
