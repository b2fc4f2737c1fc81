package browsertest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/printable"
)

// row selects the row of a member in a ranking.
func row(member string) string { return fmt.Sprintf("#row-%x", member) }

// TestHostileNames follows each name from its row to its player, its preview, its group and back: it is text everywhere, the same one, and nothing of it runs.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	g.addHostile()
	s := newServer(t, g, nil)
	x := newTab(t, s.base())
	x.signIn("grace")
	ranking, members := "board"+query("board", hostileBoard), "groups"+query("kind", "<kind>&'\"")
	x.open(members)
	groups := js[map[string]string](x, "Object.fromEntries([...document.querySelectorAll('#live tbody a')].map(a => [a.textContent, a.href]))")
	for _, name := range hostile {
		shown := printable.Name(name)
		require.EqualValues(t, 200, x.open(ranking))
		require.Equal(t, shown, x.text(row(name)+" .member"), label(name))
		require.EqualValues(t, 200, x.open(js[string](x, "document.querySelector("+quoted(row(name)+" .member")+").href")))
		require.Equal(t, shown, x.text("h1"), label(name))
		require.Equal(t, name, x.marked(name), label(name))
		require.EqualValues(t, 200, x.open(groups[shown]), label(name))
		require.Equal(t, shown+" <kind>&'\"", x.text("h1"), label(name))
		require.Contains(t, js[[]string](x, "[...document.querySelectorAll('.names .member')].map(a => a.textContent)"), shown, label(name))
		x.clean(label(name))
	}
	for _, at := range []string{"feed" + query("board", hostileBoard), "audit" + query("board", hostileBoard), "overview", "periods" + query("board", hostileBoard), "spec" + query("board", hostileBoard)} {
		require.EqualValues(t, 200, x.open(at))
		require.Zero(t, js[int](x, "document.querySelectorAll('#main script, #main img, #main i, #main b').length"), at)
		x.clean(at)
	}
	x.open("audit" + query("board", hostileBoard))
	require.Contains(t, x.text("#live"), printable.Text("\u202e\"><script>alert(2)</script>"))
	require.Contains(t, x.text("#live"), "</td><script>alert(3)</script>")
}

// marked goes from the page of a player to the row of the member, and back by it; it returns the member whose row is marked.
func (x *tab) marked(name string) string {
	x.t.Helper()
	require.EqualValues(x.t, 200, x.open(js[string](x, "document.querySelector('.card td a').href")))
	var member string
	_, err := fmt.Sscanf(js[string](x, "document.querySelector('tr.marked').id"), "row-%x", &member)
	require.NoError(x.t, err)
	require.Equal(x.t, printable.Name(name), js[string](x, "document.querySelector('input[name=member]').value"))
	x.leave(click(".search button")) // the field has the same text, and finds the same member
	require.Equal(x.t, printable.Name(name), x.text("tr.marked .member"))
	return member
}

// TestHostileForms bans and erases each name by the forms: the member that they change is the one that they show.
func TestHostileForms(t *testing.T) {
	t.Parallel()
	g := newGame(t)
	g.addHostile()
	s := newServer(t, g, nil)
	x := newTab(t, s.base())
	x.signIn("grace")
	b, err := g.boards.Board(t.Context(), hostileBoard)
	require.NoError(t, err)
	for i, name := range hostile {
		shown := printable.Name(name)
		x.open("player" + query("member", shown))
		x.open(js[string](x, "[...document.querySelectorAll('.card .button')].find(a => a.textContent === 'erase').href"))
		require.Equal(t, "Erase: "+shown, x.text("h1"), label(name))
		x.do(enter("#reason", "a hostile name"))
		js[bool](x, "(document.querySelector('#typed').value = "+quoted(shown)+") !== ''")
		x.leave(click(".act button"))
		require.Zero(t, g.count(hostileBoard, name), label(name))
		g.submit(hostileBoard, name, board.Ints(int64(i)))
		x.open("preview" + query("do", "ban", "board", hostileBoard, "member", shown))
		x.do(enter("#reason", "a hostile name"))
		x.leave(click(".act button"))
		require.Equal(t, shown, x.text("h1"), label(name))
		require.True(t, known(b.IsBanned(t.Context(), name)), label(name))
		x.clean(label(name))
	}
}
