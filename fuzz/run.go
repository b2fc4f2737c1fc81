package fuzz

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

// machine is what scripts run on.
type machine interface {
	run(b block) (replies []string, err error) // one reply for each operation
	keys() ([]string, error)
	between(kind string) error // snapshot, flush, reopen
	close() error
}

// block is an operation alone, or those of a transaction.
type block struct {
	ops []Op
	end string // "" for an operation alone, "commit", "rollback", "panic", or "open" at the end of the script
}

func (b block) rolledBack() bool { return b.end != "" && b.end != "commit" }

// between are the operations for the time between blocks, ends those that end a transaction.
var (
	between = []string{"snapshot", "flush", "reopen"}
	ends    = []string{"commit", "rollback", "panic"}
)

// take takes the first block off a script.
func take(script []Op) (b block, rest []Op) {
	if script[0].Kind != "begin" {
		return block{ops: script[:1]}, script[1:]
	}
	for i, op := range script {
		if slices.Contains(ends, op.Kind) {
			return block{ops: script[1:i], end: op.Kind}, script[i+1:]
		}
	}
	return block{ops: script[1:], end: "open"}, nil
}

// Run runs a script under a configuration and returns its history. A panic of a layer is an error.
func Run(c Config, script []Op) (history []string, err error) {
	m, err := c.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	for n, rest := 0, script; len(rest) > 0; n++ {
		var b block
		b, rest = take(rest)
		history = append(history, step(m, b)...)
		if c.SnapshotEvery > 0 && n%c.SnapshotEvery == c.SnapshotEvery-1 {
			err = m.between("snapshot")
		}
		if err == nil && c.ReopenEvery > 0 && n%c.ReopenEvery == c.ReopenEvery-1 {
			err = m.between("reopen")
		}
		if err != nil {
			return history, fmt.Errorf("after %d blocks: %w", n+1, err)
		}
	}
	for _, op := range contents(script) {
		history = append(history, step(m, block{ops: []Op{op}})...)
	}
	return history, m.close()
}

// contents are the operations that ask for everything a script has left behind.
func contents(script []Op) []Op {
	var keys []string
	for _, op := range script {
		if args, _ := argsOf(op.Kind); strings.HasPrefix(args, "k") && !slices.Contains(private, op.Kind) {
			keys = append(keys, op.Key)
		}
	}
	slices.Sort(keys)
	var ops []Op
	for _, key := range slices.Compact(keys) {
		ops = append(ops, Op{Kind: "len", Key: key}, Op{Kind: "dump", Key: key})
	}
	return append(ops, Op{Kind: "scan"}, Op{Kind: "keys"})
}

// step runs a block and returns a reply for each of its lines.
func step(m machine, b block) []string {
	if b.end == "" {
		return []string{single(m, b)}
	}
	inside := b
	inside.ops = slices.DeleteFunc(slices.Clone(b.ops), skipped)
	replies, err := m.run(inside)
	history := []string{"begin"}
	for _, op := range b.ops {
		if skipped(op) {
			history = append(history, "skipped")
		} else if len(replies) > 0 {
			history, replies = append(history, replies[0]), replies[1:]
		}
	}
	if b.end == "open" && err == nil {
		return history
	}
	return append(history, outcome(b.end, err))
}

// skipped is F3.
func skipped(op Op) bool {
	return op.Kind == "keys" || op.Kind == "begin" || slices.Contains(between, op.Kind)
}

// single runs an operation alone.
func single(m machine, b block) string {
	switch kind := b.ops[0].Kind; {
	case slices.Contains(between, kind):
		return outcome(kind, m.between(kind))
	case slices.Contains(ends, kind):
		return "no transaction"
	case kind == "keys":
		keys, err := m.keys()
		return outcome(fmt.Sprintf("%q", keys), err)
	}
	replies, err := m.run(b)
	if err != nil {
		return outcome("", err)
	}
	return replies[0]
}

// Compare runs a script under every configuration and returns the first difference from the oracle's history (F1).
func Compare(configs []Config, script []Op) error {
	want, err := Run(Oracle, script)
	if err != nil {
		return fmt.Errorf("fuzz: %s: %w", Oracle.Name, err)
	}
	lines := append(slices.Clone(script), contents(script)...)
	for _, c := range configs {
		got, err := Run(c, script)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				return fmt.Errorf("fuzz: %s: line %d: %s\n got %s\nwant %s", c.Name, i+1, lines[i], got[i], want[i])
			}
		}
		if err != nil {
			return fmt.Errorf("fuzz: %s: %w", c.Name, err)
		}
		if len(got) != len(want) {
			return fmt.Errorf("fuzz: %s: %d replies, want %d", c.Name, len(got), len(want))
		}
	}
	return nil
}
