package resp

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/clientcmd"
)

// TestClientList: CLIENT LIST and CLIENT INFO show the names, flags and last commands of clients that are idle, in MULTI, or waiting.
func TestClientList(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	busy, waits := p.another(), p.another()
	busy.lines(2, "CLIENT SETNAME busy", "CLIENT SETINFO LIB-NAME go-redis", "CLIENT SETINFO lib-ver 9.23", "SELECT 2", "HELLO 3", "CLIENT NO-EVICT ON",
		"CLIENT NO-TOUCH ON", "MULTI", "PING", "ZADD k 1 m")
	waits.send("BZMPOP", "0", "1", "nobody", "MIN")
	until(t, "one waits", func() bool { return p.s.e.Waiting() == 1 })
	list := p.line("CLIENT LIST")
	for _, want := range []string{
		`id=1 addr=127.0.0.1:\d+ laddr=` + regexp.QuoteMeta(p.addr) + ` fd=-1 name= age=0 idle=0 flags=N db=0 .* multi=-1 .* cmd=client\|list user=default redir=-1 resp=2 lib-name= lib-ver=\n`,
		`id=2 .* name=busy age=0 idle=0 flags=xeT db=2 .* multi=2 .* cmd=zadd user=default redir=-1 resp=3 lib-name=go-redis lib-ver=9.23\n`,
		`id=3 .* flags=b db=0 .* cmd=bzmpop .*\n`,
	} {
		require.Regexp(t, regexp.MustCompile("(?m)"+strings.ReplaceAll(want, ".*", "[^\n]*")), list)
	}
	require.Equal(t, 3, strings.Count(list, "\n")-2)
	require.Regexp(t, `^\$\d+\r\nid=1 .*cmd=client\|info`, p.line("CLIENT INFO"))
	require.Equal(t, 2, strings.Count(p.line("CLIENT LIST ID 3 99 1"), "id="))
	require.Equal(t, 3, strings.Count(p.line("CLIENT LIST TYPE normal"), "id="))
	p.line("HELLO 3")
	require.Regexp(t, `^=\d+\r\ntxt:id=1 `, p.line("CLIENT INFO"))
	for _, row := range []string{"CLIENT SETINFO lib-name a\xffb", "CLIENT SETINFO lib-ver a\nb"} {
		require.Contains(t, p.do(strings.SplitN(row, " ", 4)...), "cannot contain spaces, newlines or special characters")
	}
	require.Equal(t, "-ERR Unrecognized option 'lib-foo'\r\n", p.line("CLIENT SETINFO lib-foo x"))
}

// TestClientKill: CLIENT KILL works with every filter, and a client that kills itself gets its reply first.
func TestClientKill(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{Users: []User{{Name: "default", Password: "p"}, {Name: "u", Password: "p"}}})
	p.line("AUTH p")
	dead := func(c *peer) {
		t.Helper()
		_, err := c.in.ReadByte()
		require.Error(t, err)
	}
	ask := p
	for n, filter := range []func(c *peer, id string) string{
		func(_ *peer, id string) string { return "ID " + id },
		func(c *peer, _ string) string { return "ADDR " + c.conn.LocalAddr().String() },
		func(_ *peer, id string) string { return "ID " + id + " TYPE normal SKIPME no LADDR " + p.addr },
		func(_ *peer, _ string) string { return "USER u" },
		func(_ *peer, _ string) string { return "TYPE normal USER u SKIPME yes" },
	} {
		c := p.another()
		require.Equal(t, "+OK\r\n", c.line("AUTH u p"))
		id := strings.Trim(c.line("CLIENT ID"), ":\r\n")
		require.Equal(t, ":1\r\n", ask.line("CLIENT KILL "+filter(c, id)), n)
		dead(c)
		until(t, "it is gone", func() bool { return clients(p.s) == 1 })
	}
	c := p.another()
	until(t, "it is there", func() bool { return clients(p.s) == 2 })
	require.Equal(t, "+OK\r\n", ask.do("CLIENT", "KILL", c.conn.LocalAddr().String()), "in the old form")
	dead(c)
	require.Equal(t, ":0\r\n", ask.line("CLIENT KILL USER default"), "not the one that asks")
	require.Equal(t, ":1\r\n", ask.line("CLIENT KILL USER default SKIPME no"))
	_, err := ask.in.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

