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

// processKinds are the options of the engines, by the name that a child process is given.
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

// Configs returns the configurations. The operation kill kills the process between blocks. The operation plant kills it in the middle of a
// block, which is then stored whole or not at all. Configs makes the directories in dir. start returns a command that calls Serve with its
// standard input, its standard output and the given arguments.
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

// process is an engine in a child process.
type process struct {
	dir    string
	start  func() *exec.Cmd
	delays *rand.Rand
	clock  machine.Clock // F7: the child's clock, which a restarted child takes over

	cmd       *exec.Cmd
	in        io.WriteCloser
	questions *gob.Encoder
	answers   *gob.Decoder
	errs      bytes.Buffer // its standard error
	fuse      int          // number of questions until the process is killed in the middle of one; 0: never
	killed    bool         // the fuse has killed it; Restart starts another
	safe      bool         // a crash must not lose any commit

	unanswered    bool // it was killed before it answered
	evicted       int  // evictions up to the last answer, in this process and earlier ones
	evictedBefore int  // evictions in earlier processes

	seq, found uint64 // as Seq and Found
}

// question asks the child to run a block.
type question struct {
	Ops []string
	End string
}

// answer is the answer of the child.
type answer struct {
	Replies []string
	Error   string
	Safe    bool // a crash must not lose any commit
	Evicted int  // evictions

	Seq, Found uint64 // of machine.Numbered
}

// maxDelay bounds the time from a question to the kill. A commit with a flush takes about as long.
const maxDelay = 3 * time.Millisecond

var errUnanswered = errors.New("fuzz: killed before it could answer")

// open starts a child process.
func (m *process) open() error {
	m.fuse, m.killed, m.unanswered, m.safe, m.evictedBefore = 0, false, false, true, m.evicted
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
	return m.receive(&answer{})
}

// ask sends a question and returns the answer. If the fuse is due, it kills the process meanwhile.
func (m *process) ask(ops []script.Op, end string) (a answer, err error) {
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
		return a, m.receive(&a)
	}
	victim := m.cmd.Process // a late fuse must not kill the next process
	fuse := time.AfterFunc(time.Duration(m.delays.Int64N(int64(maxDelay))), func() { _ = victim.Kill() })
	err = m.receive(&a)
	fuse.Stop()
	m.end()
	if err != nil {
		m.unanswered, m.safe = true, false
		return a, errUnanswered
	}
	return a, nil
}

// receive reads an answer.
func (m *process) receive(a *answer) error {
	if err := m.answers.Decode(a); err != nil {
		return m.ended(err)
	}
	m.safe, m.evicted, m.found, m.seq = a.Safe, m.evictedBefore+a.Evicted, a.Found, a.Seq
	if a.Error != "" {
		return errors.New(a.Error)
	}
	return nil
}

// ended returns the error of a process that ended by itself, with its standard error.
func (m *process) ended(err error) error {
	if m.killed {
		return err
	}
	m.end()
	return fmt.Errorf("the process has ended: %w, %v: %.4000s", err, m.cmd.ProcessState, m.errs.String())
}

// end kills the process and waits for its end, which frees the lock of the directory.
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

// Does reports whether a kind of operation does anything: cuts and copies do not.
func (m *process) Does(kind string) bool {
	return !slices.Contains([]string{"cut", "backup", "restore", "salvage"}, kind)
}

func (m *process) Promised() bool { return m.safe }

func (m *process) Crashed() bool { return m.killed }

func (m *process) Unanswered() bool { return m.unanswered }

func (m *process) Restart() error { return m.open() }

func (m *process) Evicted() int { return m.evicted }

// Seq returns the last commit before the last answer.
func (m *process) Seq() uint64 { return m.seq }

// Found returns the last commit that was there when the process opened the engine.
func (m *process) Found() uint64 { return m.found }

// Close makes the process close its engine, and removes the directory.
func (m *process) Close() error {
	err := m.in.Close()
	if ended := m.cmd.Wait(); ended != nil {
		err = fmt.Errorf("%w: %.4000s", ended, m.errs.String())
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}
