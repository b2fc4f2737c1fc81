package resp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// naive is the oracle of the commands on keys: all values in a map.
type naive struct {
	now  func() time.Time
	keys map[string]naiveValue // by database and key: "3:a"
}

type naiveValue struct {
	kind    string // zset, set, string; "board" is a sorted set with int64 scores
	text    string // of a string
	members map[string]bool
	expires int64 // 0: never
}

func (n *naive) ms() int64 { return n.now().UnixMilli() }

func (n *naive) at(key string) (naiveValue, bool) {
	v, ok := n.keys[key]
	if ok && v.expires != 0 && v.expires <= n.ms() {
		delete(n.keys, key)
		return naiveValue{}, false
	}
	return v, ok
}

func (n *naive) fixed(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { v, _ := n.at(key); return v.kind == "board" })
}

const fixedReply = "-" + string(command.ErrReadOnly)

// do executes a command in database db, and returns its reply on one line.
func (n *naive) do(db string, w []string) string {
	place := func(i int) string { return db + ":" + w[i] } // of the key that is word i
	switch w[0] {
	case "DEL":
		var list []string
		for i := range w[1:] {
			list = append(list, place(i+1))
		}
		return n.del(list)
	case "EXISTS":
		count := 0
		for i := range w[1:] {
			if _, ok := n.at(place(i + 1)); ok {
				count++
			}
		}
		return integer(count)
	case "TYPE":
		v, ok := n.at(place(1))
		return "+" + map[bool]string{true: strings.ReplaceAll(v.kind, "board", "zset"), false: "none"}[ok]
	case "RENAME", "RENAMENX":
		return n.move(w[0], place(1), place(2), w[0] == "RENAME", true)
	case "COPY":
		to, replace := place(2), false
		for i := 3; i < len(w); i++ {
			switch w[i] {
			case "REPLACE":
				replace = true
			case "DB":
				to = w[i+1] + ":" + w[2]
			}
		}
		return n.move(w[0], place(1), to, replace, false)
	case "PTTL":
		v, ok := n.at(place(1))
		if !ok {
			return ":-2"
		}
		if v.expires == 0 {
			return ":-1"
		}
		return integer(int(v.expires - n.ms()))
	case "PERSIST":
		v, ok := n.at(place(1))
		if !ok || v.expires == 0 {
			return ":0"
		}
		v.expires = 0
		n.keys[place(1)] = v
		return ":1"
	case "PEXPIRE":
		return n.expire(place(1), w)
	}
	return n.plain(place(1), w)
}

func (n *naive) del(list []string) string {
	if n.fixed(list...) {
		return fixedReply
	}
	count := 0
	for _, key := range list {
		if _, ok := n.at(key); ok {
			count++
			delete(n.keys, key)
		}
	}
	return integer(count)
}

// move executes RENAME, RENAMENX or COPY, called name. replace allows a value at to; away removes the value at from.
func (n *naive) move(name, from, to string, replace, away bool) string {
	if name == "COPY" && from == to {
		return "-ERR source and destination objects are the same"
	}
	v, ok := n.at(from)
	_, taken := n.at(to)
	switch {
	case !ok && name == "COPY":
		return ":0"
	case !ok:
		return "-ERR no such key"
	case name == "RENAME" && from == to:
		return "+OK"
	case taken && !replace:
		return ":0"
	case n.fixed(from, to):
		return fixedReply
	}
	n.keys[to] = v
	if away {
		delete(n.keys, from)
	}
	if name == "RENAME" {
		return "+OK"
	}
	return ":1"
}

func (n *naive) expire(key string, w []string) string {
	v, ok := n.at(key)
	d, _ := strconv.ParseInt(w[2], 10, 64)
	at, forever := n.ms()+d, v.expires == 0
	for _, c := range w[3:] {
		refused := map[string]bool{"NX": !forever, "XX": forever, "GT": forever || at <= v.expires, "LT": !forever && at >= v.expires}
		ok = ok && !refused[c]
	}
	if !ok {
		return ":0"
	}
	if n.fixed(key) {
		return fixedReply
	}
	v.expires = at
	n.keys[key] = v
	return ":1"
}

