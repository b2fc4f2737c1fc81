package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// first returns an expression for the id of a row of the ranking, from 0.
func first(n int) string {
	return fmt.Sprintf("document.querySelectorAll('.ranking tbody tr')[%d].id", n)
}

// TestRankingMoves submits while somebody looks: the rows, the ranks, the tiles and the histogram follow, in the same document; what the reader has typed, the
// focus and the scrolled place stay.
func TestRankingMoves(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.do(chromedp.EmulateViewport(1280, 500))
	x.open("board" + query("board", "ladder"))
	js[bool](x, "window.isSame = true")
	last, best := js[string](x, first(49)), js[string](x, first(0))
	bars := js[string](x, "document.querySelector('.histogram svg').innerHTML")
	x.do(chromedp.Focus(chromedp.CSS("#member")), chromedp.KeyEvent("half a na"))
	js[bool](x, "(document.querySelector('#member').setSelectionRange(2, 5), scrollTo(0, 300), true)")
	x.wait("scrollY === 300")
	s.submit("ladder", "newcomer", board.Ints(100_000))
	x.wait(first(0) + " === " + quoted(row("newcomer")[1:]))
	require.Equal(t, best, js[string](x, first(1)))
	require.NotContains(t, js[[]string](x, "[...document.querySelectorAll('.ranking tbody tr')].map(r => r.id)"), last)
	require.Equal(t, "1", js[string](x, "document.querySelector("+quoted(row("newcomer")+" td")+").textContent"))
	require.Equal(t, "401", js[string](x, "document.querySelectorAll('.tiles dd')[1].textContent"))
	require.Contains(t, x.text(row("newcomer")), "100000")
	require.NotEqual(t, bars, js[string](x, "document.querySelector('.histogram svg').innerHTML"))
	require.Equal(t, "100000", js[string](x, "document.querySelector('.histogram figcaption span:last-child').textContent"))
	require.True(t, js[bool](x, "window.isSame === true && scrollY === 300"))
	require.Equal(t, "half a na 2 5", js[string](x, "(f => f.value + ' ' + f.selectionStart + ' ' + f.selectionEnd)(document.activeElement)"))
	s.submit("ladder", "newcomer", board.Ints(1))
	x.wait(first(0) + " === " + quoted(best))
	x.clean("a ranking that moves")
}

// TestPause stops what moves, and lets it go on.
func TestPause(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.open("board" + query("board", "ladder"))
	other := x.another()
	other.open("board" + query("board", "ladder"))
	x.do(click("#pause"))
	require.Equal(t, "true", js[string](x, "document.querySelector('#pause').getAttribute('aria-pressed')"))
	for i := range 3 { // what reaches the other tab does not reach this one
		name := fmt.Sprint("late-", i)
		s.submit("ladder", name, board.Ints(int64(100_000+i)))
		other.wait(first(0) + " === " + quoted(row(name)[1:]))
		require.False(t, js[bool](x, "document.querySelector('#live').textContent.includes('late-')"))
	}
	x.do(click("#pause"))
	x.wait(first(0) + " === " + quoted(row("late-2")[1:]))
	require.Equal(t, "false", js[string](x, "document.querySelector('#pause').getAttribute('aria-pressed')"))
}

// TestOverviewAndFeedMove looks at the other pages that move.
func TestOverviewAndFeedMove(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.open("overview")
	s.submit("ladder", "newcomer", board.Ints(7))
	x.wait("document.querySelector('tbody#b-" + fmt.Sprintf("%x", "ladder") + "').textContent.includes('401')")
	_, err := s.boards.Define(t.Context(), board.Spec{Name: "brand new"})
	require.NoError(t, err)
	x.wait("document.querySelector('#live').textContent.includes('brand new')")
	x.open("feed" + query("board", "arena", "kind", "submitted"))
	s.submit("arena", "newcomer", board.Ints(7))
	x.wait("document.querySelector('[data-feed] tbody tr').textContent.includes('newcomer')")
	x.open("queues")
	before := js[string](x, "document.querySelector('#live tbody td').textContent")
	_, err = s.queue.Lease(t.Context(), 1, limit)
	require.NoError(t, err)
	x.wait("document.querySelector('#live tbody td').textContent !== " + quoted(before))
	x.clean("pages that move")
}

// TestRestart stops the server under an open page, and starts it again: the page says so, and goes on by itself. The forms of before change nothing.
func TestRestart(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.signIn("grace")
	x.open("board" + query("board", "ladder"))
	form := x.another()
	form.open("preview" + query("do", "ban", "board", "arena", "member", playerName(1)))
	form.do(enter("#reason", "too late"))
	js[bool](x, "window.isSame = true")
	require.True(t, js[bool](x, "document.querySelector('#offline').hidden"))
	s.stop()
	x.wait("!document.querySelector('#offline').hidden")
	s.start()
	s.submit("ladder", "newcomer", board.Ints(100_000))
	x.wait("document.querySelector('#offline').hidden && " + first(0) + " === " + quoted(row("newcomer")[1:]))
	require.True(t, js[bool](x, "window.isSame === true"))
	form.leave(click(".act button"))
	require.Contains(t, form.text("main"), "You are not signed in any more, and nothing was changed")
	arena, err := s.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	require.False(t, known(arena.IsBanned(t.Context(), playerName(1))))
	form.leave(click("main a[href^=signin]")) // and back to where the form was, or to the pages
	form.do(enter("#name", "grace"), enter("#secret", secretOf("grace")))
	form.leave(click("main button"))
	require.Equal(t, "grace", form.text(".who span"))
}
