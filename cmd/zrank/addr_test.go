package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const addrSpecs = `[{"name": "a/b", "op": "sum", "windows": ["all", "day"], "journal": 100, "feed": {"top": 3}, "awards": [{"window": "day", "claim": true, "tiers": [
		{"name": "gold", "from": 1, "payload": "100 coins"}, {"name": "played", "everyone": true, "payload": "1 coin"}]}]},
	{"name": "a/guilds", "derived": {"from": "a/b", "groups": "guild"}},
	{"name": "league", "windows": ["week"], "leagues": {"window": "week", "tiers": ["bronze", "silver"], "size": 3, "up": 1, "down": 1}},
	{"name": "r", "windows": [{"kind": "rolling", "span": "3h"}, {"name": "s", "kind": "seasons", "seasons": [
		{"name": "s1", "start": "2026-11-01T00:00:00Z", "end": "2026-11-10T00:00:00Z"}]}]}]`

// addrData returns a directory with days and weeks that are closed and settled, and its spec file.
func addrData(t *testing.T) (dir, spec string) {
	t.Helper()
	tmp := t.TempDir()
	dir, spec = filepath.Join(tmp, "data"), write(t, filepath.Join(tmp, "spec.json"), addrSpecs)
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "first.csv"), "time,board,member,score\n2026-11-05T10:00:00Z,r,ada,5\n"+
		"2026-11-16T10:00:00Z,a/b,ada,5\n2026-11-16T10:01:00Z,a/b,bea,7\n2026-11-16T10:02:00Z,a/b,\xff,3\n2026-11-16T10:02:30Z,a/b,eve,7\n"+
		"2026-11-16T10:03:00Z,league,ada,5\n2026-11-16T10:04:00Z,league,bea,7\n"))
	must(t, "groups", "import", "--dir", dir, "--create", "guild", write(t, filepath.Join(tmp, "members.csv"), "group,member\nwolves,ada\nwolves,bea\nlions,eve\n"))
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "second.csv"), "time,board,member,score\n"+
		"2026-11-23T10:00:00Z,a/b,ada,1\n2026-11-23T10:01:00Z,a/b,eve,2\n2026-11-23T10:02:00Z,league,bea,2\n2026-11-24T10:02:00Z,a/b,bea,2\n"))
	must(t, "settle", "--dir", dir)
	return dir, spec
}

// changing is what differs between two directories with the same contents: the room that they take, and when a process has last written.
var changing = regexp.MustCompile(`"(memory|disk)":\d+|anew in \S+`)

