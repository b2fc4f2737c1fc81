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

// runs measures every peer once per repetition, each repetition beginning with another peer.
func (c *comparison) runs(ctx context.Context, progress io.Writer, chosen []peers.Peer) ([]report.Run, error) {
	var runs []report.Run
	for rep := range c.repetitions {
		for turn := range chosen {
			p := chosen[(rep+turn)%len(chosen)]
			fmt.Fprintf(progress, "repetition %d of %d: %s ... ", rep+1, c.repetitions, p.Name)
			r, err := c.subprocess(ctx, p, rep)
			if err != nil {
				fmt.Fprintln(progress, "failed")
				return nil, err
			}
			fmt.Fprintf(progress, "%.1f s\n", r.Seconds)
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// subprocess starts this program again to measure one peer.
func (c *comparison) subprocess(ctx context.Context, p peers.Peer, rep int) (report.Run, error) {
	r := report.Run{Peer: p.Name, Repetition: rep}
	self, err := os.Executable()
	if err != nil {
		return r, fmt.Errorf("find this program to start it again: %w", err)
	}
	var complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, self, "measure", "--peer", p.Name, "--n", c.n.String(),
		"--seed", strconv.FormatUint(c.seed+uint64(rep), 10), "--budget", c.budget.String())
	cmd.Stderr = &complaint
	start := time.Now()
	out, err := cmd.Output()
	r.Seconds = time.Since(start).Seconds()
	if err != nil {
		return r, fmt.Errorf("measure %s: %w\n%s", p.Name, err, complaint.Bytes())
	}
	if err := json.Unmarshal(out, &r.Figures); err != nil {
		return r, fmt.Errorf("figures of %s: %w", p.Name, err)
	}
	return r, nil
}
