package runner

import (
	"fmt"
	"runtime/debug"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Result is what a run has answered and done.
type Result struct {
	History []string // a reply for each operation of the script, and then for those that ask for everything it has left behind
	Counts  Counts
}

// Counts say how much a run, or many together, has done.
type Counts struct {
	Operations int // of the script
	Commits    int // blocks that may have changed something and were not rolled back
	Snapshots  int // asked for
	Reopens    int
	Kills      int
	Cuts       int // of the power
	Evictions  int // sets that have left memory
	Lost       int // commits that kills and cuts took
}

// Add adds the counts of another run.
func (c *Counts) Add(other Counts) {
	c.Operations += other.Operations
	c.Commits += other.Commits
	c.Snapshots += other.Snapshots
	c.Reopens += other.Reopens
	c.Kills += other.Kills
	c.Cuts += other.Cuts
	c.Evictions += other.Evictions
	c.Lost += other.Lost
}

// Difference is where a configuration first answered something else than its oracle. It is an error.
type Difference struct {
	Config string    // its name
	Line   int       // of the script, from 1; beyond its end: of what asks for everything it has left behind
	Op     script.Op // at that line, or that the configuration put in after it by itself
	Got    string    // or "panic: ..."
	Want   string
}

// Error shows the operation, and both replies around where they begin to differ.
func (d *Difference) Error() string {
	same := 0
	for same < min(len(d.Got), len(d.Want)) && d.Got[same] == d.Want[same] {
		same++
	}
	return fmt.Sprintf("fuzz: %s: line %d: %s\n got %s\nwant %s", d.Config, d.Line, d.Op, around(d.Got, same), around(d.Want, same))
}

// around is the part of a long text at a place.
func around(text string, at int) string {
	const before, after = 100, 700
	if from := at - before; from > before {
		text = "... " + text[from:]
	}
	if len(text) > before+after {
		text = text[:before+after] + " ..."
	}
	return text
}

// Run runs a script under a configuration, and on an oracle beside it, and compares them block by block. An error is a
// *Difference, or says why the machine could not be opened or closed; a panic of a layer is a Difference. O(operations), and what
// the oracle takes for each: O(members).
func Run(c machine.Config, ops []script.Op) (Result, error) {
	m, err := c.Open()
	if err != nil {
		return Result{}, fmt.Errorf("fuzz: %s: %w", c.Name, err)
	}
	r := &runner{c: c, m: m, o: oracle.New(), contents: contents(c, ops)}
	if c.Oracle != nil {
		r.o = c.Oracle()
	}
	r.worlds = r.o.Save()
	err, panicked := r.all(ops)
	if panicked { // whatever it holds may be locked
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

// runner is a run under way.
type runner struct {
	c        machine.Config
	m        machine.Machine
	o        machine.Reference
	contents []script.Op // that ask for everything
	worlds   []func()    // what the machine may go back to, by the reference's save: since the last promise, now at the end
	line     int         // the first of the block under way
	op       script.Op
	out      Result
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

// block runs a block on both machines and compares their replies, which go to history. Then it settles what may be lost.
func (r *runner) block(b script.Block, history *[]string) error {
	lines := b.Lines()
	r.op = lines[0]
	want := step(r.c, r.o, b)
	got := step(r.c, r.m, b)
	if m, ok := r.m.(machine.Silent); ok && m.Unanswered() {
		got = want // whatever it would have answered
	}
	for i := range max(len(got), len(want)) {
		g, w := at(got, i), at(want, i)
		if g != w {
			return r.differ(r.line+i, lines[min(i, len(lines)-1)], g, w)
		}
	}
	if history != nil {
		*history = append(*history, got...)
	}
	r.count(b)
	return r.settle(b)
}

// at is a reply, or says that there is none.
func at(replies []string, i int) string {
	if i < len(replies) {
		return replies[i]
	}
	return "no reply"
}

func (r *runner) differ(line int, op script.Op, got, want string) error {
	return &Difference{Config: r.c.Name, Line: line, Op: op, Got: got, Want: want}
}

// Does reports whether a kind of operation does anything to a machine: some pass over those that are about a disk.
func Does(m machine.Machine, kind string) bool {
	d, ok := m.(machine.Selective)
	return !ok || d.Does(kind)
}

// count counts a block that has been run.
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
