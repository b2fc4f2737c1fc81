package script

import (
	"slices"
)

// Block is an operation alone, or the operations of a transaction.
type Block struct {
	Ops []Op
	End string // "" for an operation alone, "commit", "rollback", "panic", or "open" at the end of the script
}

// Kind returns the kind of an operation alone, and "" for a transaction.
func (b Block) Kind() string {
	if b.End != "" {
		return ""
	}
	return b.Ops[0].Kind
}

// RolledBack reports whether the block is a transaction that changes nothing in the end.
func (b Block) RolledBack() bool { return b.End != "" && b.End != "commit" }

// ReadOnly reports whether the block changes nothing.
func (b Block) ReadOnly() bool {
	return !slices.ContainsFunc(b.Ops, func(op Op) bool { return !op.Is(reads | Between | Ends) })
}

// Lines returns the lines of the script that make the block, begin and the end included.
func (b Block) Lines() []Op {
	if b.End == "" {
		return b.Ops
	}
	lines := append([]Op{{Kind: "begin"}}, b.Ops...)
	if b.End != "open" {
		lines = append(lines, Op{Kind: b.End})
	}
	return lines
}

// NextBlock returns the first block of a script, and the rest of the script.
func NextBlock(script []Op) (b Block, rest []Op) {
	if script[0].Kind != "begin" {
		return Block{Ops: script[:1]}, script[1:]
	}
	for i, op := range script {
		if op.Is(Ends) {
			return Block{Ops: script[1:i], End: op.Kind}, script[i+1:]
		}
	}
	return Block{Ops: script[1:], End: "open"}, nil
}
