package browsertest

import (
	"context"
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// hostile are names that try to be something else than text.
var hostile = []string{
	"<script>alert(1)</script>",
	`"><img src=x onerror=alert(1)>`,
	"'-alert(1)-'",
	"javascript:alert(1)",
	"{{.}}",
	"${alert(1)}",
	"../../feed",
	"a&b#c?d%41+e=f;g",
	"&lt;b&gt;",
	"  spaces at both ends  ",
	"0",
	"false",
	`back\nslash\\`,
	"line\r\nbreak\ttab",
	"\x00\x1b[2J",
	"\u202egpj.exe\u202c",
	"\u200f\u2067right to left\u2069",
	"شاعر",
	"\xff\xfe\x80",
	"é\xe9",
	"👩‍👩‍👧‍👦🏴‍☠️",
	"\u2028\u2029\ufeff",
	"e\u0301",
	"\u00e9",
	"\ufffd",
	strings.Repeat("long", 256),
	strings.Repeat("\xfe", 1024),
	strings.Repeat("<", 1024),
}

// hostileBoard is the board that they are on.
const hostileBoard = "<i>names</i>&\"'?#%+=0"

// addHostile adds a board, a kind of groups, groups and members with such names.
func (g *game) addHostile() {
	ctx := context.Background()
	names, err := g.boards.DefineGroups(ctx, "<kind>&'\"")
	require.NoError(g.t, err)
	_, err = g.boards.Define(ctx, board.Spec{Name: hostileBoard, Windows: []board.Window{board.All, board.Day}, Feed: &board.Feed{}})
	require.NoError(g.t, err)
	_, err = g.boards.Define(ctx, board.Spec{Name: hostileBoard + "/of", Windows: []board.Window{board.All, board.Day}, Derived: &board.Derived{From: hostileBoard, Groups: "<kind>&'\""}})
	require.NoError(g.t, err)
	b, err := g.boards.Board(ctx, hostileBoard)
	require.NoError(g.t, err)
	for i, name := range hostile {
		require.NoError(g.t, names.Create(ctx, name, nil), "%q", name)
		require.NoError(g.t, names.Join(ctx, name, name), "%q", name)
		g.submit(hostileBoard, name, board.Ints(int64(1000-i)))
	}
	_, err = b.Hide(ctx, hostile[0], board.Action{By: "<b>by</b>", Reason: "<script>alert(2)</script>"})
	require.NoError(g.t, err)
	_, err = b.Show(ctx, hostile[0], board.Action{By: "<b>by</b>", Reason: "\u202e\"><script>alert(2)</script>"})
	require.NoError(g.t, err)
	g.submit(hostileBoard, hostile[0], board.Ints(2000))
	_, err = b.Merge(ctx, g.submitted(hostileBoard, "</td><script>alert(3)</script>"), hostile[1], board.Action{By: "ada", Reason: "twice"})
	require.NoError(g.t, err)
}

func (g *game) submitted(at, member string) string {
	g.submit(at, member, board.Ints(1))
	return member
}

// label names a hostile name in the output of tests.
func label(name string) string { return fmt.Sprintf("%.40q", name) }
