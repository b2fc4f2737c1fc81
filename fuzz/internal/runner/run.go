package runner

import (
	"fmt"
	"runtime/debug"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Run runs a script under a configuration, in lockstep with an oracle, and compares their replies block by block. Errors: *Difference,
// also for a panic of a layer, and errors of opening and closing the machine. O(operations x members): the oracle takes O(members) each.
func Run(c machine.Config, ops []script.Op) (Result, error) {
	m, err := c.Open()
	if err != nil {
		return Result{}, fmt.Errorf("fuzz: %s: %w", c.Name, err)
	}
	r := &runner{c: c, m: m, o: oracle.New(), contents: contents(c, ops)}
	if c.Oracle != nil {
		r.o = c.Oracle()
	}
	r.save()
	r.promised()
	err, panicked := r.all(ops)
	if panicked { // the machine may hold locks: Close could hang
		return r.out, err
	}
	if closed := m.Close(); err == nil && closed != nil {
		err = fmt.Errorf("fuzz: %s: close: %w", c.Name, closed)
	}
	if m, ok := m.(machine.Evicting); ok {
		r.out.Counts.Evictions = m.Evicted()
	}
	return r.out, err
}

// all runs the whole script.
func (r *runner) all(ops []script.Op) (err error, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			err, panicked = r.differ(r.line, r.op, fmt.Sprintf("panic: %v\n%s", p, debug.Stack()), "no panic"), true
		}
	}()
	r.out.Counts.Operations = len(ops)
	for n, rest := 1, ops; len(rest) > 0; n++ {
		r.line = len(ops) - len(rest) + 1
		var b script.Block
		b, rest = script.NextBlock(rest)
		if err := r.block(b, &r.out.History); err != nil {
			return err, false
		}
		for _, rate := range r.c.Rates {
			if n%rate.Every > 0 {
				continue
			}
			if err := r.block(script.Block{Ops: []script.Op{rate.Op}}, nil); err != nil {
				return err, false
			}
		}
	}
	for i, op := range r.contents {
		r.line = len(ops) + 1 + i
		if err := r.block(script.Block{Ops: []script.Op{op}}, &r.out.History); err != nil {
			return err, false
		}
	}
	return nil, false
}

// block runs a block on both machines, compares their replies and appends them to history. Then it deals with crashes.
func (r *runner) block(b script.Block, history *[]string) error {
	lines := b.Lines()
	r.op = lines[0]
	want := step(r.c, r.o, b)
	got := step(r.c, r.m, b)
	if m, ok := r.m.(machine.Silent); ok && m.Unanswered() {
		got = want // the process was killed before it replied
	}
	for i := range max(len(got), len(want)) {
		g, w := at(got, i), at(want, i)
		if !apply.Fits(g, w) {
			return r.differ(r.line+i, lines[min(i, len(lines)-1)], g, w)
		}
	}
	if history != nil {
		*history = append(*history, want...)
	}
	r.count(b)
	return r.finish(b)
}

// count adds a block to the counts.
func (r *runner) count(b script.Block) {
	n := &r.out.Counts
	if !Does(r.m, b.Kind()) {
		return
	}
	switch b.Kind() {
	case "snapshot":
		n.Snapshots++
	case "reopen":
		n.Reopens++
	case "kill":
		n.Kills++
	case "cut":
		n.Cuts++
	}
	if !b.RolledBack() && !b.ReadOnly() {
		n.Commits++
	}
}
