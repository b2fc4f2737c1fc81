package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// task is one run to be made.
type task struct {
	n          size
	repetition int
	peer       peers.Peer
}

// tasks lists the runs in order: every peer once per repetition, each repetition beginning with another peer.
func (c *comparison) tasks(chosen []peers.Peer) []task {
	var list []task
	for _, n := range c.sizes {
		for rep := range c.repetitions {
			for turn := range chosen {
				list = append(list, task{n, rep, chosen[(rep+turn)%len(chosen)]})
			}
		}
	}
	return list
}

// runs makes them, and returns them by size.
func (c *comparison) runs(ctx context.Context, w io.Writer, list []task) (map[size][]report.Run, error) {
	runs := map[size][]report.Run{}
	var took pace
	for i, t := range list {
		fmt.Fprintf(w, "n = %d, repetition %d of %d: %s ... ", t.n, t.repetition+1, c.repetitions, t.peer.Name)
		r, err := c.subprocess(ctx, t)
		if err != nil {
			fmt.Fprintln(w, "failed")
			return nil, err
		}
		runs[t.n] = append(runs[t.n], r)
		took = append(took, timed{t, r.Seconds})
		fmt.Fprintf(w, "%.1f s", r.Seconds)
		if rest := list[i+1:]; len(rest) > 0 {
			fmt.Fprintf(w, ", about %s left", took.left(rest))
		}
		fmt.Fprintln(w)
	}
	return runs, nil
}

// subprocess starts this program again to measure one peer.
func (c *comparison) subprocess(ctx context.Context, t task) (report.Run, error) {
	r := report.Run{Peer: t.peer.Name, Repetition: t.repetition}
	self, err := os.Executable()
	if err != nil {
		return r, fmt.Errorf("find this program to start it again: %w", err)
	}
	var complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, self, "measure", "--peer", t.peer.Name, "--n", t.n.String(),
		"--seed", strconv.FormatUint(c.seed+uint64(t.repetition), 10), "--budget", c.budget.String())
	cmd.Stderr = &complaint
	start := time.Now()
	out, err := cmd.Output()
	r.Seconds = time.Since(start).Seconds()
	if err != nil {
		return r, fmt.Errorf("measure %s: %w\n%s", t.peer.Name, err, complaint.Bytes())
	}
	if err := json.Unmarshal(out, &r.Figures); err != nil {
		return r, fmt.Errorf("figures of %s: %w", t.peer.Name, err)
	}
	return r, nil
}