// TestCommandDocs: COMMAND, COMMAND INFO and COMMAND DOCS describe every command in both protocols, and each row of the table is complete.
func TestCommandDocs(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	n := len(p.s.host.Commands)
	require.Equal(t, fmt.Sprintf(":%d\r\n", n), p.line("COMMAND COUNT"))
	for _, protocol := range []string{"2", "3"} {
		p.line("HELLO " + protocol)
		head := map[string]string{"2": fmt.Sprintf("*%d\r\n", 2*n), "3": fmt.Sprintf("%%%d\r\n", n)}[protocol]
		require.True(t, strings.HasPrefix(p.line("COMMAND DOCS"), head))
		require.True(t, strings.HasPrefix(p.line("COMMAND"), fmt.Sprintf("*%d\r\n", n)))
		require.Equal(t, p.line("COMMAND"), p.line("COMMAND INFO"))
		require.Contains(t, p.line("COMMAND DOCS zadd"), "key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]")
		require.Equal(t, "+PONG\r\n", p.line("PING"), "the replies were whole")
	}
	require.Equal(t, "*1\r\n*10\r\n$4\r\nzadd\r\n:-4\r\n~3\r\n+write\r\n+denyoom\r\n+fast\r\n:1\r\n:1\r\n:1\r\n~3\r\n+@write\r\n+@sortedset\r\n+@fast\r\n*0\r\n"+
		"*1\r\n%3\r\n$5\r\nflags\r\n~1\r\n+RW\r\n$12\r\nbegin_search\r\n%2\r\n$4\r\ntype\r\n$5\r\nindex\r\n$4\r\nspec\r\n%1\r\n$5\r\nindex\r\n:1\r\n"+
		"$9\r\nfind_keys\r\n%2\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n%3\r\n$7\r\nlastkey\r\n:0\r\n$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n*0\r\n",
		p.line("COMMAND INFO zadd"))
	for _, m := range p.s.host.Commands.All() {
		require.NotEmpty(t, m.Doc.Summary, m.Name)
		require.Equal(t, m.Doc.Group == "board", m.Doc.Since == "", m.Name)
		require.NotEmpty(t, m.Doc.Group, m.Name)
		require.NotEmpty(t, m.Doc.Complexity, m.Name)
		require.True(t, m.Tx != nil || m.Alone != nil, m.Name)
	}
	for form := range clientcmd.Forms {
		require.NotNil(t, p.s.host.Commands.Named([]byte(form)), form)
	}
}

// TestDocsHaveTheWordsOfPages: COMMAND DOCS has every word that the doc of this package and docs/operations.md have of the commands of boards and groups.
func TestDocsHaveTheWordsOfPages(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	commands := regexp.MustCompile("(?:(?m:^//)\t|`)((?:BOARD|GROUP|UNION)\\.[A-Z]+) ([^`\n]+)").FindAllStringSubmatch(string(doc)+string(page), -1)
	require.Greater(t, len(commands), 70)
	p := startServer(t, engine.Options{}, Options{})
	word := regexp.MustCompile(`\b[A-Z]{2,}\b`)
	for _, m := range commands {
		docs := p.line("COMMAND DOCS " + m[1])
		require.Contains(t, docs, "arguments", m[1])
		for _, w := range word.FindAllString(m[2], -1) {
			require.Contains(t, word.FindAllString(docs, -1), w, "%s %s", m[1], docs)
		}
	}
}

// TestCommandList: as in Redis, COMMAND LIST has the subcommands too, and COMMAND COUNT does not count them.
func TestCommandList(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	names := items(p.line("COMMAND LIST"))
	require.Subset(t, names, []string{"client", "client|list", "config|set", "zadd"})
	require.Greater(t, len(names), len(p.s.host.Commands))
	require.Equal(t, names, items(p.line("COMMAND LIST FILTERBY PATTERN *")))
}

// items returns the strings of a RESP2 array.
func items(reply string) (list []string) {
	for _, line := range strings.Split(reply, "\r\n") {
		if line != "" && line[0] != '*' && line[0] != '$' {
			list = append(list, line)
		}
	}
	return list
}
