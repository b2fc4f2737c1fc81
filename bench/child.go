package main

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

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/keyspace"
	"github.com/zrankdb/zrank/bench/internal/pauses"
	"github.com/zrankdb/zrank/bench/internal/periods"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/served"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// order is what a subprocess is to do: one of them.
type order struct {
	Durable  *durable.Options  `json:",omitempty"`
	Recovery *recovery.Options `json:",omitempty"`
	Traffic  *traffic.Options  `json:",omitempty"`
	Keyspace *keyspace.Options `json:",omitempty"`
	Pauses   *pauses.Options   `json:",omitempty"`
	Boards   *boards.Options   `json:",omitempty"`
	Periods  *periods.Options  `json:",omitempty"`
	Served   *served.Options   `json:",omitempty"`
}

// newChild is the command that the others start in a subprocess.
func newChild() *cobra.Command {
	return &cobra.Command{
		Use:    "child order",
		Short:  "Do what the order in JSON says in this process and print the figures as JSON",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			var o order
			if err := json.Unmarshal([]byte(args[0]), &o); err != nil {
				return err
			}
			f, err := o.run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(f)
		},
	}
}

// run does it and returns figure.Figures, or figure.Lines of what finds several.
func (o order) run(ctx context.Context, in io.Reader, out io.Writer) (any, error) {
	switch {
	case o.Durable != nil:
		s, err := durable.Start(*o.Durable)
		if err != nil {
			return nil, err
		}
		return turns(s, in, out)
	case o.Traffic != nil:
		s, err := traffic.Start(ctx, *o.Traffic)
		if err != nil {
			return nil, err
		}
		return turns(s, in, out)
	case o.Boards != nil:
		s, err := boards.Start(ctx, *o.Boards)
		if err != nil {
			return nil, err
		}
		return turns(s, in, out)
	case o.Served != nil:
		s, err := served.Start(ctx, *o.Served)
		if err != nil {
			return nil, err
		}
		return turns(s, in, out)
	case o.Periods != nil:
		return periods.Run(ctx, *o.Periods)
	case o.Keyspace != nil:
		return keyspace.Run(ctx, *o.Keyspace)
	case o.Pauses != nil:
		return pauses.Run(*o.Pauses)
	case o.Recovery != nil && o.Recovery.Stage == recovery.StageFill:
		return nil, recovery.Fill(*o.Recovery, out)
	case o.Recovery != nil:
		return recovery.Run(*o.Recovery)
	}
	return nil, errors.New("nothing to do")
}

// command is this program, started again with an order.
func (o order) command(ctx context.Context) (*exec.Cmd, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start it again: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "child", string(text))
	cmd.SysProcAttr = bound
	return cmd, nil
}

// figures has the order done in a subprocess.
func (o order) figures(ctx context.Context) (f figure.Figures, took time.Duration, err error) {
	took, err = o.answer(ctx, &f)
	return f, took, err
}

// answer has the order done in a subprocess, and takes what it answers.
func (o order) answer(ctx context.Context, found any) (took time.Duration, err error) {
	cmd, err := o.command(ctx)
	if err != nil {
		return 0, err
	}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	start := time.Now()
	out, err := cmd.Output()
	took = time.Since(start)
	if err != nil {
		return took, fmt.Errorf("%s: %w\n%s", cmd.Args[2], err, complaint.Bytes())
	}
	if err := json.Unmarshal(out, found); err != nil {
		return took, fmt.Errorf("figures of %s: %w", cmd.Args[2], err)
	}
	return took, nil
}

// killed has the order done in a subprocess until it writes recovery.Ready, and kills it while it goes on.
func (o order) killed(ctx context.Context) error {
	cmd, err := o.command(ctx)
	if err != nil {
		return err
	}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ready := waitFor(out, recovery.Ready)
	killErr := cmd.Process.Kill()
	err = cmd.Wait()
	if !ready {
		return fmt.Errorf("%s: %w\n%s", cmd.Args[2], err, complaint.Bytes())
	}
	return killErr
}

// waitFor reads lines until one of them is there, and reports whether it was.
func waitFor(r io.Reader, line string) bool {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		if lines.Text() == line {
			return true
		}
	}
	return false
}
