package runner

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// step runs a block and returns a reply for each of its lines.
func step(c machine.Config, m machine.Machine, b script.Block) []string {
	if b.End == "" {
		return []string{single(c, m, b)}
	}
	skipped := func(op script.Op) bool { return op.Skipped() || !c.Can(op) }
	inside := b
	inside.Ops = slices.DeleteFunc(slices.Clone(b.Ops), skipped)
	replies, err := m.Run(inside)
	unknown := b.RolledBack() && !c.Can(script.Op{Kind: b.End}) // the layer has no rollback, so it has no replies to these operations
	history := []string{"begin"}
	for _, op := range b.Ops {
		if skipped(op) || unknown {
			history = append(history, "skipped")
		} else if len(replies) > 0 {
			history, replies = append(history, replies[0]), replies[1:]
		}
	}
	if b.End == "open" && err == nil {
		return history
	}
	return append(history, apply.Outcome(b.End, err))
}

// single runs an operation alone.
func single(c machine.Config, m machine.Machine, b script.Block) string {
	switch op := b.Ops[0]; {
	case op.Is(script.Between):
		return apply.Outcome(op.Kind, m.Between(op))
	case op.Is(script.Ends):
		return "no transaction"
	case !c.Can(op):
		return "skipped"
	case op.Kind == "keys":
		keys, err := m.Keys()
		return apply.Outcome(fmt.Sprintf("%q", keys), err)
	}
	replies, err := m.Run(b)
	if err != nil {
		return apply.Outcome("", err)
	}
	return replies[0]
}

// contents returns the operations that read everything that a script may have changed.
func contents(c machine.Config, ops []script.Op) []script.Op {
	var keys, boards []string
	for _, op := range ops {
		if keys = append(keys, op.Keys()...); op.Is(script.OnBoard) && c.Can(op) {
			boards = append(boards, op.Key)
		}
	}
	slices.Sort(keys)
	slices.Sort(boards)
	var list []script.Op
	for _, key := range slices.Compact(keys) {
		list = append(list, script.Op{Kind: "len", Key: key}, script.Op{Kind: "dump", Key: key})
		if stat, expiry := (script.Op{Kind: "stat", Key: key}), (script.Op{Kind: "expiry", Key: key}); c.Can(stat) {
			list = append(list, stat)
		} else if c.Can(expiry) {
			list = append(list, expiry)
		}
	}
	for _, name := range slices.Compact(boards) {
		list = append(list, script.Op{Kind: "board", Key: name})
	}
	return append(list, script.Op{Kind: "scan"}, script.Op{Kind: "keys"})
}
