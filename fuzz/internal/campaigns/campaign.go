package campaigns

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
)

// Plan says what a campaign runs. Configs, Seed and i determine the configuration and the seed of script i, from 0. So timing decides only
// how many scripts run. Each configuration has one turn a round; those without a disk have lightTurns more, as their scripts take much less
// time.
type Plan struct {
	Configs   []machine.Config // at least one
	Seed      uint64
	Lines     int           // operations of each script; 0: DefaultLines
	Workers   int           // scripts at a time; 0: one
	KeepGoing bool          // a failure stops its configuration and not the campaign
	Timeout   time.Duration // a script that takes longer has failed; 0: DefaultTimeout
	ShrinkFor time.Duration // time to shrink a failure; 0: DefaultShrinkFor
}

// The defaults of a Plan.
const (
	DefaultLines     = 300
	DefaultTimeout   = 2 * time.Minute
	DefaultShrinkFor = 30 * time.Second
)

const lightTurns = 9

// Campaign is a run of many scripts under many configurations.
type Campaign struct {
	plan  Plan
	turns []int         // indexes of configurations, in the order of their turns
	next  atomic.Uint64 // number of the next script
	began time.Time

	mu       sync.Mutex
	rows     []Row
	failures []*Failure
}

// Row has the counts of one configuration.
type Row struct {
	Config  machine.Config
	Scripts int // scripts that have ended
	Counts  runner.Counts
	Failed  bool
}

// New makes a campaign; Run starts it. Errors: a plan without configurations, or with numbers below zero.
func New(p Plan) (*Campaign, error) {
	if len(p.Configs) == 0 {
		return nil, errors.New("fuzz: no configuration to run")
	}
	if p.Lines < 0 || p.Workers < 0 || p.Timeout < 0 || p.ShrinkFor < 0 {
		return nil, errors.New("fuzz: lines, workers and times must not be negative")
	}
	p.Lines = cmp.Or(p.Lines, DefaultLines)
	p.Timeout = cmp.Or(p.Timeout, DefaultTimeout)
	p.ShrinkFor = cmp.Or(p.ShrinkFor, DefaultShrinkFor)
	p.Workers = max(p.Workers, 1)
	c := &Campaign{plan: p}
	for i, config := range p.Configs {
		c.rows, c.turns = append(c.rows, Row{Config: config}), append(c.turns, i)
	}
	for range lightTurns {
		for i, config := range p.Configs {
			if config.Light {
				c.turns = append(c.turns, i)
			}
		}
	}
	return c, nil
}

// Run runs scripts until ctx is done or one has failed. It lets scripts under way end, and shrinks failures. With KeepGoing it goes on
// until every configuration has failed. It returns the failures in the order in which they were found. Call it once.
func (c *Campaign) Run(ctx context.Context) []*Failure {
	c.began = time.Now()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var workers sync.WaitGroup
	for range c.plan.Workers {
		workers.Go(func() { c.work(ctx, stop) })
	}
	workers.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.failures)
}

// Rows returns the present counts, in the order of the plan's configurations. Any goroutine may call it, also during Run.
func (c *Campaign) Rows() []Row {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.rows)
}

// work runs one script after the other, and records and shrinks the first failure of each configuration.
func (c *Campaign) work(ctx context.Context, stop func()) {
	for ctx.Err() == nil && c.left() {
		i := c.next.Add(1) - 1
		index := c.turns[i%uint64(len(c.turns))]
		config := c.plan.Configs[index]
		if c.hasFailed(index) {
			continue
		}
		f := &Failure{Config: config.Name, Seed: ScriptSeed(c.plan.Seed, i), Lines: c.plan.Lines}
		f.Script = config.Generate(f.Seed, f.Lines)
		var result runner.Result
		result, f.Err = RunWithin(context.Background(), config, f.Script, c.plan.Timeout)
		if !c.done(index, result.Counts, f.Err) {
			continue
		}
		f.After = time.Since(c.began)
		if !c.plan.KeepGoing {
			stop()
		}
		f.shrink(config, c.plan.Timeout, c.plan.ShrinkFor)
		c.mu.Lock()
		c.failures = append(c.failures, f)
		c.mu.Unlock()
	}
}

// left reports whether at least one configuration has not failed.
func (c *Campaign) left() bool {
	return slices.ContainsFunc(c.Rows(), func(r Row) bool { return !r.Failed })
}

func (c *Campaign) hasFailed(index int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows[index].Failed
}

// done counts a script and reports whether it is the first failure of its configuration.
func (c *Campaign) done(index int, counts runner.Counts, err error) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	row := &c.rows[index]
	row.Scripts++
	row.Counts.Add(counts)
	first = err != nil && !row.Failed
	row.Failed = row.Failed || err != nil
	return first
}

// ScriptSeed returns the seed of the i-th script of a campaign, for [Config.Generate].
func ScriptSeed(seed, i uint64) uint64 { return rand.NewPCG(seed, i).Uint64() }
