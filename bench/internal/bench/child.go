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
	"time"

	"github.com/zrankdb/zrank/bench/internal/process"
)

// The lines between this program and a subprocess. lineTurn asks for a turn; lineDone says that the start or the turn is done.
const lineTurn, lineDone = "turn", "done"

// ChildCommand is the hidden command that a subprocess is started with, before its Options as JSON.
const ChildCommand = "child"

// Serve runs a subprocess: it starts the session of its job, measures a turn for each line of in, and prints the samples.
func Serve(ctx context.Context, all []*Benchmark, job string, in io.Reader, out io.Writer) error {
	var o Options
	if err := json.Unmarshal([]byte(job), &o); err != nil {
		return err
	}
	b := Named(all, o.Bench)
	if b == nil {
		return fmt.Errorf("no benchmark %q", o.Bench)
	}
	s, err := b.Start(ctx, o)
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
	stops  bool // the subprocess is stopped while others measure
}

// start starts a subprocess and waits until its session has started.
func start(ctx context.Context, o Options, stops bool) (*child, error) {
	job, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start it again: %w", err)
	}
	x := &child{o: o, cmd: exec.CommandContext(ctx, self, ChildCommand, string(job)), began: time.Now(), stops: stops}
	x.cmd.SysProcAttr, x.cmd.Stderr = process.Attr, &x.stderr
	out, err := x.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	x.out = bufio.NewReader(out)
	if x.in, err = x.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := x.cmd.Start(); err != nil {
		return nil, err
	}
	return x, x.wait()
}

// wait waits until the start or the turn is done. It then stops the subprocess, so that background work costs only its own turns.
func (x *child) wait() error {
	if text, err := x.out.ReadString('\n'); err != nil || text != lineDone+"\n" {
		return x.failed(errors.New("it ended before its time"))
	}
	if x.stops {
		return process.Stop(x.cmd.Process)
	}
	return nil
}

func (x *child) turn() error {
	err := process.Resume(x.cmd.Process)
	if err == nil {
		_, err = fmt.Fprintln(x.in, lineTurn)
	}
	if err != nil {
		return x.failed(err)
	}
	return x.wait()
}

// end ends the session and returns its samples.
func (x *child) end(round, n int) (found []Sample, err error) {
	if x.stops {
		err = process.Resume(x.cmd.Process)
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

// failed ends the subprocess, and adds its standard error to the error.
func (x *child) failed(err error) error {
	_ = x.cmd.Process.Kill() // it may have ended by itself
	return fmt.Errorf("%s, %s, %s: %w\n%s", x.o.Bench, x.o.Case, x.o.System, errors.Join(err, x.cmd.Wait()), x.stderr.Bytes())
}

// Fresh does a job in a new process, and returns its samples.
func Fresh(ctx context.Context, o Options) ([]Sample, error) {
	x, err := start(ctx, o, false)
	if err != nil {
		return nil, err
	}
	return x.end(0, 0)
}

// Killed starts a job in a subprocess, and kills it once its session has started.
func Killed(ctx context.Context, o Options) error {
	x, err := start(ctx, o, false)
	if err != nil {
		return err
	}
	err = process.Kill(x.cmd.Process)
	_ = x.cmd.Wait() // killed
	return err
}
