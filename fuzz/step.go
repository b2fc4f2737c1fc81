package fuzz

import (
	"fmt"
	"slices"
)

// step runs a block and returns a reply for each of its lines.
func step(c Config, m machine, b block) []string {
	if b.end == "" {
		return []string{single(c, m, b)}
	}
	skipped := func(op Op) bool { return op.skipped() || !c.can(op) }
	inside := b
	inside.ops = slices.DeleteFunc(slices.Clone(b.ops), skipped)
	replies, err := m.run(inside)
	unknown := b.rolledBack() && !c.can(Op{Kind: b.end}) // what the operations would have answered
	history := []string{"begin"}
	for _, op := range b.ops {
		if skipped(op) || unknown {
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

// single runs an operation alone.
func single(c Config, m machine, b block) string {
	switch op := b.ops[0]; {
	case op.is(between):
		return outcome(op.Kind, m.between(op))
	case op.is(ends):
		return "no transaction"
	case !c.can(op):
		return "skipped"
	case op.Kind == "keys":
		keys, err := m.keys()
		return outcome(fmt.Sprintf("%q", keys), err)
	}
	replies, err := m.run(b)
	if err != nil {
		return outcome("", err)
	}
	return replies[0]
}

// contents are the operations that ask for everything a script has left behind.
func contents(c Config, script []Op) []Op {
	var keys, boards []string
	for _, op := range script {
		if keys = append(keys, op.keys()...); op.is(onBoard) && c.can(op) {
			boards = append(boards, op.Key)
		}
	}
	slices.Sort(keys)
	slices.Sort(boards)
	var ops []Op
	for _, key := range slices.Compact(keys) {
		ops = append(ops, Op{Kind: "len", Key: key}, Op{Kind: "dump", Key: key})
		if stat, expiry := (Op{Kind: "stat", Key: key}), (Op{Kind: "expiry", Key: key}); c.can(stat) {
			ops = append(ops, stat)
		} else if c.can(expiry) {
			ops = append(ops, expiry)
		}
	}
	for _, name := range slices.Compact(boards) {
		ops = append(ops, Op{Kind: "board", Key: name})
	}
	return append(ops, Op{Kind: "scan"}, Op{Kind: "keys"})
}