// addrReads are commands that change nothing, each with --format.
var addrReads = [][]string{
	{"boards"}, {"top", "a/b"}, {"top", "-n", "2", "--window", "day", "--period", "last", "a/b"}, {"top", "--window", "day", "--period", "latest", "--since", "last", "a/b"},
	{"top", "--window", "day", "--since", "2026-11-16", "--ranks", "competition", "a/b"}, {"top", "--as-of", "#3", "a/b"}, {"top", "--as-of", "2026-11-16T12:00:00Z", "a/b"},
	{"top", "a/guilds"}, {"top", "r"}, {"top", "nothing"}, {"top", "--window", "nothing", "a/b"}, {"top", "--window", "day", "--period", "2020-01-01", "a/b"}, {"top", "--window", "day", "--period", "x", "a/b"},
	{"rank", "a/b", "ada"}, {"rank", "a/b", "\xff"}, {"rank", "a/b", "base64:_w"}, {"rank", "a/b", "nobody"}, {"rank", "a/b", ""}, {"around", "-n", "1", "a/b", "bea"}, {"around", "a/b", "nobody"}, {"score", "a/b", "ada"},
	{"periods", "a/b"}, {"periods", "--window", "day", "a/b"}, {"periods", "--window", "x", "a/b"}, {"periods", "league"}, {"periods", "r"}, {"periods", "a/guilds"},
	{"history", "--window", "day", "a/b"}, {"history", "--window", "day", "a/b", "ada"}, {"history", "--window", "all", "a/b"}, {"history", "league", "bea"}, {"history", "r"},
	{"union", "--window", "day", "--last", "3", "a/b"}, {"union", "--window", "day", "--period", "last", "--weight", "0.5", "a/b"}, {"union", "--spec", "UNION"}, {"union", "--stored", "nothing"},
	{"settle"}, {"settle", "a/b"}, {"awards"}, {"awards", "--window", "day", "--period", "last", "a/b"}, {"awards", "--member", "ada"}, {"awards", "--state", "waiting", "-n", "2", "a/b"},
	{"claim", "a/b", "ada"}, {"claim", "a/b", "nobody"}, {"claim", "a/b", "ada", "nothing"},
	{"league", "league", "bea"}, {"league", "--period", "last", "league"}, {"league", "--period", "last", "league", "ada"}, {"league", "a/b", "ada"}, {"tier", "league", "bea"},
	{"member", "a/b", "ada"}, {"member", "a/b", "nobody"}, {"journal", "a/b"}, {"journal", "--member", "ada", "-n", "1", "a/b"}, {"journal", "league"}, {"audit"}, {"audit", "a/b"}, {"audit", "a/b", "7"}, {"jobs"}, {"jobs", "--wait", "a/b"},
	{"groups"}, {"groups", "list", "guild"}, {"groups", "show", "guild", "wolves"}, {"groups", "show", "guild", "nothing"}, {"groups", "of", "guild", "ada"}, {"groups", "of", "guild", "nobody"},
	{"groups", "of", "nothing", "ada"}, {"groups", "among", "guild", "wolves", "a/b"}, {"groups", "among", "--window", "day", "--period", "last", "--ranks", "dense", "guild", "wolves", "a/b"},
}

// addrChanges are commands that change something, in this order, and the looks at what they did, with a text that the output has.
var addrChanges = []struct {
	args []string
	has  string
}{
	{[]string{"settle", "--window", "day", "--period", "last", "--without", "eve", "--reason", "cheated", "--dry-run", "a/b"}, "dry run"},
	{[]string{"settle", "--window", "day", "--period", "last", "--without", "eve", "--reason", "cheated", "a/b"}, "lost"},
	{[]string{"claim", "a/b", "ada", "a%2Fb/day/2026-11-16/1/ada"}, "1 coin"},
	{[]string{"claim", "a/b", "ada", "a%2Fb/day/2026-11-16/1/ada"}, ""},
	{[]string{"awards", "--withhold", "a%2Fb/day/2026-11-16/1/bea", "--reason", "why"}, "is withheld"},
	{[]string{"awards", "--release", "a%2Fb/day/2026-11-16/1/bea"}, "waits"},
	{[]string{"ban", "--dry-run", "a/b", "eve"}, "would be banned"},
	{[]string{"ban", "--reason", "cheated", "--format", "json", "a/b", "eve"}, `"entry":1`},
	{[]string{"ban", "a/b", "eve"}, ""},
	{[]string{"member", "a/b", "eve"}, "is banned"},
	{[]string{"unban", "a/b", "eve"}, "is not banned any more"},
	{[]string{"hide", "a/b", "ada"}, "is hidden"},
	{[]string{"member", "--format", "json", "a/b", "ada"}, `"hidden":true`},
	{[]string{"show", "a/b", "ada"}, "is shown again"},
	{[]string{"revert", "--row", "2", "--reason", "bug", "a/b", "bea"}, "is reverted"},
	{[]string{"correct", "--window", "day", "--period", "last", "--score", "15", "a/b", "bea"}, "is corrected"},
	{[]string{"rename", "a/b", "bea", "eva"}, "is renamed to"},
	{[]string{"merge", "a/b", "base64:_w", "ada"}, "is merged into"},
	{[]string{"tier", "league", "ada", "silver"}, "is in tier silver"},
	{[]string{"tier", "league", "ada", "gold"}, ""},
	{[]string{"erase", "--dry-run", "a/b", "ada"}, "would be erased"},
	{[]string{"audit", "a/b", "2"}, ""},
	{[]string{"journal", "--format", "csv", "a/b"}, "removal,reverted"},
	{[]string{"jobs"}, "nothing is in progress"},
	{[]string{"groups", "define", "country"}, ""},
	{[]string{"groups", "create", "--meta", "{}", "country", "base64:_w"}, ""},
	{[]string{"groups", "meta", "country", "\xff", "far"}, ""},
	{[]string{"groups", "join", "guild", "cy", "lions"}, ""},
	{[]string{"groups", "move", "guild", "cy", "wolves"}, ""},
	{[]string{"groups", "rename", "guild", "cy", "cyd"}, ""},
	{[]string{"groups", "of", "guild", "cyd"}, "wolves"},
	{[]string{"groups", "leave", "guild", "cyd"}, ""},
	{[]string{"groups", "list", "country"}, "far"},
	{[]string{"groups", "import", "--create", "guild", "JOIN"}, "guild"},
	{[]string{"groups", "dissolve", "guild", "bears"}, ""},
	{[]string{"groups", "rebuild", "a/guilds"}, "0"},
	{[]string{"groups", "rebuild", "--window", "day", "--period", "2026-11-16", "a/guilds"}, "0"},
	{[]string{"groups", "rebuild", "--window", "day", "a/guilds"}, ""},
	{[]string{"groups", "rebuild", "--window", "day", "--period", "2100-01-01", "a/guilds"}, ""},
	{[]string{"union", "--window", "day", "--last", "3", "--store", "week/47", "a/b"}, "week/47"},
	{[]string{"union", "--stored", "week/47", "--format", "json"}, "week/47"},
	{[]string{"union", "--stored", "week/47", "--drop"}, ""},
	{[]string{"close", "--window", "day", "--yes", "a/b"}, "is closed"},
	{[]string{"periods", "--format", "json", "a/b"}, "closed"},
	{[]string{"migrate", "--spec", "MORE"}, "no ranking changes"},
	{[]string{"migrate", "--spec", "SPEC", "--dry-run"}, "journal"},
	{[]string{"top", "a/b"}, "eva"},
	{[]string{"boards", "--format", "json"}, `"journal":200`},
}

