package browsertest

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/admin/internal/pages"
)

// query returns the parameters of a page.
func query(pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "?" + q.Encode()
}

// places are where each page is opened: of all pages, at least once.
func places() map[string][]string {
	member := playerName(1)
	return map[string][]string{
		"overview": {"", "?match=ARENA", "?match=none"},
		"board": {query("board", "arena"), query("board", "arena", "window", "week", "base", "noon"), query("board", "arena", "window", "day", "period", "2026-11-18"), query("board", "arena", "member", member),
			query("board", "arena", "from", "101"), query("board", "arena", "member", "nobody"), query("board", "guild war"), query("board", "speedrun", "window", "month")},
		"periods":    {query("board", "arena", "window", "day"), query("board", "ladder")},
		"spec":       {query("board", "arena")},
		"players":    {""},
		"player":     {query("member", member), query("member", playerName(371)), query("member", "nobody")},
		"preview":    {query("do", "ban", "board", "arena", "member", member), query("do", "unban", "board", "arena", "member", playerName(371)), query("do", "merge", "board", "arena", "member", member), query("do", "merge", "board", "arena", "member", member, "to", playerName(2)), query("do", "erase everywhere", "member", member), query("do", "show", "board", "arena", "member", member)},
		"groups":     {""},
		"group":      {query("kind", "guild", "group", "Iron Foxes")},
		"awards":     {""},
		"settlement": {query("board", "arena", "window", "week", "period", "2026-W46"), query("board", "arena", "window", "week", "period", "2026-W46", "state", "failed")},
		"feed":       {"", query("member", member, "kind", "submitted")},
		"queues":     {"", query("key", "user:42")},
		"health":     {""},
		"audit":      {"", query("board", "arena", "by", "grace")},
		"signin":     {""},
	}
}

// all returns the URLs of the places, relative to the folder of the pages.
func all(t *testing.T) (urls []string) {
	at := places()
	for _, p := range pages.All() {
		require.NotEmpty(t, at[p.Name], "no place of page %s", p.Name)
	}
	for name, queries := range at {
		for _, q := range queries {
			urls = append(urls, name+q)
		}
	}
	slices.Sort(urls)
	return urls
}

// refused are the pages that a key may not see: a reader does not moderate, and mona's key is limited to the board ladder.
var refused = map[string][]string{
	"rita": {"preview", "audit"},
	"mona": {"board", "periods", "spec", "preview", "groups", "group", "settlement", "queues", "health", "audit"},
}

// TestEveryPage opens every page, as nobody, as somebody who may look, and as moderators: all is well, and nothing else is asked for than what the page is
// made of.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	g.addHostile()
	s := newServer(t, g, nil)
	seen := map[string]bool{}
	for _, who := range []string{"", "rita", "mona", "grace", "ada"} {
		x := newTab(t, s.base())
		if who != "" {
			x.signIn(who)
		}
		for _, at := range all(t) {
			x.forget()
			status := x.open(at)
			if strings.HasPrefix(at, "preview") || strings.HasPrefix(at, "audit") {
				if who == "" {
					require.Contains(t, js[string](x, "location.pathname"), "signin", at)
				}
			}
			if status == 403 { // the page says why, and its links are checked all the same
				require.Contains(t, refused[who], js[string](x, "location.pathname.slice(7)"), at)
				require.NotEmpty(t, x.text("[role=alert].warn:not([hidden])"))
				x.followAll(seen, who)
				continue
			}
			require.EqualValues(t, 200, status, "%s as %q", at, who)
			x.clean(at + " as " + who)
			x.followAll(seen, who)
		}
	}
	t.Logf("%d links lead somewhere", len(seen))
}

// followAll asks for all links of the page that were not seen before.
func (x *tab) followAll(seen map[string]bool, who string) {
	x.t.Helper()
	links := js[[]string](x, `[...document.querySelectorAll('a[href]:not([href^="#"])')].map(a => a.href)`)
	for _, to := range links {
		require.True(x.t, strings.HasPrefix(to, x.base), to)
		if key := who + " " + to; !seen[key] {
			seen[key] = true
			status := js[int](x, "fetch("+quoted(to)+", {credentials: 'include'}).then(r => r.status)")
			require.Less(x.t, status, 400, "%s, on %s as %s", to, js[string](x, "location.href"), who)
		}
	}
}

// TestOtherPrograms opens the pages of a program without keys, and of one that lets nobody look who has none.
func TestOtherPrograms(t *testing.T) {
	g := newGame(t)
	s := newServer(t, g, func(s *server) { s.options.Keys, s.options.Queues, s.options.Limits = nil, nil, nil })
	x := newTab(t, s.base())
	for _, at := range all(t) {
		x.forget()
		require.EqualValues(t, 200, x.open(at), at)
		x.clean(at)
		require.Zero(t, js[int](x, "document.querySelectorAll('form[method=post] button').length"), at)
	}
	closed := newServer(t, g, func(s *server) { s.options.Open = false })
	x = newTab(t, closed.base())
	for _, p := range pages.All() {
		if p.Name == "players" {
			continue // a field, and nothing of the game
		}
		x.forget()
		x.open(p.Name + places()[p.Name][0])
		require.Contains(t, js[string](x, "location.pathname"), "/admin/signin", p.Name)
		require.NotContains(t, js[string](x, "document.body.textContent"), "arena", p.Name)
		x.clean(p.Name)
	}
	require.Empty(t, js[string](x, "fetch('live/overview').then(r => r.text())"))
}
