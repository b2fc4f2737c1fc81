package processes

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// processKinds are engines on a real disk that run in a process of their own.
var processKinds = []struct {
	name    string
	options engine.Options
	group   int
	rates   []machine.Rate
}{
	{"sync", engine.Options{SnapshotBytes: 4 << 10}, 0, machine.Rates("kill", 37, "plant 0 3", 23, "reopen", 90)},
	{"group=8", engine.Options{SnapshotBytes: -1}, 8, machine.Rates("kill", 41, "plant 0 2", 19, "snapshot", 60)},
	{"interval", engine.Options{Durability: engine.Interval, Interval: time.Millisecond, SnapshotBytes: 1 << 10}, 0, machine.Rates("kill", 37, "plant 0 3", 23)},
	{"none", engine.Options{Durability: engine.None, SnapshotBytes: 2 << 10}, 0, machine.Rates("kill", 37, "plant 0 4", 23, "snapshot", 50, "flush", 31)},
}

// Configs are configurations of engines on a real disk, each in a process of its own that is killed by SIGKILL: by kill
// between blocks, and by plant in the middle of one, which is then there whole or not at all. The directories are made in
// dir. start returns a command that calls ServeProcess with its standard input and output and these arguments.
func Configs(dir string, start func(args ...string) *exec.Cmd) (list []machine.Config) {
	for _, k := range processKinds {
		list = append(list, machine.Config{Name: "disk/" + k.name, Layer: "engine", Rates: k.rates, Open: func() (machine.Machine, error) {
			own, err := os.MkdirTemp(dir, "engine")
			if err != nil {
				return nil, err
			}
			m := &process{dir: own, delays: rand.New(rand.NewPCG(1, 2))}
			m.start = func() *exec.Cmd { return start(k.name, own, m.clock.Elapsed()) }
			return m, m.open()
		}})
	}
	return list
}

// process is an engine in another process.
type process struct {
	dir    string
	start  func() *exec.Cmd
	delays *rand.Rand
	clock  machine.Clock // F7: what a process that is started later begins with

	cmd       *exec.Cmd
	in        io.WriteCloser
	questions *gob.Encoder
	answers   *gob.Decoder
	errs      bytes.Buffer // what it has written to standard error
	fuse      int          // questions until it is killed in the middle of one; 0: it will not be
	killed    bool         // by the fuse; it is to be started again
	mute      bool         // and has not answered the question before it was
	safe      bool         // nothing that is committed may be lost
	left      int          // sets that had left memory by the last answer, in processes before and in this one
	before    int          // in those before
}

// question is what the process is asked: to run a block.
type question struct {
	Ops []string
	End string
}

// said is what it says.
type said struct {
	Replies []string
	Error   string
	Safe    bool // nothing that is committed may be lost
	Evicted int  // sets that have left memory
}

// maxDelay is how long after a question the process is killed at most: about what a commit takes that is flushed.
const maxDelay = 3 * time.Millisecond

var errMute = errors.New("fuzz: killed before it could answer")

// open starts a process.
func (m *process) open() error {
	m.fuse, m.killed, m.mute, m.safe, m.before = 0, false, false, true, m.left
	m.errs.Reset()
	m.cmd = m.start()
	m.cmd.Stderr = &m.errs
	in, err := m.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	m.in, m.questions, m.answers = in, gob.NewEncoder(in), gob.NewDecoder(out)
	if err := m.cmd.Start(); err != nil {
		return err
	}
	return m.hear(&said{})
}

// ask asks a question, and kills the process meanwhile if it is time to.
func (m *process) ask(ops []script.Op, end string) (a said, err error) {
	q := question{End: end}
	for _, op := range ops {
		q.Ops = append(q.Ops, op.String())
	}
	if err := m.questions.Encode(q); err != nil {
		return a, m.ended(err)
	}
	if m.fuse > 0 {
		m.fuse--
		m.killed = m.fuse == 0
	}
	if !m.killed {
		return a, m.hear(&a)
	}
	victim := m.cmd.Process // not the one that is started after it, if the fuse is late
	fuse := time.AfterFunc(time.Duration(m.delays.Int64N(int64(maxDelay))), func() { _ = victim.Kill() })
	err = m.hear(&a)
	fuse.Stop()
	m.end()
	if err != nil {
		m.mute, m.safe = true, false
		return a, errMute
	}
	return a, nil
}

// hear reads an answer.
func (m *process) hear(a *said) error {
	if err := m.answers.Decode(a); err != nil {
		return m.ended(err)
	}
	m.safe, m.left = a.Safe, m.before+a.Evicted
	if a.Error != "" {
		return errors.New(a.Error)
	}
	return nil
}

// ended is the error of a process that has ended by itself.
func (m *process) ended(err error) error {
	if m.killed {
		return err
	}
	m.end()
	return fmt.Errorf("the process has ended: %w, %v: %.4000s", err, m.cmd.ProcessState, m.errs.String())
}

// end kills the process and waits until it is gone, and with it its lock of the directory.
func (m *process) end() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

func (m *process) Run(b script.Block) ([]string, error) {
	a, err := m.ask(b.Ops, b.End)
	return a.Replies, err
}

func (m *process) Keys() (keys []string, err error) {
	a, err := m.ask([]script.Op{{Kind: "keys"}}, "")
	return a.Replies, err
}

func (m *process) Between(op script.Op) error {
	switch op.Kind {
	case "kill":
		m.end()
		return m.open()
	case "cut":
		return nil
	case "sleep":
		m.clock.Sleep(op)
	case "plant":
		m.fuse = 1 + max(op.Hi, 0)%8
		return nil
	}
	_, err := m.ask([]script.Op{op}, "")
	return err
}

// Does is all but what needs another disk.
func (m *process) Does(kind string) bool {
	return !slices.Contains([]string{"cut", "backup", "restore", "salvage"}, kind)
}

func (m *process) Promised() bool { return m.safe }

func (m *process) Crashed() bool { return m.killed }

func (m *process) Unanswered() bool { return m.mute }

func (m *process) Restart() error { return m.open() }

func (m *process) Evicted() int { return m.left }

// Close lets the process close its engine, and removes the directory.
func (m *process) Close() error {
	err := m.in.Close()
	if ended := m.cmd.Wait(); ended != nil {
		err = fmt.Errorf("%w: %.4000s", ended, m.errs.String())
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}