// plain executes a command on strings or plain sets.
func (n *naive) plain(key string, w []string) string {
	v, ok := n.at(key)
	if w[0] == "SET" {
		nx, get := slices.Contains(w, "NX"), slices.Contains(w, "GET")
		switch {
		case get && ok && v.kind != "string":
			return "-" + string(command.ErrWrongType)
		case nx && ok && get:
			return "$" + v.text
		case nx && ok:
			return "$-1"
		case n.fixed(key):
			return fixedReply
		}
		fresh := naiveValue{kind: "string", text: w[2]}
		if slices.Contains(w, "KEEPTTL") {
			fresh.expires = v.expires
		}
		n.keys[key] = fresh
		if get && ok {
			return "$" + v.text
		} else if get {
			return "$-1"
		}
		return "+OK"
	}
	if want := map[string]string{"GET": "string"}[w[0]]; ok && v.kind != either(want, "set") {
		return "-" + string(command.ErrWrongType)
	}
	count := len(v.members)
	switch w[0] {
	case "GET":
		if !ok {
			return "$-1"
		}
		return "$" + v.text
	case "SADD":
		members := map[string]bool{}
		for m := range v.members {
			members[m] = true
		}
		for _, m := range w[2:] {
			members[m] = true
		}
		n.keys[key] = naiveValue{kind: "set", members: members, expires: v.expires}
		return integer(len(members) - count)
	case "SREM":
		v.members = maps.Clone(v.members) // a key that COPY has made may share the map
		for _, m := range w[2:] {
			delete(v.members, m)
		}
		if n.keys[key] = v; len(v.members) == 0 {
			delete(n.keys, key)
		}
		return integer(count - len(v.members))
	case "SCARD":
		return integer(count)
	}
	panic(w[0])
}

func integer(n int) string { return ":" + strconv.Itoa(n) }

// list returns the keys of a database in order.
func (n *naive) list(db string) []string {
	keys := []string{}
	for place := range n.keys {
		d, key, _ := strings.Cut(place, ":")
		if _, ok := n.at(place); ok && d == db {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// randomCommand returns a command on few keys.
func randomCommand(r *rand.Rand) []string {
	key := func() string { return string(rune('a' + r.IntN(6))) }
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var w []string
	switch r.IntN(13) {
	case 0:
		w = []string{"DEL", key(), key()}
	case 1:
		w = []string{"EXISTS", key(), key(), key()}
	case 2:
		w = []string{pick("TYPE", "PTTL", "PERSIST", "GET", "SCARD"), key()}
	case 3, 4:
		w = []string{pick("RENAME", "RENAMENX"), key(), key()}
	case 5, 6:
		w = []string{"COPY", key(), key()}
		if r.IntN(2) == 0 {
			w = append(w, "DB", pick("0", "3"))
		}
		if r.IntN(2) == 0 {
			w = append(w, "REPLACE")
		}
	case 7, 8:
		w = []string{"PEXPIRE", key(), pick("-5", "1", "300", "1000", "100000")}
		if r.IntN(2) == 0 {
			w = append(w, pick("NX", "XX", "GT", "LT"))
		}
	case 9, 10:
		w = []string{"SET", key(), strconv.Itoa(r.IntN(100))}
		for _, option := range []string{"NX", "GET", "KEEPTTL"} {
			if r.IntN(4) == 0 {
				w = append(w, option)
			}
		}
	case 11:
		w = []string{"SADD", key(), strconv.Itoa(r.IntN(4)), pick("x", "y")}
	case 12:
		w = []string{"SREM", key(), strconv.Itoa(r.IntN(4)), pick("x", "y")}
	}
	return w
}

// oneLine is a reply on one line, a bulk without its length.
func oneLine(reply string) string {
	lines := strings.Split(strings.TrimSuffix(reply, "\r\n"), "\r\n")
	if len(lines) == 2 && lines[0][0] == '$' {
		return "$" + lines[1]
	}
	return strings.Join(lines, "|")
}

// TestKeyspaceModel gives the server and the oracle the same random commands in two databases. It compares every reply, and the lists of keys
// from time to time.
func TestKeyspaceModel(t *testing.T) {
	const commands = 6_000
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	clock := testclock.New()
	n := &naive{now: clock.Now, keys: map[string]naiveValue{}}
	p := startServer(t, engine.Options{Clock: clock.Now}, Options{})
	peers := map[string]*peer{"0": p, "3": p.another()}
	require.Equal(t, "+OK\r\n", peers["3"].do("SELECT", "3"))
	asked := map[string]int{}
	for i := range commands {
		db := []string{"0", "3"}[r.IntN(2)]
		switch r.IntN(40) {
		case 0:
			clock.Add(time.Duration(r.IntN(500)) * time.Millisecond)
		case 1, 2, 3:
			addOne(t, p.s.e, n, db, string(rune('a'+r.IntN(6))), r.IntN(12) == 0)
		case 4:
			compareKeys(t, peers[db], n, db, seed)
		case 5:
			if r.IntN(8) == 0 {
				flush(t, peers[db], n, db)
			}
		}
		w := randomCommand(r)
		asked[w[0]]++
		want := n.do(db, w)
		require.Equal(t, want, oneLine(peers[db].do(w...)), "seed %d, command %d: %q in database %s", seed, i, w, db)
	}
	t.Logf("%d commands: %v", commands, asked)
}

// addOne adds a sorted set of one member under a key that holds nothing: by the engine, as a program would.
func addOne(t *testing.T, e *engine.Engine, n *naive, db, key string, ints bool) {
	if _, ok := n.at(db + ":" + key); ok {
		return
	}
	d, _ := strconv.Atoi(db)
	name := keyspace.EngineKey(d, []byte(key))
	kind := "zset"
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) (err error) {
		if ints {
			kind = "board"
			s, err := tx.IntSet(name, engine.Form{})
			require.NoError(t, err)
			_, err = s.Add([]byte("m"), 1)
			return err
		}
		s, err := tx.Set(name)
		require.NoError(t, err)
		_, err = s.Add([]byte("m"), 1)
		return err
	}, name))
	n.keys[db+":"+key] = naiveValue{kind: kind}
}

