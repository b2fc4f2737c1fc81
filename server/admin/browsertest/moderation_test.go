package browsertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// choose opens the preview of what can be done about the member of the page, on the board of its first card.
func (x *tab) choose(do string) {
	x.t.Helper()
	js[bool](x, "([...document.querySelectorAll('.card:first-of-type .button')].find(a => a.textContent === "+quoted(do)+").id = 'chosen') !== ''")
	x.leave(click("#chosen"))
}

// confirm gives a reason and sends the form.
func (x *tab) confirm(reason string) {
	x.t.Helper()
	x.do(enter("#reason", reason))
	x.leave(click(".act button"))
}

// done returns what the page says has been done.
func (x *tab) done() string { return x.text("p.done") }

// TestBan bans a player as a moderator does: from the ranking to the player, to the preview, with a reason. Who looks at the ranking sees it leave.
func TestBan(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	arena, err := s.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	victim := playerName(1)
	reader := newTab(t, s.base())
	reader.open("board" + query("board", "arena", "member", victim))
	require.Equal(t, victim, reader.text("tr.marked .member"))

	x := newTab(t, s.base())
	x.open("preview" + query("do", "ban", "board", "arena", "member", victim)) // nobody is signed in: to the form, and back
	x.do(enter("#name", "grace"), enter("#secret", "wrong "+secretOf("grace")))
	x.leave(click("main button"))
	require.Contains(t, x.text("main"), "No key has this name and secret.")
	x.do(enter("#name", "grace"), enter("#secret", secretOf("grace")))
	x.leave(click("main button"))
	require.Equal(t, "Ban: "+victim, x.text("h1"))

	x.open("board" + query("board", "arena", "member", victim))
	x.leave(click("tr.marked .member"))
	x.choose("ban")
	require.Contains(t, x.text(".preview"), "2026-W47")
	require.False(t, known(arena.IsBanned(t.Context(), victim)), "a preview changes nothing")
	x.do(click(".act button")) // without a reason the browser sends nothing
	require.True(t, js[bool](x, "document.querySelector('#reason:invalid') === document.activeElement"))
	x.do(enter("#reason", " ")) // and the server takes no empty one
	x.leave(click(".act button"))
	require.Contains(t, x.text("[role=alert].warn:not([hidden])"), "the audit log needs a reason")
	require.False(t, known(arena.IsBanned(t.Context(), victim)))
	x.settle()
	x.forget() // the status 400 is a line in the console
	js[bool](x, "(document.querySelector('#reason').value = '', true)")
	x.confirm("aimbot, ticket 4712")
	require.Contains(t, x.done(), "ban")
	require.Equal(t, "banned", x.text(".card .tag.bad"))
	require.True(t, known(arena.IsBanned(t.Context(), victim)))
	reader.wait("!document.querySelector('tr.marked') && document.querySelector('#live .warn').textContent.includes('not ranked here')")

	x.leave(click("nav a[href=audit]"))
	require.Regexp(t, `arena.*ban.*`+victim+`.*grace.*aimbot, ticket 4712.*done`, js[string](x, "document.querySelector('tbody tr').innerText.replace(/\\s+/g, ' ')"))
	x.open("player" + query("member", victim))
	require.Zero(t, js[int](x, "document.querySelectorAll('p.done').length"), "what was done is told once")
	x.choose("unban")
	x.confirm("a mistake")
	require.False(t, known(arena.IsBanned(t.Context(), victim)))
	s.submit("arena", victim, board.Ints(9000))
	reader.wait("document.querySelector('tr.marked .member').textContent === " + quoted(victim))
	x.clean("a ban")
}

// TestOtherActions hides, shows, renames, merges and erases.
func TestOtherActions(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	arena, err := s.boards.Board(t.Context(), "arena")
	require.NoError(t, err)
	member, other := playerName(1), playerName(2)
	x := newTab(t, s.base())
	x.signIn("grace")
	x.open("player" + query("member", member))
	x.choose("hide")
	x.confirm("under review")
	require.True(t, known(arena.IsHidden(t.Context(), member)))
	x.choose("show")
	x.confirm("nothing found")
	require.False(t, known(arena.IsHidden(t.Context(), member)))

	x.choose("rename")
	require.Zero(t, js[int](x, "document.querySelectorAll('.act').length"), "the new name comes first")
	x.do(enter("#to", `new\\name`)) // as the pages show a backslash
	x.leave(click(".search button"))
	x.confirm("asked for it")
	require.Equal(t, `new\\name`, x.text("h1"))
	require.NotZero(t, s.count("arena", `new\name`))
	require.Zero(t, s.count("arena", member))

	places := s.count("arena", other)
	x.choose("merge")
	x.do(enter("#to", other))
	x.leave(click(".search button"))
	x.do(enter("#typed", "something else"))
	x.confirm("two accounts")
	require.Contains(t, x.text("[role=alert].warn:not([hidden])"), "the name that was typed is not that of the member")
	require.NotZero(t, s.count("arena", `new\name`))
	x.settle()
	x.forget() // the status 400 is a line in the console
	x.do(enter("#typed", `new\\name`))
	require.Equal(t, "two accounts", js[string](x, "document.querySelector('#reason').value"), "the reason need not be typed again")
	x.leave(click(".act button"))
	require.Equal(t, other, x.text("h1"))
	require.Zero(t, s.count("arena", `new\name`))
	require.GreaterOrEqual(t, s.count("arena", other), places)

	x.choose("erase")
	x.do(enter("#typed", other))
	x.confirm("asked to be forgotten")
	require.Zero(t, s.count("arena", other))
	require.NotZero(t, s.count("ladder", other))
	x.leave(click(".button[href*=everywhere]"))
	x.do(enter("#typed", other))
	x.confirm("everywhere")
	require.Zero(t, s.count("ladder", other))
	x.open("audit")
	text := x.text("tbody")
	require.NotContains(t, text, other, "an erased name is in no audit log")
	require.Contains(t, text, "asked to be forgotten")
	x.clean("actions")
}

// TestMigrate changes the spec of a board by the form: a preview first, and a box that must be ticked.
func TestMigrate(t *testing.T) {
	s := newServer(t, newGame(t), nil)
	x := newTab(t, s.base())
	x.signIn("grace")
	x.open("spec" + query("board", "ladder"))
	require.Contains(t, x.text("main"), "Your key must have all rights on all boards to migrate.")
	x.signIn("ada")
	x.open("spec" + query("board", "ladder"))
	js[bool](x, `(document.querySelector('#spec').value = document.querySelector('#spec').value.replace('"last"', '"best"'), true)`)
	x.leave(click("button[value=preview]"))
	require.Contains(t, x.text("main"), "op is last, not best")
	require.Contains(t, x.text("main"), "would be ranked anew")
	x.leave(click("button[value=migrate]"))
	b, err := s.boards.Board(t.Context(), "ladder")
	require.NoError(t, err)
	require.Equal(t, board.Last, b.Spec().Op, "without the tick it is a preview")
	x.do(click("input[name=sure]"))
	x.leave(click("button[value=migrate]"))
	require.Contains(t, x.done(), "The board has its new spec.")
	b, err = s.boards.Board(t.Context(), "ladder")
	require.NoError(t, err)
	require.Equal(t, board.Best, b.Spec().Op)
	js[bool](x, `(document.querySelector('#spec').value = '{"name": ', true)`)
	x.leave(click("button[value=preview]"))
	require.NotEmpty(t, x.text("[role=alert].warn:not([hidden])"))
	require.Equal(t, `{"name": `, js[string](x, "document.querySelector('#spec').value"), "what was typed stays")
	x.clean("a migration")
}