// twice runs commands on a directory and on a server.
type twice struct {
	t         *testing.T
	dir, addr string
	files     map[string]string // the paths in place of words
}

// run runs a command in both places, and compares the output, the error and the exit code, of which the output must have a text.
func (x *twice) run(args []string, has string) {
	x.t.Helper()
	i := 1
	if args[0] == "groups" && len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		i = 2 // behind the name of the subcommand
	}
	rest := slices.Clone(args[i:])
	for k, word := range rest {
		if path, ok := x.files[word]; ok {
			rest[k] = path
		}
	}
	in := func(where ...string) result {
		r := zrank(strings.NewReader(""), slices.Concat(args[:i], where, rest)...)
		r.out = changing.ReplaceAllString(r.out, "")
		return r
	}
	want := in("--dir", x.dir)
	require.Equal(x.t, want, in("--addr", x.addr), args)
	require.Contains(x.t, want.out, has, "%v: %s", args, want.errs)
}

// TestAddr runs every command that reads or moderates boards on a directory, and on a server that has a copy of it open: output, errors and exit code
// are the same, one command after the other.
func TestAddr(t *testing.T) {
	dir, spec := addrData(t)
	tmp := t.TempDir()
	copied := filepath.Join(tmp, "copy")
	must(t, "backup", "--dir", dir, copied)
	s := startServer(t, "--dir", copied)
	x := &twice{t, dir, s.api, map[string]string{
		"SPEC":  spec,
		"MORE":  write(t, filepath.Join(tmp, "more.json"), strings.Replace(addrSpecs, `"journal": 100`, `"journal": 200`, 1)),
		"JOIN":  write(t, filepath.Join(tmp, "join.csv"), "member,group\ndan,bears\nada,wolves\n"),
		"UNION": write(t, filepath.Join(tmp, "union.json"), `{"sources": [{"board": "a/b", "window": "day", "last": 3}], "combine": "sum"}`),
	}}
	for _, args := range addrReads { // a table for people, and JSON with everything
		x.run(args, "")
		x.run(slices.Concat(args, []string{"--format", "json"}), "")
	}
	for _, args := range [][]string{{"follow", "--once"}, {"follow", "--once", "--json", "--board", "a/b", "--window", "day", "--kind", "leader,submitted"}, {"follow", "--once", "--member", "ada"},
		{"follow", "--once", "--from", "0000000000000001-5-0"}, {"follow", "--once", "--from", "end"}, {"close", "--window", "day", "--dry-run", "a/b"}, {"close", "a/b"}, {"close", "--window", "all", "--yes", "a/b"},
		{"close", "--window", "s", "--dry-run", "r"}, {"migrate", "--spec", "MORE", "--dry-run"}, {"boards", "--format", "csvv"}} {
		x.run(args, "")
	}
	for _, c := range addrChanges {
		x.run(c.args, c.has)
	}
	for _, where := range [][]string{{"--dir", dir}, {"--addr", s.api}} { // the salt of an erasure is random
		require.Contains(t, must(t, append([]string{"erase", "--all", "eva"}, where...)...), "a/b · eva is erased")
		require.NotContains(t, must(t, append([]string{"top", "a/b"}, where...)...), "eva")
		require.Contains(t, must(t, append([]string{"audit", "--member", "eva", "--format", "csv"}, where...)...), "erase")
	}
	s.stop()
	must(t, "check", "--dir", copied)
}

