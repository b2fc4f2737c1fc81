package runner

import (
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

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
