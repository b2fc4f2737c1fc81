package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// numberAll numbers what can be reached by the keyboard, in the order of the document.
const numberAll = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, .scroll')].filter(e => e.checkVisibility() && !e.disabled).map((e, i) => e.dataset.number = i).length`

// slash presses the key as a person does: what it types is for the page to prevent.
func slash(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/"}
	_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, key)
	if err == nil {
		key.Type, key.Text = input.DispatchKeyEventTypeKeyUp, ""
		_, err = cdp.Call(ctx, t, input.DispatchKeyEvent, key)
	}
	return chromedp.Void{}, err
}

// TestTab presses the tab key through every page: it comes to the skip link first, then to every link, field, button and table, in order, each with an outline.
func TestTab(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.signIn("ada")
	for _, at := range []string{"overview", "board" + query("board", "arena", "window", "week", "base", "noon"), "audit", "periods" + query("board", "arena", "window", "week"), "spec" + query("board", "arena"), "players", "player" + query("member", playerName(390)), "preview" + query("do", "merge", "board", "arena", "member", playerName(390), "to", playerName(2)),
		"groups", "awards", "settlement" + query("board", "arena", "window", "week", "period", "2026-W46"), "queues", "health", "signin", "no-such-page"} {
		x.open(at)
		if js[bool](x, "!!document.querySelector('#pause')") {
			x.do(click("#pause")) // so that nothing is morphed meanwhile
			x.wait("document.querySelector('#pause').getAttribute('aria-pressed') === 'true'")
		}
		js[bool](x, "(document.activeElement.blur(), getSelection().removeAllRanges(), scrollTo(0, 0), true)")
		n := js[int](x, numberAll)
		x.do(chromedp.Evaluate[chromedp.Void]("document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex')"))
		for i := range n {
			x.do(chromedp.KeyEvent(kb.Tab))
			require.Equal(t, i, js[int](x, "+(document.activeElement.dataset.number ?? -1)"), "%s: %s", at, js[string](x, "document.activeElement.outerHTML.slice(0, 200)"))
			require.True(t, js[bool](x, "(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2)(getComputedStyle(document.activeElement))"), "%s: no outline of %d", at, i)
			require.True(t, js[bool](x, "(r => r.right > 0 && r.bottom > 0 && r.top < innerHeight && r.left < innerWidth)(document.activeElement.getBoundingClientRect())"), "%s: %d is not on the screen", at, i)
			if i == 0 {
				require.Equal(t, "Skip to the content", js[string](x, "document.activeElement.textContent"))
			}
		}
	}
}

// TestKeys goes to the content and to the search by keys, and leaves a slash that is typed alone.
func TestKeys(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.open("overview")
	x.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	x.wait("document.activeElement.id === 'main'")
	x.do(slash)
	x.wait("document.activeElement.id === 'match'")
	x.do(chromedp.KeyEvent("a"), slash, chromedp.KeyEvent("b"))
	require.Equal(t, "a/b", js[string](x, "document.activeElement.value"))
}

// TestBanByKeys bans a player without a mouse, on a phone's width.
func TestBanByKeys(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	arena, err := s.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	victim := playerName(1)
	x := newTab(t, s.base())
	x.look(390, "dark")
	x.open("signin")
	x.wait("document.activeElement.id === 'name'")
	x.do(chromedp.KeyEvent("grace"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(secretOf("grace")))
	x.leave(chromedp.KeyEvent(kb.Enter))
	x.goTo("header a[href=players]")
	x.do(slash)
	x.wait("document.activeElement.id === 'member'")
	x.do(chromedp.KeyEvent(victim))
	x.leave(chromedp.KeyEvent(kb.Enter))
	require.Equal(t, victim, x.text("h1"))
	x.goTo(".card .button[href*='do=ban']")
	x.tabTo("#reason")
	x.do(chromedp.KeyEvent("by keys"))
	x.tabTo("input[name=keep]")
	x.do(chromedp.KeyEvent(" "))
	require.True(t, js[bool](x, "document.activeElement.checked"))
	x.goTo(".act button")
	require.Contains(t, x.done(), "ban")
	require.True(t, known(arena.IsBanned(t.Context(), victim)))
}

// tabTo presses the tab key until an element has the focus.
func (x *tab) tabTo(selector string) {
	x.t.Helper()
	for range 200 {
		x.do(chromedp.KeyEvent(kb.Tab))
		if js[bool](x, "document.activeElement.matches("+quoted(selector)+")") {
			return
		}
	}
	require.FailNow(x.t, "the tab key does not come to "+selector)
}

// goTo presses the tab key until a link or button has the focus, and then the enter key.
func (x *tab) goTo(selector string) {
	x.t.Helper()
	x.tabTo(selector)
	x.leave(chromedp.KeyEvent(kb.Enter))
}