// compareKeys compares KEYS, SCAN, DBSIZE and RANDOMKEY of a database with the oracle.
func compareKeys(t *testing.T, p *peer, n *naive, db string, seed uint64) {
	want := n.list(db)
	where := fmt.Sprintf("seed %d, database %s", seed, db)
	keys := bulks(p.do("KEYS", "*"))
	slices.Sort(keys)
	require.Equal(t, want, keys, where)
	require.Equal(t, want, scanned(p, "COUNT", "2"), where)
	kind := "string"
	strs := slices.DeleteFunc(slices.Clone(want), func(key string) bool { return n.keys[db+":"+key].kind != kind })
	require.Equal(t, strs, scanned(p, "TYPE", kind), where)
	if key := bulks(p.do("RANDOMKEY")); len(key) > 0 {
		require.Contains(t, want, key[0], where)
	} else {
		require.Empty(t, want, where)
	}
	size, err := strconv.Atoi(strings.TrimSpace(p.do("DBSIZE")[1:]))
	require.NoError(t, err)
	require.GreaterOrEqual(t, size, len(want), where) // an expired sorted set counts until the engine drops it
}

func flush(t *testing.T, p *peer, n *naive, db string) {
	require.Equal(t, "+OK\r\n", p.do("FLUSHDB"))
	for _, key := range n.list(db) {
		if !n.fixed(db + ":" + key) {
			delete(n.keys, db+":"+key)
		}
	}
}

// bulks returns the texts in a reply.
func bulks(reply string) []string {
	list := []string{}
	lines := strings.Split(reply, "\r\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "$") && line != "$-1" {
			list = append(list, lines[i+1])
		}
	}
	return list
}

// scanned returns the keys that a walk with SCAN finds, in order, each once.
func scanned(p *peer, options ...string) []string {
	keys := []string{}
	for cursor := "0"; ; {
		found := bulks(p.do(append([]string{"SCAN", cursor}, options...)...))
		keys = append(keys, found[1:]...)
		if cursor = found[0]; cursor == "0" {
			slices.Sort(keys)
			return slices.Compact(keys)
		}
	}
}
