package admin

import (
	"flag"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/*.html")

// What differs from run to run: tokens, versions of assets, and sizes.
var varying = []*regexp.Regexp{
	regexp.MustCompile(`(name="token" value=")[^"]+`),
	regexp.MustCompile(`(\?v=)[0-9a-f]+`),
	regexp.MustCompile(`(<td class="n">|<dd>)[0-9.]+ (?:B|kB|MB)`),
	regexp.MustCompile(`(<dt>Commits a second</dt><dd>)[0-9.]+`),
	regexp.MustCompile(`(/s</td>|<td class="n">)(?:[0-9.]+\.[0-9]+)`),
	regexp.MustCompile(`(id="e-)[0-9a-f-]+`),
}

// TestGolden compares the pages of a small game with what they were: run it with -update after a change, and read the difference.
func TestGolden(t *testing.T) {
	f := newFixture(t, Options{Title: "Duel of the day"})
	f.play()
	moderator, nobody := f.browser().signIn("owner", ownerSecret), f.browser()
	w, _ := moderator.act("hide", "duel", "cy")
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
	require.Contains(t, moderator.get("players"), "Done: hide on duel, entry 1 of the audit log.")
	script := url.QueryEscape(hostile[0])
	for name, page := range map[string]string{
		"overview": "overview", "overview-none": "overview?match=nothing", "board": "board?board=arena", "board-around": "board?board=arena&window=all&member=bea",
		"board-closed": "board?board=arena&window=day&period=2026-11-20", "periods": "periods?board=arena&window=day", "spec": "spec?board=arena", "players": "players",
		"player": "player?member=ada", "player-script": "player?member=" + script, "player-hidden": "player?member=cy", "preview-ban": "preview?do=ban&board=arena&member=ada", "preview-rename": "preview?do=rename&board=arena&member=ada",
		"preview-erase": "preview?do=erase+everywhere&member=ada", "groups": "groups", "group": "group?kind=guild&group=wolves", "awards": "awards",
		"settlement": "settlement?board=arena&window=day&period=2026-11-20", "feed": "feed?kind=submitted", "queues": "queues", "audit": "audit",
	} {
		same(t, name, moderator.get(page))
	}
	_, body := nobody.do(http.MethodGet, "signin?back=audit", nil)
	same(t, "signin", body)
	_, body = nobody.do(http.MethodPost, "signin", url.Values{"name": {"owner"}, "secret": {"wrong"}, "back": {"audit"}})
	same(t, "signin-wrong", body)
	_, body = nobody.do(http.MethodGet, "nothing", nil)
	same(t, "problem", body)
}

// same compares a page with a file.
func same(t *testing.T, name, page string) {
	t.Helper()
	for _, x := range varying {
		page = x.ReplaceAllString(page, "${1}~")
	}
	page = regexp.MustCompile(`\n{2,}`).ReplaceAllString(page, "\n")
	file := filepath.Join("testdata", name+".html")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(page), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.Split(string(want), "\n"), strings.Split(page, "\n"), name)
}
