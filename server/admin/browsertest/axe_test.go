package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// axe returns axe-core as a script.
func axe(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		missing(t, "no axe-core: npm ci")
	}
	return string(text)
}

// violation is a rule that a page breaks.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML    string
		Summary string
	}
}

const runAxe = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"]})
.then(r => r.violations.map(v => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.map(n => ({HTML: n.html.slice(0, 300), Summary: n.failureSummary}))})))`

// TestAccessible has axe-core look at every page: light and dark, on a screen and on a phone. No rule is broken. Nor is a page wider than the phone.
func TestAccessible(t *testing.T) {
	t.Parallel()
	script := axe(t)
	g := newGame(t)
	g.addHostile()
	s := newServer(t, g, nil)
	x := newTab(t, s.base())
	x.signIn("ada")
	long := hostile[len(hostile)-3]
	at := append(all(t), "no-such-page", "board"+query("board", hostileBoard), "player"+query("member", long), "preview"+query("do", "merge", "board", hostileBoard, "member", long, "to", long+"!"),
		"group"+query("kind", "<kind>&'\"", "group", long), "groups"+query("kind", "<kind>&'\""), "feed"+query("board", hostileBoard), "audit"+query("board", hostileBoard), "audit"+query("board", hostileBoard, "member", long))
	require.Len(t, long, 1024)
	found := map[string]bool{}
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			x.look(width, scheme)
			for _, page := range at {
				x.open(page)
				wide := js[int](x, "document.documentElement.scrollWidth")
				if wide > int(width) {
					t.Errorf("%.100s is %d wide on a screen of %d", page, wide, width)
				}
				js[bool](x, script+"; true")
				for _, v := range js[[]violation](x, runAxe) {
					for _, n := range v.Nodes {
						name, _, _ := strings.Cut(page, "?")
						key := v.ID + name // one of a kind is enough to read
						if !found[key] {
							found[key] = true
							t.Errorf("%.100s at %d, %s: %s (%s): %s\n  %s\n  %s", page, width, scheme, v.ID, v.Impact, v.Help, n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n  "))
						}
					}
				}
			}
		}
	}
}
