package browsertest

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// demo is a running zrank demo --serve.
type demo struct {
	t    *testing.T
	cmd  *exec.Cmd
	mu   sync.Mutex
	said strings.Builder
	done chan struct{} // closed at the end of its output
}

// startDemo builds the command and starts a season of some seconds.
func startDemo(t *testing.T) *demo {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "zrank"), "./cmd/zrank")
	build.Dir = filepath.Join("..", "..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	d := &demo{t: t, done: make(chan struct{})}
	d.cmd = exec.Command(filepath.Join(dir, "zrank"), "demo", "--serve", "--addr", "127.0.0.1:0", "--for", "40s", "--weeks", "4", "--players", "500", "--results", "12000", "--dir", filepath.Join(dir, "data"))
	pipe, err := d.cmd.StdoutPipe()
	require.NoError(t, err)
	d.cmd.Stderr = d.cmd.Stdout
	require.NoError(t, d.cmd.Start())
	t.Cleanup(func() {
		_ = d.cmd.Process.Kill()
		<-d.done
		_ = d.cmd.Wait()
	})
	go func() {
		defer close(d.done)
		for lines := bufio.NewReader(pipe); ; {
			line, err := lines.ReadString('\n')
			d.mu.Lock()
			d.said.WriteString(line)
			d.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return d
}

func (d *demo) output() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.said.String()
}

// wait waits until the output has a text.
func (d *demo) wait(pattern string) []string {
	d.t.Helper()
	var found []string
	eventually(d.t, pattern, func() (bool, error) {
		found = regexp.MustCompile(pattern).FindStringSubmatch(d.output())
		return found != nil, nil
	})
	return found
}

// TestSeason watches a season of the demo from its start to its end, in pages that are opened once: the first ten change places, weeks close, awards are
// there, the feed goes on. Afterwards a moderator bans the winner; then the demo ends, and finds every rank again.
func TestSeason(t *testing.T) {
	t.Parallel()
	browser(t)
	d := startDemo(t)
	at := d.wait(`Look at (http://\S+/admin/) and sign in as demo with (\S+) to moderate`)
	overview := newTab(t, at[1])
	overview.open("overview")
	overview.wait("document.querySelector('#live').textContent.includes('arena')")
	period := "document.querySelector('.tiles dd').textContent"
	week, feed := overview.another(), overview.another()
	week.open("board" + query("board", "arena", "window", "week"))
	week.wait("document.querySelectorAll('.ranking tbody tr[id]').length > 3")
	first := js[string](week, period)
	js[bool](week, "(window.orders = new Set(), new MutationObserver(() => orders.add([...document.querySelectorAll('.ranking tbody tr[id]')].slice(0, 10).map(r => r.id).join())).observe(document.querySelector('#live'), {childList: true, subtree: true, attributes: true}), true)")
	feed.open("feed" + query("board", "arena"))
	feed.wait("document.querySelectorAll('[data-feed] tbody tr[id]').length > 3")
	event := js[string](feed, "document.querySelector('[data-feed] tbody tr').id")
	week.wait(period + " > " + quoted(first)) // Monday
	feed.wait("document.querySelector('[data-feed] tbody tr').id !== " + quoted(event))
	d.wait("The season is over")
	require.Greater(t, js[int](week, "orders.size"), 1, "the first ten changed places")
	players := js[string](overview, "document.querySelector('tbody[id] td.n').textContent")
	require.NotEqual(t, "0", players)
	overview.clean("the overview of a season")
	week.clean("the ranking of a season")
	feed.clean("the feed of a season")

	x := overview.another()
	x.open("awards")
	require.Contains(t, x.text("#live"), first)
	x.open("periods" + query("board", "arena", "window", "week"))
	require.GreaterOrEqual(t, js[int](x, "document.querySelectorAll('.winner').length"), 6)
	x.open("signin")
	x.do(enter("#name", "demo"), enter("#secret", at[2]))
	x.leave(click("main button"))
	x.open("board" + query("board", "arena", "window", "week"))
	week.wait(period + " === " + quoted(js[string](x, period))) // the page that has been open all the time is where a new one is
	winner := js[string](x, "document.querySelector('.ranking .member').textContent")
	x.leave(click(".ranking .member"))
	x.choose("ban")
	x.confirm("watched closely")
	week.wait("!document.querySelector('#live').textContent.includes(" + quoted(winner) + ")")

	require.NoError(t, d.cmd.Process.Signal(syscall.SIGINT))
	week.wait("!document.querySelector('#offline').hidden")
	<-d.done
	require.Contains(t, d.output(), "ranks are the same")
}