// TestAddrMistakes: what is wrong with a server, its key or the flags is one line.
func TestAddrMistakes(t *testing.T) {
	tmp := t.TempDir()
	keys := write(t, filepath.Join(tmp, "keys"), "game all "+allSecret+"\ndash read "+readSecret+"\n")
	spec := write(t, filepath.Join(tmp, "arena.json"), `{"name": "arena", "windows": ["day"]}`)
	s := startServer(t, "--memory", "--spec", spec, "--api-keys", keys)
	secret := write(t, filepath.Join(tmp, "key"), readSecret+"\n")
	top := func(args ...string) []string { return append([]string{"top", "--addr", s.api, "arena"}, args...) }
	fails(t, exitFailed, "the server at "+s.api+" wants a key: see --key-file and ZRANK_KEY", top()...)
	fails(t, exitFailed, "the server at "+s.api+" does not know the key", top("--key", "wrong_wrong_wrong_wrong")...)
	require.Contains(t, must(t, top("--key", readSecret)...), "nobody is ranked")
	require.Contains(t, must(t, top("--key-file", secret)...), "nobody is ranked")
	fails(t, exitUsage, "--key and --key-file are both given", top("--key", "x", "--key-file", secret)...)
	fails(t, exitFailed, "no such file", top("--key-file", secret+"-none")...)
	r := zrank(nil, "close", "--addr", s.api, "--key-file", secret, "--window", "day", "--yes", "arena")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.errs, "the server at "+s.api+" refuses: ")
	fails(t, exitFailed, "the server at "+s.api+" refuses: ", "ban", "--addr", s.api, "--key-file", secret, "arena", "eve")
	t.Setenv("ZRANK_KEY", allSecret)
	t.Setenv("ZRANK_ADDR", s.api)
	require.Contains(t, must(t, "top", "arena"), "nobody is ranked")
	require.Contains(t, must(t, "close", "--window", "day", "--yes", "arena"), "is closed")
	require.Equal(t, []string{"arena"}, completed(t, "top", ""))
	require.Equal(t, []string{"day"}, completed(t, "top", "arena", "--window", ""))
	fails(t, exitFailed, "not a zrank store", "top", "--dir", filepath.Join(tmp, "none"), "arena") // a flag goes before the environment
	for _, args := range [][]string{{"check"}, {"backup", "x"}, {"salvage", "x"}, {"restore", "x"}, {"compact"}, {"replay", "x"}, {"serve"}} {
		fails(t, exitUsage, "works on the directory itself, and ZRANK_ADDR is for other commands: say --dir", args...)
		fails(t, exitUsage, "works on the directory itself: it needs --dir, and no --addr", append(args, "--addr", s.api)...)
	}
	t.Setenv("ZRANK_DIR", filepath.Join(tmp, "data"))
	fails(t, exitUsage, "ZRANK_DIR and ZRANK_ADDR are both set", "top", "arena")
	fails(t, exitFailed, "not a zrank store", "check")
	t.Setenv("ZRANK_ADDR", "")
	fails(t, exitUsage, "--key and --key-file are for --addr", "top", "--key", "x", "arena")
	fails(t, exitUsage, "--dir and --addr are both given", top("--dir", tmp)...)
	must(t, "replay", "--spec", spec, write(t, filepath.Join(tmp, "in.csv"), "time,member,score\n2026-11-20T10:00:00Z,ada,5\n"))
	require.Contains(t, must(t, "top", "arena"), "ada")
	require.DirExists(t, filepath.Join(tmp, "data"))
	for _, addr := range []string{"127.0.0.1:8080", "ftp://x", "http://", "://"} {
		fails(t, exitUsage, "want http://HOST:PORT", "top", "--addr", addr, "arena")
	}
	s.stop()
	fails(t, exitFailed, "no server answers at "+s.api, top()...)
	require.Empty(t, completed(t, "top", "--addr", s.api, ""))
}

