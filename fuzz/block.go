package fuzz

import (
	"fmt"
	"slices"
)

// machine is what scripts run on.
type machine interface {
	run(b block) (replies []string, err error) // one reply for each operation
	keys() ([]string, error)
	between(op Op) error // one of betweenKinds; what means nothing to the machine does nothing
	close() error
}

// block is an operation alone, or those of a transaction.
type block struct {
	ops []Op
	end string // "" for an operation alone, "commit", "rollback", "panic", or "open" at the end of the script
}

// first is the kind of an operation alone.
func (b block) first() string {
	if b.end != "" {
		return ""
	}
	return b.ops[0].Kind
}

func (b block) rolledBack() bool { return b.end != "" && b.end != "commit" }

// reads reports whether the block changes nothing.
func (b block) reads() bool {
	return !slices.ContainsFunc(b.ops, func(op Op) bool { return !op.is(reads | between | ends) })
}

// lines are the operations of the script that the block is made of.
func (b block) lines() []Op {
	if b.end == "" {
		return b.ops
	}
	lines := append([]Op{{Kind: "begin"}}, b.ops...)
	if b.end != "open" {
		lines = append(lines, Op{Kind: b.end})
	}
	return lines
}

// take takes the first block off a script.
func take(script []Op) (b block, rest []Op) {
	if script[0].Kind != "begin" {
		return block{ops: script[:1]}, script[1:]
	}
	for i, op := range script {
		if op.is(ends) {
			return block{ops: script[1:i], end: op.Kind}, script[i+1:]
		}
	}
	return block{ops: script[1:], end: "open"}, nil
}

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
