package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// yourTurn is the line that lets a subprocess measure for one turn, and done the line that it answers, before the first
// turn too.
const yourTurn, done = "turn", "done"

// session is a system that measures in turns.
type session interface {
	Turn() error
	End() (figure.Lines, error)
}

// turns is what a subprocess with a session does: it measures when it is told to.
func turns(s session, in io.Reader, out io.Writer) (figure.Lines, error) {
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

// join starts a player of a system and waits until it is ready.
func join(ctx context.Context, system string, o order) (*player, error) {
	cmd, err := o.command(ctx)
	if err != nil {
		return nil, err
	}
	p := &player{system: system, cmd: cmd, began: time.Now()}
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

// leave returns what the player found, a sample for each line.
func (p *player) leave(round int) ([]report.Sample, error) {
	if err := errors.Join(resume(p.cmd.Process), p.in.Close()); err != nil {
		return nil, p.failed(err)
	}
	if !p.out.Scan() {
		return nil, p.failed(errors.New("no figures"))
	}
	var lines figure.Lines
	if err := json.Unmarshal(p.out.Bytes(), &lines); err != nil {
		return nil, fmt.Errorf("figures of %s: %w", p.cmd.Args[2], err)
	}
	return samples(lines, p.system, round, time.Since(p.began)), p.cmd.Wait()
}

// samples parts what one process found.
func samples(lines figure.Lines, system string, round int, took time.Duration) (list []report.Sample) {
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		list = append(list, report.Sample{Line: line, System: system, Round: round, Seconds: took.Seconds(), Figures: lines[line]})
	}
	return list
}

// failed ends the subprocess, and says why with what it wrote.
func (p *player) failed(err error) error {
	_ = p.cmd.Process.Kill() // it may have ended by itself, or be stopped
	return fmt.Errorf("%s: %w\n%s", p.cmd.Args[2], errors.Join(err, p.cmd.Wait()), p.complaint.Bytes())
}

// game is one round of a row: systems that measure side by side.
type game struct {
	systems []string
	turns   int                            // of each
	order   func(system, dir string) order // what a system's subprocess is to do, in an empty directory of its own
}

// play has the players take turns, and returns what they found.
func (g game) play(ctx context.Context, dir string, round int) (found []report.Sample, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the players that are left after a failure
	var players []*player
	for turn := range g.systems {
		system := g.systems[(round+turn)%len(g.systems)]
		own, err := os.MkdirTemp(dir, "run-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(own)
		p, err := join(ctx, system, g.order(system, own))
		if err != nil {
			return nil, err
		}
		players = append(players, p)
	}
	if err := duel(players, g.turns); err != nil {
		return nil, err
	}
	for _, p := range players {
		own, err := p.leave(round)
		if err != nil {
			return nil, err
		}
		found = append(found, own...)
	}
	return found, nil
}

// duel has the players measure in turns, each round of turns in another order.
func duel(players []*player, turns int) error {
	for turn := range turns {
		for i := range players {
			if err := players[(i+turn)%len(players)].turn(); err != nil {
				return err
			}
		}
	}
	return nil
}
