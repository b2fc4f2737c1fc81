package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// generator writes scripts.
type generator struct {
	rng  *rand.Rand
	keys []string
}

func newGenerator(seed uint64) *generator {
	return &generator{rand.New(rand.NewPCG(seed, 1)), []string{"a", "b", "c", "t", "wide", "n", "o"}}
}

func (g *generator) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

func (g *generator) member() string { return fmt.Sprintf("m%d", g.rng.IntN(8)) }

func (g *generator) score() string {
	if g.rng.IntN(12) == 0 {
		return g.pick("+Inf", "-Inf", "NaN", "-0", "5e-324")
	}
	return fmt.Sprint(g.rng.IntN(7) - 2)
}

func (g *generator) private() string { return g.pick("coins", "coins:1", "coins:2", "xp", "-") }

// op returns an operation on one of the sets, or on a private key.
func (g *generator) op(keys []string) string {
	key := g.pick(keys...)
	if g.rng.IntN(50) == 0 || (key == "n" || key == "o") && g.rng.IntN(4) > 0 {
		return g.intOp(key)
	}
	switch p := g.rng.IntN(56); {
	case p >= 46:
		return g.wholeSet(key, g.pick(keys...))
	case p < 8:
		return fmt.Sprintf("add %s %s %s", key, g.member(), g.score())
	case p < 14:
		return fmt.Sprintf("incr %s %s %s", key, g.member(), g.score())
	case p < 19:
		return fmt.Sprintf("tied %s %s %s %s", key, g.member(), g.pick("-", "0000000000000001", "0000000000000002",
			"00000000000000010000000000000000"), g.score())
	case p < 23:
		return fmt.Sprintf("remove %s %s", key, g.member())
	case p < 27:
		return fmt.Sprintf("%s %s %d", g.pick("popmin", "popmax"), key, g.rng.IntN(6))
	case p < 28 && key == "wide":
		from := g.rng.IntN(300)
		return fmt.Sprintf("fill wide %d %d %s", from, from+g.rng.IntN(330), g.score())
	case p < 29 && key == "wide":
		return fmt.Sprintf("popmin wide %d", g.rng.IntN(700))
	case p < 30:
		return "read " + g.pick(g.keys...) // perhaps not named
	case p < 34:
		return fmt.Sprintf("put %s %s", g.private(), g.pick("-", "1", "2", strings.Repeat("v", 300)))
	case p < 36:
		return "delete " + g.private()
	case p < 38:
		return "get " + g.private()
	case p < 44:
		return g.opRangeOrCondition(key)
	}
	return g.pick("inside "+key, "scan -", "scan coins", "scan coins:", "scan y")
}

// wholeSet returns an operation on a whole set.
func (g *generator) wholeSet(key, other string) string {
	switch p := g.rng.IntN(10); {
	case p < 2:
		return "drop " + key
	case p < 5:
		return fmt.Sprintf("rename %s %s", key, other)
	case p < 7:
		return fmt.Sprintf("copy %s %s", key, other)
	case p < 9:
		return fmt.Sprintf("expire %s %d", key, g.rng.IntN(20)-2)
	}
	return g.pick("persist ", "expiry ") + key
}

func (g *generator) update() string {
	keys := make([]string, 1+g.rng.IntN(3)) // may name one twice
	for i := range keys {
		keys[i] = g.pick(g.keys...)
	}
	line := "update " + strings.Join(keys, " ")
	for range g.rng.IntN(6) {
		line += " | " + g.op(keys)
	}
	switch g.rng.IntN(12) {
	case 0:
		line += " | fail"
	case 1:
		line += " | panic"
	}
	return line
}

// script returns n lines, about a quarter of them with names in extra.
func (g *generator) script(n int, extra ...string) []string {
	lines := make([]string, n)
	for i := range lines {
		switch p := g.rng.IntN(20); {
		case p == 0:
			lines[i] = fmt.Sprintf("view a n o t wide | read a | read t | iread n 24 | iread o 40 | read wide | read c | get %s | scan -", g.private())
		case p < 4 && len(extra) > 0:
			lines[i] = g.pick(extra...)
		default:
			lines[i] = g.update()
		}
	}
	return append(lines, "check", "reopen")
}

var everything = []string{"snapshot", "flush", "check", "reopen", "glance", "glance", "crash 0", "crash 50", "crash 100",
	"sleep 1", "sleep 5", "sleep 9", "unload n o", "unload a wide nobody",
	"store n o 24", "store o n 40", "store n copy 24"}

var configurations = map[string]Options{
	"memory":    {},
	"sync":      {SnapshotBytes: -1},
	"snapshots": {SnapshotBytes: 1}, // one in the background after every commit
	"interval":  {Durability: Interval, Interval: time.Millisecond},
	"none":      {Durability: None, SnapshotBytes: 64 << 10},
	"limit":     {MemoryLimit: 1}, // every set leaves memory as soon as it can
	"limit/one": {MemoryLimit: 2 << 10, SnapshotBytes: 1},
}

func runScript(name string, script []string) error {
	mem := memfs.NewCrashable()
	if name == "memory" {
		mem = nil
	}
	return newRunner(configurations[name], mem).run(script)
}

// TestSavedScripts replays scripts that once found a bug, on every configuration.
func TestSavedScripts(t *testing.T) {
	for name, script := range savedScripts {
		for config := range configurations {
			t.Run(name+"/"+config, func(t *testing.T) {
				require.NoError(t, runScript(config, strings.Split(strings.TrimSpace(script), "\n")))
			})
		}
	}
}

// savedScripts are bugs that were found, each as the shortest script that shows it.
var savedScripts = map[string]string{
	// A rollback gave a set that the transaction itself had loaded version 0.
	"version-after-rollback-of-first-touch": `
update a | add a x 1 | add a y 2
snapshot
glance
update a | add a x 3 | fail
check
update a | add a x 4
reopen`,
	// A transaction that changed nothing in the end raised the version in memory, which went back at the next Open.
	"version-after-no-change": `
update a | add a x 1
update a | add a x 2 | add a x 1
update a | remove a nobody | add a x NaN
check
reopen`,
	// Scan handed out Pebble's own memory, which the next step overwrote.
	"scan-copies": `
update a | put k1 1 | put k2 2 | put k3 3 | put k4 4
reopen
view a | scan -`,
}
