package fuzz

import (
	"slices"
)

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
