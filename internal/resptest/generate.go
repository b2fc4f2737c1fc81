package resptest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Sizes of sets: few members; hundreds, which are skiplists most of the time; and thousands, more than a server may do in one piece.
const (
	hundreds  = 500
	thousands = 8000
)

// Generate returns a random script with the given number of steps. It depends on the seed alone. Even seeds have small sets, odd seeds big
// ones, and one in sixteen has very big ones and fewer steps. In every second pair of seeds connections begin with RESP3. In every second
// group of four clients wait for members.
func Generate(seed uint64, steps int) Script {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 35)), waits: seed/4%2 == 0}
	loads := 1
	switch {
	case seed%16 == 13 || seed%32 == 15:
		g.members, loads, steps = thousands, 20, steps/3
	case seed%2 == 1:
		g.members = hundreds
	}
	var s Script
	if seed/2%2 == 1 {
		for conn := range Conns {
			s = append(s, Step{conn, []string{"HELLO", "3"}})
		}
	}
	if g.members > 0 {
		for range loads {
			for _, key := range []string{"a", "b", "c"} {
				s = append(s, Step{0, g.load(key, 50+g.IntN(300))})
			}
		}
	}
	s = append(s, Step{0, []string{"SET", textKey, "x"}}, Step{0, g.loadLex()})
	for steps += len(s); len(s) < steps; {
		s = append(s, g.some()...)
	}
	return s
}

// some returns the next steps: mostly one.
func (g *generator) some() []Step {
	conn := 0
	if g.IntN(8) == 0 {
		conn = 1 + g.IntN(Conns-1)
	}
	switch g.IntN(70) {
	case 0:
		return g.transaction(conn)
	case 1:
		return g.feeding()
	case 2:
		if g.members > 0 {
			return []Step{{conn, g.load(g.key(), 20+g.IntN(200))}}
		}
	case 3, 4:
		return []Step{{conn, g.loadLex()}}
	case 5:
		return g.expiring(conn)
	case 6:
		return g.walking(conn)
	}
	return []Step{{conn, g.command()}}
}

// command returns a random command, which may be malformed.
func (g *generator) command() []string {
	total := 0
	for _, c := range commands {
		total += c.weight
	}
	at := g.IntN(total)
	for _, c := range commands {
		if at -= c.weight; at < 0 {
			words := append(strings.Fields(c.name), c.args(g)...)
			return g.tame(g.spoil(words))
		}
	}
	return nil
}

// load returns a ZADD of many members.
func (g *generator) load(key string, n int) []string {
	words := []string{"ZADD", key}
	for range n {
		words = append(words, strconv.Itoa(g.IntN(100)), g.numberedMember())
	}
	return words
}

// loadLex returns a ZADD to that key.
func (g *generator) loadLex() []string {
	words := []string{"ZADD", lexKey}
	for range 1 + g.IntN(12) {
		words = append(words, "0", g.member())
	}
	if g.members > 0 {
		for range g.IntN(200) {
			words = append(words, "0", g.numberedMember())
		}
	}
	return words
}

// transaction returns the steps of a transaction: sometimes WATCH, then MULTI, a few commands, and EXEC or DISCARD. Sometimes another client
// sends a command in between.
func (g *generator) transaction(conn int) []Step {
	var s []Step
	if g.IntN(3) == 0 {
		s = append(s, Step{conn, append([]string{"WATCH"}, g.keys(1+g.IntN(2))...)})
		if g.IntN(2) == 0 {
			s = append(s, Step{(conn + 1) % Conns, g.command()})
		}
		if g.IntN(6) == 0 {
			s = append(s, Step{conn, []string{"UNWATCH"}})
		}
	}
	s = append(s, Step{conn, []string{"MULTI"}})
	fed := false
	for range g.IntN(6) {
		words := g.command()
		if fed && g.waits && feeds(words) {
			continue
		}
		fed = fed || feeds(words)
		s = append(s, Step{conn, words})
		if g.IntN(8) == 0 {
			s = append(s, Step{(conn + 1) % Conns, g.command()})
		}
	}
	end := pick(g, "EXEC", "EXEC", "EXEC", "EXEC", "DISCARD")
	return append(s, Step{conn, []string{end}})
}

// expiring returns steps after which a key has expired. A pop of an empty key with a timeout makes the time pass. The last step makes Redis drop
// the expired key, which DBSIZE would count until then.
func (g *generator) expiring(conn int) []Step {
	key := g.key()
	lines := [][]string{{"DISCARD"}, {"WATCH", key}, {"PEXPIRE", key, "1"}, {"BZPOPMIN", noKey, "0.003"}, {"MULTI"}, {"ZCARD", key}, {"EXEC"}, {"DEL", key}}
	if g.IntN(2) == 0 {
		lines = [][]string{{"DISCARD"}, {"PEXPIRE", key, "1"}, {"BZPOPMIN", noKey, "0.003"}, {"EXISTS", key}, {"DEL", key}}
	}
	var s []Step
	for _, words := range lines {
		s = append(s, Step{conn, words})
	}
	return s
}

// feeding returns steps of clients that wait for members, and of others that add these, perhaps in a transaction.
func (g *generator) feeding() []Step {
	var s []Step
	for conn := 1; conn < Conns; conn++ {
		if g.IntN(4) > 0 {
			pop := commandNamed(pick(g, "BZPOPMIN", "BZPOPMAX", "BZMPOP"))
			s = append(s, Step{conn, g.tame(append([]string{pop.name}, pop.args(g)...))})
		}
	}
	inside := g.IntN(3) == 0
	times := 1 + g.IntN(4)
	if inside {
		s, times = append(s, Step{0, []string{"MULTI"}}), 1
	}
	for range times {
		feed := commandNamed(pick(g, "ZADD", "ZADD", "ZINCRBY", "ZUNIONSTORE", "ZRANGESTORE", "RENAME", "COPY", "DEL", "ZREM", "SET"))
		s = append(s, Step{0, g.tame(append([]string{feed.name}, feed.args(g)...))})
	}
	if inside {
		s = append(s, Step{0, []string{"EXEC"}})
	}
	return s
}

// spoil leaves most commands as they are, and makes a few malformed: it adds, replaces, drops or swaps words.
func (g *generator) spoil(words []string) []string {
	if g.IntN(12) == 0 {
		words[0] = strings.ToLower(words[0])
	}
	for g.IntN(9) == 0 {
		i := g.IntN(len(words))
		switch g.IntN(7) {
		case 0:
			words = append(words, g.junk())
		case 1:
			words = slices.Insert(words, max(i, 1), g.junk())
		case 2:
			if i > 0 {
				words[i] = g.junk()
			}
		case 3:
			if i > 0 {
				words = slices.Delete(words, i, i+1)
			}
		case 4:
			if j := g.IntN(len(words)); i > 0 && j > 0 {
				words[i], words[j] = words[j], words[i]
			}
		case 5:
			words = words[:max(i, 1)]
		case 6:
			words[i] = strings.ToLower(words[i])
		}
	}
	return words
}
