package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// The lines between this program and a subprocess: measure for one turn; the turn, or the start, is done.
const lineTurn, lineDone = "turn", "done"

// ChildCommand is the hidden command that a subprocess is started with, before its Options as JSON.
const ChildCommand = "child"

// Serve is what a subprocess does: it starts the session of its job, measures when it is told to, and prints the samples.
func Serve(ctx context.Context, all []*Benchmark, job string, in io.Reader, out io.Writer) error {
	var o Options
	if err := json.Unmarshal([]byte(job), &o); err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(b *Benchmark) bool { return b.Name == o.Bench })
	if i < 0 {
		return fmt.Errorf("no benchmark %q", o.Bench)
	}
	s, err := all[i].Start(ctx, o)
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); ; {
		if _, err := fmt.Fprintln(out, lineDone); err != nil {
			return err
		}
		if !lines.Scan() {
			break
		}
		if err := s.Turn(); err != nil {
			return err
		}
	}
	found, err := s.End()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(found)
}

// child is a subprocess.
type child struct {
	o      Options
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	began  time.Time
	stops  bool // it is stopped while others measure
}

// launch starts a subprocess.
func launch(ctx context.Context, o Options) (*child, error) {
	job, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start it again: %w", err)
	}
	x := &child{o: o, cmd: exec.CommandContext(ctx, self, ChildCommand, string(job)), began: time.Now()}
	x.cmd.SysProcAttr, x.cmd.Stderr = endWithParent, &x.stderr
	out, err := x.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	x.out = bufio.NewReader(out)
	if x.in, err = x.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return x, x.cmd.Start()
}

// start starts a subprocess and waits until its session has started.
func start(ctx context.Context, o Options, stops bool) (*child, error) {
	x, err := launch(ctx, o)
	if err != nil {
		return nil, err
	}
	x.stops = stops
	return x, x.wait(lineDone)
}

// wait waits for a line, and stops the subprocess: its background work takes its own time, not that of the others.
func (x *child) wait(line string) error {
	if text, err := x.out.ReadString('\n'); err != nil || text != line+"\n" {
		return x.failed(errors.New("it ended before its time"))
	}
	if x.stops {
		return halt(x.cmd.Process)
	}
	return nil
}

func (x *child) turn() error {
	err := resume(x.cmd.Process)
	if err == nil {
		_, err = fmt.Fprintln(x.in, lineTurn)
	}
	if err != nil {
		return x.failed(err)
	}
	return x.wait(lineDone)
}

// end ends the session and returns its samples.
func (x *child) end(round, n int) (found []Sample, err error) {
	if x.stops {
		err = resume(x.cmd.Process)
	}
	err = errors.Join(err, x.in.Close())
	if err == nil {
		err = json.NewDecoder(x.out).Decode(&found)
	}
	if err != nil {
		return nil, x.failed(err)
	}
	for i := range found {
		s := &found[i]
		s.Round, s.N, s.Seconds = round, n, time.Since(x.began).Seconds()
		if s.System == "" {
			s.System = x.o.System
		}
	}
	return found, x.cmd.Wait()
}

// failed ends the subprocess, and adds what it printed to the error.
func (x *child) failed(err error) error {
	_ = x.cmd.Process.Kill() // it may have ended by itself
	return fmt.Errorf("%s, %s, %s: %w\n%s", x.o.Bench, x.o.Case, x.o.System, errors.Join(err, x.cmd.Wait()), x.stderr.Bytes())
}

// Fresh does a job in a process that has done nothing before, and returns its samples.
func Fresh(ctx context.Context, o Options) ([]Sample, error) {
	x, err := start(ctx, o, false)
	if err != nil {
		return nil, err
	}
	return x.end(0, 0)
}

// Killed starts a job in a subprocess, and kills it when it has printed a line.
func Killed(ctx context.Context, o Options, line string) error {
	x, err := launch(ctx, o)
	if err != nil {
		return err
	}
	if err := x.wait(line); err != nil {
		return err
	}
	err = x.cmd.Process.Kill()
	_ = x.cmd.Wait() // killed
	return err
}
