package admin

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/admin/internal/session"
)

// stream is an open page.
type stream struct {
	t     *testing.T
	lines *bufio.Scanner
}

// follow opens the stream of a page.
func (b *browser) follow(page string) *stream {
	b.f.t.Helper()
	ctx, cancel := context.WithCancel(b.f.t.Context())
	b.f.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.f.server.URL+"/game/admin/live/"+page, nil)
	require.NoError(b.f.t, err)
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	w, err := http.DefaultClient.Do(r)
	require.NoError(b.f.t, err)
	b.f.t.Cleanup(func() { _ = w.Body.Close() })
	require.Equal(b.f.t, http.StatusOK, w.StatusCode)
	require.Equal(b.f.t, "text/event-stream", w.Header.Get("Content-Type"))
	s := bufio.NewScanner(w.Body)
	s.Buffer(nil, 1<<22)
	return &stream{t: b.f.t, lines: s}
}

// next returns the next state of the page, false at the end of the stream.
func (s *stream) next() (html string, ok bool) {
	for s.lines.Scan() {
		if text, is := strings.CutPrefix(s.lines.Text(), "data: "); is {
			require.NoError(s.t, json.Unmarshal([]byte(text), &html))
			return html, true
		}
	}
	return "", false
}

// until reads states until one has a text.
func (s *stream) until(part string) string {
	s.t.Helper()
	for {
		html, ok := s.next()
		require.True(s.t, ok, "the stream has ended before %q came", part)
		if strings.Contains(html, part) {
			return html
		}
	}
}

// TestLive watches pages while a score, a ban and events change what they show.
func TestLive(t *testing.T) {
	f := newFixture(t, Options{Refresh: time.Millisecond})
	f.submit("ada", 10)
	f.submit("bea", 5)
	b := f.browser().signIn("owner", ownerSecret)
	ranking, overview, feed := b.follow("board?board=arena"), b.follow("overview"), b.follow("feed?board=arena")
	first := ranking.until(`data-rank="2"`)
	require.Less(t, strings.Index(first, `title="ada"`), strings.Index(first, `title="bea"`))
	require.NotContains(t, first, "token", "one copy serves all who look")
	overview.until(`<td class="n">2</td>`)
	f.submit("bea", 50)
	second := ranking.until(fmt.Sprintf(`<tr id="row-%x" data-rank="1">`, "bea"))
	require.Contains(t, second, `<span class="score">55</span>`)
	feed.until(`title="bea"`)
	f.submit("cy", 1)
	overview.until(`<td class="n">3</td>`)
	w, _ := b.act("ban", "arena", "bea")
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
	ranking.until(fmt.Sprintf(`<tr id="row-%x" data-rank="1">`, "ada"))
	feed.until("<td>banned</td>")
	b.follow("health").until("Everything is well.")
	b.follow("queues").until("no queues")

	require.NoError(t, f.boards.Drop(t.Context(), "guilds"))
	require.NoError(t, f.boards.Drop(t.Context(), "arena"))
	_, ok := ranking.next()
	for ok {
		_, ok = ranking.next()
	}
	w, _ = b.do(http.MethodGet, "live/board?board=arena", nil)
	require.Equal(t, http.StatusNotFound, w.StatusCode, "the browser asks again, and hears that the board is gone")
	require.NoError(t, f.h.Close())
	for _, ok := overview.next(); ok; {
		_, ok = overview.next()
	}
}

// TestSharedReads opens a page many times: its ranking is read as often as for one.
func TestSharedReads(t *testing.T) {
	f := newFixture(t, Options{Open: true, Refresh: time.Hour})
	f.submit("ada", 10)
	before, err := f.e.Stats()
	require.NoError(t, err)
	b := f.browser()
	first := b.follow("board?board=arena").until("ada")
	for range 20 {
		require.Equal(t, first, b.follow("board?board=arena").until("ada"))
	}
	require.Len(t, f.h.tops.Keys(), 1)
	require.Equal(t, before.Commits, must(f.e.Stats()).Commits, "looking changes nothing")
}

// TestStreamsEndWithSessions: a page that is open gets nothing any more when its reader signs out, or after half an hour without a request.
func TestStreamsEndWithSessions(t *testing.T) {
	for name, end := range map[string]func(f *fixture, b *browser){
		"sign out": func(_ *fixture, b *browser) {
			b.do(http.MethodPost, "signout", url.Values{"token": {b.token("overview")}})
		},
		"idle": func(f *fixture, _ *browser) { f.clock.Add(session.Idle) },
	} {
		f := newFixture(t, Options{Refresh: time.Millisecond})
		f.submit("ada", 10)
		b, other := f.browser().signIn("owner", ownerSecret), f.browser().signIn("mod", moderatorSecret)
		mine, theirs := b.follow("board?board=arena"), other.follow("board?board=arena")
		mine.until("ada")
		theirs.until("ada")
		end(f, b)
		if name == "idle" {
			theirs = f.browser().signIn("mod", moderatorSecret).follow("board?board=arena")
		}
		f.submit("bea", 20)
		theirs.until("bea")
		for html, ok := mine.next(); ok; html, ok = mine.next() {
			require.NotContains(t, html, "bea", name)
		}
	}
}

func must[T any](x T, _ error) T { return x }

// TestWithoutEngine: boards that are not in an engine have pages that say what they do not have.
func TestWithoutEngine(t *testing.T) {
	f := newFixture(t, Options{Open: true})
	f.play()
	h, err := New(f.boards, Options{Open: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	f.server.Config.Handler = http.StripPrefix("/game/admin", h)
	b := f.browser()
	require.Contains(t, b.get("health"), "not in an engine of this process")
	require.NotContains(t, b.get("overview"), "Memory</dt>")
	require.Contains(t, b.get("overview"), `<td class="n">4</td>`)
}
