package boards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
)

// moderation is the case of players who are in each of a thousand closed days, n places in all, one of whom is banned or erased while a crew submits. Each
// event has a board of its own.
const moderation = "moderation"

// closedDays is the number of closed days of the case.
const closedDays = 1000

// operator is who moderates.
var operator = board.Action{By: "bench", Reason: "measured"}

// moderationEvents are the events of the case.
var moderationEvents = []struct {
	name, title string
	do          func(a *arena, member string) (board.Moderated, error) // nil: nothing happens
}{
	{"nothing", "nobody is banned", nil},
	{"ban", "a player is banned from 1,000 closed days", func(a *arena, member string) (board.Moderated, error) {
		return a.Ban(context.Background(), member, operator)
	}},
	{"erase", "a player is erased from 1,000 closed days", func(a *arena, member string) (board.Moderated, error) {
		return a.Erase(context.Background(), member, operator)
	}},
}

func moderationLine(event string) string { return moderation + "/" + event }

// runModeration runs all events.
func runModeration(o bench.Options) (found []bench.Sample, err error) {
	for _, e := range moderationEvents {
		f := figure.Figures{}
		if err := runModerationEvent(o, o.Dir+"/"+e.name, e.do, f); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		found = append(found, bench.Sample{Line: moderationLine(e.name), Figures: f})
	}
	return found, nil
}

func runModerationEvent(o bench.Options, dir string, do func(*arena, string) (board.Moderated, error), f figure.Figures) (err error) {
	c := newClock()
	a, err := openArena(dir, quiet, c, board.Day)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	players := max(o.N/closedDays, 1)
	if err := a.closeDays(c, o.N, players); err != nil {
		return err
	}
	name := func(i int) string {
		s := workload.NewStream(1, func(int) int { return o.N + i }, func() float64 { return 0 })
		return s.Key(0).Name
	}
	if do == nil {
		if err := a.readHistories(players, name, f); err != nil {
			return err
		}
		if err := a.weighIndex(dir, players, f); err != nil {
			return err
		}
	}
	runtime.GC()
	var event func() error
	if do != nil {
		event = func() error {
			return a.timeModeration(func() (board.Moderated, error) { return do(a, name(players/2)) }, f)
		}
	}
	calls, err := crew.Watch(settled, o.After, func(id int) func(int) error { return submitter(a, o, id) }, event)
	maps.Copy(f, calls.Figures(0, 1))
	return err
}

// closeDays fills and closes the days, and indexes them. Their players, from the first on, are others than those of the crew.
func (a *arena) closeDays(c *clock, first, players int) error {
	score := 0.0
	for range closedDays {
		for lo := 0; lo < players; lo += fillSize {
			s := workload.NewStream(min(fillSize, players-lo), func(i int) int { return first + lo + i }, func() float64 { score++; return score })
			if err := a.put(&s); err != nil {
				return err
			}
		}
		c.midnight()
		if _, err := a.boards.CloseDue(context.Background()); err != nil {
			return err
		}
	}
	dry := operator
	dry.DryRun = true
	if _, err := a.Ban(context.Background(), "nobody", dry); err != nil { // it waits for the index
		return err
	}
	return a.engine.Snapshot()
}

// timeModeration times a change, and checks that it has changed all places, and has read no period.
func (a *arena) timeModeration(do func() (board.Moderated, error), f figure.Figures) error {
	before, err := a.engine.Stats()
	if err != nil {
		return err
	}
	begin := time.Now()
	m, err := do()
	f[figure.Took] = bench.Milliseconds(time.Since(begin))
	if err == nil {
		err = bench.Want("places", len(m.Places), closedDays)
	}
	if err != nil {
		return err
	}
	after, err := a.engine.Stats()
	if err == nil {
		err = bench.Want("periods read", int(after.Loads-before.Loads), 0)
	}
	return err
}

// readHistories times reads of the histories of players.
func (a *arena) readHistories(players int, name func(int) string, f figure.Figures) error {
	const reads = 100
	var took time.Duration
	for i := range reads + 1 {
		begin := time.Now()
		m, err := a.Member(context.Background(), name(i*7%players))
		if took += time.Since(begin); i == 0 {
			took = 0 // the first read finds nothing in the cache
		}
		if err == nil {
			err = bench.Want("places of a history", len(m.Windows[0].Places), closedDays)
		}
		if err != nil {
			return err
		}
	}
	f[figure.Call] = float64(took.Nanoseconds()) / reads
	return nil
}

// weighIndex measures what a place of the index takes on the disk: of the files of the store, what is not the sets of days.
func (a *arena) weighIndex(dir string, players int, f figure.Figures) error {
	if _, err := a.engine.Compact(context.Background(), nil); err != nil {
		return err
	}
	all, err := a.Periods(context.Background(), "day")
	if err != nil {
		return err
	}
	sum := int64(0)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".sst" {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	for _, u := range all {
		sum -= u.Disk
	}
	f[figure.SetDisk] = float64(sum) / float64(closedDays*players)
	return err
}

// moderationRows are the rows of the tables of boards.
func moderationRows() (facts, times []bench.Row) {
	for _, e := range moderationEvents {
		times = append(times, bench.TimesRow("submitters, "+e.title, moderationLine(e.name), bench.Zrank, ""))
		if e.do != nil {
			facts = append(facts, bench.Fact(e.title, moderationLine(e.name), figure.Took))
		}
	}
	return append(facts, bench.Fact("history of a player of 1,000 closed days", moderationLine("nothing"), figure.Call),
		bench.Fact("a place in the index of members, on the disk", moderationLine("nothing"), figure.SetDisk)), times
}

// moderationTargets are what is wanted of the case.
var moderationTargets = []bench.Target{
	{What: "ban from 1,000 closed days", Line: moderationLine("ban"), Metric: figure.Took, Limit: 50},
	{What: "erasure from 1,000 closed days", Line: moderationLine("erase"), Metric: figure.Took, Limit: 50},
	{What: "p99.9 of submitters, a ban, over nothing", Line: moderationLine("ban"), Metric: figure.P999, Base: moderationLine("nothing"), Limit: 2},
	{What: "p99.9 of submitters, an erasure, over nothing", Line: moderationLine("erase"), Metric: figure.P999, Base: moderationLine("nothing"), Limit: 2},
	{What: "history over 1,000 closed days", Line: moderationLine("nothing"), Metric: figure.Call, Limit: 1e6},
}