// TestAddrStrangers: what answers may be no zrank server, or stop in the middle; that is one line, and no answer that looks like one.
func TestAddrStrangers(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"a page":  func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"nothing": http.NotFound,
		"JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(404)
			fmt.Fprint(w, `{"message": "no"}`)
		},
		"a proxy":  func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Bad Gateway", http.StatusBadGateway) },
		"an image": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/png") },
	} {
		s := httptest.NewServer(h)
		for _, args := range [][]string{{"top", "arena"}, {"boards"}, {"groups"}, {"groups", "list", "guild"}, {"groups", "of", "guild", "ada"}, {"audit"}, {"follow", "--once"}, {"follow"}} {
			fails(t, exitFailed, "--addr "+s.URL+": what answers is no zrank server: ", append(args, "--addr", s.URL)...)
		}
		s.Close()
		_ = name
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // no HTTP at all
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, "-ERR no HTTP\r\n")
			_ = c.Close()
		}
	}()
	fails(t, exitFailed, "no server answers at http://"+l.Addr().String(), "top", "--addr", "http://"+l.Addr().String(), "arena")

	// The server ends between two calls: a command does not say that a member is in no group.
	calls := 0
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls > 1 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"groups": [{"group": "wolves", "members": 1}]}`)
	}))
	defer half.Close()
	r := zrank(nil, "groups", "of", "--addr", half.URL, "guild", "ada")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.errs, "no server answers at ")
}

// TestAddrInterrupted: an interrupt ends a command that waits for a server that does not answer.
func TestAddrInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	asked := make(chan struct{})
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-release
	}))
	defer s.Close()
	defer close(release)
	done := make(chan int, 1)
	var out, errs bytes.Buffer
	go func() { done <- run(ctx, []string{"top", "--addr", s.URL, "arena"}, nil, &out, &errs) }()
	<-asked
	stop()
	select {
	case code := <-done:
		require.Equal(t, exitFailed, code)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
	case <-time.After(time.Minute):
		require.FailNow(t, "it does not end")
	}
}

// TestAddrTLS: a command asks a server over TLS, whose certificate it believes if the system does.
func TestAddrTLS(t *testing.T) {
	tmp := t.TempDir()
	cert, key := certificate(t, tmp)
	keys := write(t, filepath.Join(tmp, "keys"), "game all "+allSecret+"\n")
	s := startServer(t, "--memory", "--api", "0.0.0.0:0", "--api-keys", keys, "--api-tls-cert", cert, "--api-tls-key", key)
	fails(t, exitFailed, "certificate", "boards", "--addr", s.api, "--key", allSecret)
	c := process("boards", "--addr", s.api)
	c.Env = append(c.Env, "SSL_CERT_FILE="+cert, "ZRANK_KEY="+allSecret)
	text, err := c.CombinedOutput()
	require.NoError(t, err, string(text))
	require.Equal(t, "no board is defined yet\n", string(text))
	s.stop()
}
