package runner

import (
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// runner is a machine and its oracle during a run.
type runner struct {
	c        machine.Config
	m        machine.Machine
	o        machine.Reference
	contents []script.Op // operations that read everything that the script may have changed
	worlds   []func()    // restore the oracle to the worlds that the machine may go back to: those since the last promise, the newest last
	line     int         // the first line of the block under way
	op       script.Op
	out      Result
}

// at returns a reply, or a text that says that it is missing.
func at(replies []string, i int) string {
	if i < len(replies) {
		return replies[i]
	}
	return "no reply"
}

func (r *runner) differ(line int, op script.Op, got, want string) error {
	return &Difference{Config: r.c.Name, Line: line, Op: op, Got: got, Want: want}
}

// Does reports whether a kind of operation does anything to a machine: see machine.Selective.
func Does(m machine.Machine, kind string) bool {
	d, ok := m.(machine.Selective)
	return !ok || d.Does(kind)
}
