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
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// minRepetitions is how many it takes to have a median and a spread.
const minRepetitions = 3

// lineup is what compare, growth and latency share: their flags, and the peers and the workload that these name.
type lineup struct {
	repetitions int
	names       []string
	workload    string
	seed        uint64
	budget      time.Duration
	dir         string
	json        bool

	peers []peers.Peer
	load  *workload.Workload
}

// flags adds them to a command.
func (l *lineup) flags(cmd *cobra.Command, budget string) {
	f := cmd.Flags()
	f.IntVar(&l.repetitions, "repetitions", minRepetitions, "runs of each peer, 3 or more")
	usual := "all that this machine has"
	if len(l.names) > 0 {
		usual = strings.Join(l.names, ",")
	}
	f.StringSliceVar(&l.names, "peers", l.names, "peers besides zset: "+strings.Join(peers.Names()[1:], ", ")+" (default "+usual+")")
	f.Lookup("peers").DefValue = "[]" // none to pflag
	f.StringVar(&l.workload, "workload", workload.Uniform, "what is done: "+strings.Join(workload.Names(), ", ")+
		", or FILE.csv[.gz] to replay; see workloads")
	f.Uint64Var(&l.seed, "seed", 1, "seed of the first repetition's load; the next ones count on")
	f.DurationVar(&l.budget, "budget", time.Second, budget)
	f.StringVar(&l.dir, "dir", os.TempDir(), "where pebble and redis have their files; what is made there is taken away again")
	f.BoolVar(&l.json, "json", false, "print every raw figure as JSON instead of tables")
}

// prepare checks the flags, finds the peers and the workload, and compares the peers with the model. The directory is for all that
// follows; end takes it away.
func (l *lineup) prepare(progress io.Writer) (end func() error, err error) {
	if l.repetitions < minRepetitions {
		return nil, fmt.Errorf("--repetitions is %d; a median and a spread need %d or more", l.repetitions, minRepetitions)
	}
	if l.budget <= 0 {
		return nil, fmt.Errorf("--budget is %v; it must be positive", l.budget)
	}
	if l.load, err = workload.Find(l.workload); err != nil {
		return nil, fmt.Errorf("--workload: %w", err)
	}
	var missing []string
	if l.peers, missing, err = peers.Select(l.names); err != nil {
		return nil, fmt.Errorf("--peers: %w", err)
	}
	for _, program := range missing {
		fmt.Fprintf(progress, "no %s in the path: not measured\n", program)
	}
	if l.dir, err = os.MkdirTemp(l.dir, "zrank-bench-"); err != nil {
		return nil, err
	}
	end = func() error { return os.RemoveAll(l.dir) }
	if err := l.gate(progress); err != nil {
		_ = end() // the other error says more
		return nil, err
	}
	return end, nil
}

// gate compares every peer with the model.
func (l *lineup) gate(progress io.Writer) error {
	for _, p := range l.peers {
		if err := l.within(func(dir string) error { return peers.Check(p, dir) }); err != nil {
			return err
		}
	}
	fmt.Fprintf(progress, "%d peers agree with the model\n", len(l.peers))
	return nil
}

// within calls f with an empty directory, which is gone afterwards.
func (l *lineup) within(f func(dir string) error) error {
	own, err := os.MkdirTemp(l.dir, "run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	return f(own)
}

// task is one run to be made.
type task struct {
	n          size
	repetition int
	peer       peers.Peer
}

// tasks lists the runs in order: every peer once per repetition, each repetition beginning with another peer.
func (l *lineup) tasks(all sizes) []task {
	var list []task
	for _, n := range all {
		for rep := range l.repetitions {
			for turn := range l.peers {
				list = append(list, task{n, rep, l.peers[(rep+turn)%len(l.peers)]})
			}
		}
	}
	return list
}

// each makes the runs, tells how far it is, and calls take with what each found: one(t) makes a place for that.
func each[T any](ctx context.Context, l *lineup, w io.Writer, list []task, flag string, take func(t task, seconds float64, found T)) error {
	var took pace
	for i, t := range list {
		fmt.Fprintf(w, "n = %d, repetition %d of %d: %s ... ", t.n, t.repetition+1, l.repetitions, t.peer.Name)
		var found T
		seconds, err := l.subprocess(ctx, t, flag, &found)
		if err != nil {
			fmt.Fprintln(w, "failed")
			return err
		}
		take(t, seconds, found)
		took = append(took, timed{t, seconds})
		fmt.Fprintf(w, "%.1f s", seconds)
		if rest := list[i+1:]; len(rest) > 0 {
			fmt.Fprintf(w, ", about %s left", took.left(rest))
		}
		fmt.Fprintln(w)
	}
	return nil
}

// subprocess starts this program again to measure one peer, with one more flag of measure if it is not empty.
func (l *lineup) subprocess(ctx context.Context, t task, flag string, found any) (seconds float64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("find this program to start it again: %w", err)
	}
	err = l.within(func(dir string) error {
		args := []string{"measure", "--peer", t.peer.Name, "--n", t.n.String(), "--workload", l.workload, "--dir", dir,
			"--seed", strconv.FormatUint(l.seed+uint64(t.repetition), 10), "--budget", l.budget.String()}
		if flag != "" {
			args = append(args, flag)
		}
		var complaint bytes.Buffer
		cmd := exec.CommandContext(ctx, self, args...)
		cmd.SysProcAttr, cmd.Stderr = bound, &complaint
		start := time.Now()
		out, err := cmd.Output()
		seconds = time.Since(start).Seconds()
		if err != nil {
			return fmt.Errorf("measure %s: %w\n%s", t.peer.Name, err, complaint.Bytes())
		}
		if err := json.Unmarshal(out, found); err != nil {
			return fmt.Errorf("figures of %s: %w", t.peer.Name, err)
		}
		return nil
	})
	return seconds, err
}
