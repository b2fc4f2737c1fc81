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
	worlds   []world     // those that the machine may go back to: those since the last promise, the newest last
	line     int         // the first line of the block under way
	op       script.Op
	out      Result
}

// world is a world of the oracle.
type world struct {
	restore func()
	seq     uint64 // a commit that the machine had made by then; 0: it cannot lose the world, or does not number its commits
}

// save adds the oracle's worlds after a block.
func (r *runner) save() {
	seq := uint64(0)
	if len(r.worlds) > 0 {
		seq = r.worlds[len(r.worlds)-1].seq
	}
	for _, restore := range r.o.Save() {
		r.worlds = append(r.worlds, world{restore, seq})
	}
	if m, ok := r.m.(machine.Numbered); ok {
		r.worlds[len(r.worlds)-1].seq = m.Seq()
	}
}

// promised keeps the newest world only, which no crash can take.
func (r *runner) promised() {
	r.worlds = []world{{restore: r.worlds[len(r.worlds)-1].restore}}
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
