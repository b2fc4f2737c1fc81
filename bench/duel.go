package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// yourTurn is the line that lets a subprocess measure for one turn, and done the line that it answers, before the first
// turn too.
const yourTurn, done = "turn", "done"

// turns is what a subprocess of durable does: it measures when it is told to.
func turns(o durable.Options, in io.Reader, out io.Writer) (figure.Figures, error) {
	s, err := durable.Start(o)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(in)
	for {
		if _, err := fmt.Fprintln(out, done); err != nil {
			return nil, err
		}
		if !lines.Scan() {
			return s.End()
		}
		if err := s.Turn(); err != nil {
			return nil, err
		}
	}
}

// player is a subprocess that takes turns.
type player struct {
	system    string
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Scanner
	complaint bytes.Buffer
	began     time.Time
}

// join starts a player and waits until it is ready.
func join(ctx context.Context, o durable.Options) (*player, error) {
	cmd, err := order{Durable: &o}.command(ctx)
	if err != nil {
		return nil, err
	}
	p := &player{system: o.System, cmd: cmd, began: time.Now()}
	cmd.Stderr = &p.complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return p, p.wait()
}

// wait waits until the player is done with what it does, and stops it: what it does in the background takes its own time,
// not that of the others.
func (p *player) wait() error {
	if !p.out.Scan() || p.out.Text() != done {
		return p.failed(errors.New("it ended before its time"))
	}
	return halt(p.cmd.Process)
}

func (p *player) turn() error {
	if err := resume(p.cmd.Process); err != nil {
		return p.failed(err)
	}
	if _, err := fmt.Fprintln(p.in, yourTurn); err != nil {
		return p.failed(err)
	}
	return p.wait()
}

// leave returns what the player found.
func (p *player) leave() (report.Sample, error) {
	x := report.Sample{System: p.system}
	if err := errors.Join(resume(p.cmd.Process), p.in.Close()); err != nil {
		return x, p.failed(err)
	}
	if !p.out.Scan() {
		return x, p.failed(errors.New("no figures"))
	}
	if err := json.Unmarshal(p.out.Bytes(), &x.Figures); err != nil {
		return x, fmt.Errorf("figures of %s: %w", p.cmd.Args[2], err)
	}
	x.Seconds = time.Since(p.began).Seconds()
	return x, p.cmd.Wait()
}

// failed ends the subprocess, and says why with what it wrote.
func (p *player) failed(err error) error {
	_ = p.cmd.Process.Kill() // it may have ended by itself, or be stopped
	return fmt.Errorf("%s: %w\n%s", p.cmd.Args[2], errors.Join(err, p.cmd.Wait()), p.complaint.Bytes())
}

// duel has the players measure in turns, each round of turns in the other order.
func duel(players []*player) error {
	for turn := range durable.Turns {
		for i := range players {
			if err := players[(i+turn)%len(players)].turn(); err != nil {
				return err
			}
		}
	}
	return nil
}
