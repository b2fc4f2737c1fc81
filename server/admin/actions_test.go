package admin

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/printable"
)

// TestActions does everything that a moderator can do, each behind its preview.
func TestActions(t *testing.T) {
	f := newFixture(t, Options{})
	f.play()
	b := f.browser().signIn("mod", moderatorSecret)
	do := func(do, name, member string, more ...string) string {
		t.Helper()
		before := f.rank("arena", "ada")
		preview := url.Values{"do": {do}, "board": {name}, "member": {printable.Name(member)}}
		if len(more) > 0 && more[0] == "to" {
			preview.Set("to", more[1])
		}
		page := b.get("preview?" + preview.Encode())
		require.NotContains(t, page, `<p class="warn" role="alert">`)
		require.Equal(t, before, f.rank("arena", "ada"), "a preview changes nothing")
		w, body := b.act(do, name, member, more...)
		require.Equal(t, http.StatusSeeOther, w.StatusCode, body)
		require.Contains(t, b.get(w.Header.Get("Location")), `<p class="done" role="status">`)
		return page
	}
	page := do("hide", "arena", "ada")
	require.Contains(t, page, "2026-11-20")
	require.Zero(t, f.rank("arena", "ada"))
	require.Contains(t, b.get("player?member=ada"), "hidden")
	do("show", "arena", "ada")
	require.NotZero(t, f.rank("arena", "ada"))
	do("rename", "arena", "ada", "to", `ad\xffa`)
	require.NotZero(t, f.rank("arena", "ad\xffa"), "a name with escapes")
	do("rename", "arena", "ad\xffa", "to", "ada")
	do("merge", "arena", "bea", "to", "ada", "typed", "bea")
	require.Zero(t, f.rank("arena", "bea"))
	do("ban", "arena", "cy", "keep", "yes")
	do("unban", "arena", "cy")
	do("erase", "arena", hostile[0], "typed", hostile[0])
	require.Zero(t, f.rank("arena", hostile[0]))
	do("erase everywhere", "", "ada", "typed", "ada")
	require.Zero(t, f.rank("arena", "ada"))
	require.Zero(t, f.rank("duel", "ada"))
	audit := b.get("audit?board=arena")
	for _, kind := range []string{"hide", "show", "rename", "merge", "ban", "unban", "erase"} {
		require.Contains(t, audit, "<td>"+kind+"</td>")
	}
	require.NotContains(t, strings.ReplaceAll(audit, "reader", ""), `title="ada"`, "the log has no name of who was erased")
	require.Contains(t, b.get("audit?by=nobody"), "No entries.")

	w, body := b.act("unban", "arena", "cy")
	require.Equal(t, http.StatusConflict, w.StatusCode, body)
	require.Contains(t, body, "not banned")
	require.Contains(t, b.get("preview?do=rename&board=arena&member=cy&to=cy"), `<p class="warn" role="alert">`)
}

// TestMigrate shows what another spec changes, and gives it to the board when the owner is sure.
func TestMigrate(t *testing.T) {
	f := newFixture(t, Options{})
	f.play()
	b := f.browser().signIn("owner", ownerSecret)
	duel, err := f.boards.Board(t.Context(), "duel")
	require.NoError(t, err)
	spec := duel.Spec()
	spec.MaxMeta = 8
	text, err := json.Marshal(spec)
	require.NoError(t, err)
	send := func(b *browser, text string, more ...string) (*http.Response, string) {
		form := url.Values{"token": {b.token("overview")}, "board": {"duel"}, "spec": {text}, "do": {"preview"}}
		for i := 0; i < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		return b.do(http.MethodPost, "spec", form)
	}
	w, body := send(b, string(text))
	require.Equal(t, http.StatusOK, w.StatusCode)
	require.Contains(t, body, "<h2>What would change</h2>")
	require.Contains(t, body, "4 entries in 1 period would be ranked anew")
	require.Contains(t, body, `value="migrate"`)
	for _, wrong := range []string{"{", `{"name":"arena"}`, `{"name":"duel","k":-1}`, `{"name":"duel","nothing":1}`} {
		_, body = send(b, wrong, "do", "migrate")
		require.Contains(t, body, `<p class="warn" role="alert">`, wrong)
		w, _ = send(b, wrong, "do", "migrate", "sure", "yes")
		require.Equal(t, http.StatusBadRequest, w.StatusCode)
	}
	_, body = send(b, string(text), "do", "migrate")
	require.Contains(t, body, "<h2>What would change</h2>", "without the check mark it is a preview")
	require.Equal(t, 1, duel.Version())
	w, _ = send(f.browser().signIn("mod", moderatorSecret), string(text), "do", "migrate", "sure", "yes")
	require.Equal(t, http.StatusForbidden, w.StatusCode)
	require.Equal(t, 1, duel.Version())
	w, _ = send(b, string(text), "do", "migrate", "sure", "yes")
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
	require.Equal(t, 2, duel.Version())
	require.Contains(t, b.get("spec?board=duel"), "Version 2")
	_, body = send(b, string(text))
	require.Contains(t, body, "has this spec already")
}

// TestManyRows goes through a ranking by pages, by place and by member.
func TestManyRows(t *testing.T) {
	f := newFixture(t, Options{Open: true})
	arena, err := f.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	var subs []board.Submission
	for i := range 1203 {
		subs = append(subs, board.Submission{Member: "m" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26), Score: board.Ints(int64(i))})
	}
	_, err = arena.SubmitAll(t.Context(), subs)
	require.NoError(t, err)
	b := f.browser()
	rows, at := 0, "board?board=arena"
	for at != "" {
		page := b.get(at)
		rows += strings.Count(page, "<tr id=\"row-")
		at = ""
		if i := strings.Index(page, `" rel="next"`); i >= 0 {
			at = strings.ReplaceAll(page[strings.LastIndex(page[:i], `"`)+1:i], "&amp;", "&")
		}
	}
	require.Equal(t, 1203, rows)
	require.Contains(t, b.get("board?board=arena&from=1200"), `data-rank="1203"`)
	require.Contains(t, b.get("board?board=arena&from=5000"), `data-rank="1203"`, "beyond the end it is the last row")
	require.Contains(t, b.get("board?board=arena&member=nobody"), "not ranked here")
}

// TestManyBoards goes through the boards of a member, page by page.
func TestManyBoards(t *testing.T) {
	f := newFixture(t, Options{Open: true})
	for i := range 120 {
		f.define(board.Spec{Name: fmt.Sprintf("room-%03d", i)})
		b, err := f.boards.Board(t.Context(), fmt.Sprintf("room-%03d", i))
		require.NoError(t, err)
		_, err = b.Apply(t.Context(), board.Submission{Member: `a\d`, Score: board.Ints(1)})
		require.NoError(t, err)
	}
	b, found, pages := f.browser(), 0, 0
	for at := "player?member=" + url.QueryEscape(`a\\d`); at != ""; pages++ {
		page := b.get(at)
		found += strings.Count(page, `<section class="card">`)
		at = ""
		if i := strings.Index(page, `" rel="next"`); i >= 0 {
			at = html.UnescapeString(page[strings.LastIndex(page[:i], `"`)+1 : i])
		}
	}
	require.Equal(t, 120, found)
	require.Equal(t, 3, pages)
}
