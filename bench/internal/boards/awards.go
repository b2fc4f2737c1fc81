package boards

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// awarding is the case of a day of n players, all of whom win something. It is closed, settled and perhaps delivered while a crew submits to the next day;
// each event has a board of its own. Then all of them claim their awards.
const awarding = "awards"

// awardEvents are the events of the case.
var awardEvents = []struct {
	name, title string
	plan        bool
	do          func(a *arena, c *clock) error // nil: nothing happens
}{
	{"nothing", "nothing ends", true, nil},
	{"closed", "a day is closed, which awards nothing", false, endDay},
	{"settled", "a day is closed and settled", true, endDay},
	{"delivered", "a day is closed, settled and delivered", true, func(a *arena, c *clock) error {
		if err := a.boards.Deliver(a.Name(), "day", local.Delivery{Grant: payCoins}); err != nil {
			return err
		}
		return endDay(a, c)
	}},
}

// claimers are who claims awards: how many callers on which engine.
var claimers = []struct {
	name, title string
	disk        bool
	callers     int
}{{"memory", "claims in memory, 1 caller", false, 1}, {"memory/64", "claims in memory, 64 callers", false, 64}, {"sync/64", "claims at Sync, 64 callers", true, 64}}

func awardLine(name string) string { return awarding + "/" + name }

func winnersLine(event string) string { return awarding + "/winners/" + event }

func claimLine(name string) string { return awarding + "/claims/" + name }

// prizes are the tiers: somebody has each, and everybody one.
var prizes = []awards.Tier{{Name: "gold", From: 1, Payload: "1000"}, {Name: "silver", Percent: 1, Payload: "100"}, {Name: "played", Everyone: true, Payload: "1"}}

func awardSpec(plan, claim bool) board.Spec {
	s := spec(board.Day)
	if plan {
		s.Awards = []awards.Plan{{Window: "day", Claim: claim, Tiers: prizes}}
	}
	return s
}

// endDay lets a day end, and settles it and delivers its awards.
func endDay(a *arena, c *clock) error {
	c.midnight()
	_, err := a.boards.SettleDue(context.Background())
	return err
}

// payCoins grants an award as a program does: it adds to the coins of the player.
func payCoins(_ context.Context, tx *engine.Tx, a awards.Award) error {
	return tx.Put("coins "+a.Member, []byte(a.Payload))
}

// runAwards runs all events and claims.
func runAwards(o bench.Options) (found []bench.Sample, err error) {
	for _, e := range awardEvents {
		f := figure.Figures{}
		if err := runAward(o, o.Dir+"/"+e.name, e.plan, e.do, f); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		if rate, ok := f[figure.Rate]; ok {
			delete(f, figure.Rate)
			found = append(found, bench.Sample{Line: winnersLine(e.name), Figures: figure.Figures{figure.Rate: rate}})
		}
		found = append(found, bench.Sample{Line: awardLine(e.name), Figures: f})
	}
	for i, c := range claimers {
		dir := ""
		if c.disk {
			dir = fmt.Sprintf("%s/claims%d", o.Dir, i)
		}
		f := figure.Figures{}
		if err := runClaims(o, dir, c.callers, f); err != nil {
			return nil, fmt.Errorf("%s: %w", c.title, err)
		}
		found = append(found, bench.Sample{Line: claimLine(c.name), Figures: f})
	}
	return found, nil
}

func runAward(o bench.Options, dir string, plan bool, do func(*arena, *clock) error, f figure.Figures) (err error) {
	c := newClock()
	a, err := openSpec(dir, quiet, c, awardSpec(plan, false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err = fill(o.N, o.Seed, a.put); err == nil {
		err = a.engine.Snapshot()
	}
	if err != nil {
		return err
	}
	runtime.GC()
	var event func() error
	if do != nil {
		event = func() error {
			begin := time.Now()
			err := do(a, c)
			f[figure.Rate] = float64(o.N) / time.Since(begin).Seconds()
			return err
		}
	}
	calls, err := crew.Watch(settled, o.After, func(id int) func(int) error { return submitter(a, o, id) }, event)
	if err != nil {
		return err
	}
	maps.Copy(f, calls.Figures(0, 1))
	if !plan || do == nil {
		return nil
	}
	return weighAwards(a, o, f)
}

// weighAwards measures what an award takes in memory and on the disk.
func weighAwards(a *arena, o bench.Options, f figure.Figures) error {
	list, err := a.Settlements(context.Background(), "day")
	if err == nil {
		err = bench.Want("awards", list[0].Awards, o.N)
	}
	if err == nil {
		err = a.engine.Snapshot()
	}
	if err != nil {
		return err
	}
	key := local.Key{Board: "arena", Kind: ".awards.day", Period: list[0].Period, Version: 1}.String()
	u, _, err := a.engine.Usage(key)
	f[figure.Member], f[figure.SetDisk] = float64(u.Memory)/float64(o.N), float64(u.Disk)/float64(o.N)
	return err
}

// runClaims lets callers claim all awards of a day.
func runClaims(o bench.Options, dir string, callers int, f figure.Figures) (err error) {
	c := newClock()
	a, err := openSpec(dir, engine.Options{Durability: engine.Sync}, c, awardSpec(true, true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err = fill(o.N, o.Seed, a.put); err == nil {
		err = endDay(a, c)
	}
	if err != nil {
		return err
	}
	var ids, members []string
	for x, err := range a.Awards(context.Background(), "day", "2026-11-18") {
		if err != nil {
			return err
		}
		ids, members = append(ids, x.ID), append(members, x.Member)
	}
	runtime.GC()
	calls, took, err := crew.Loop(callers, o.For, claimer(a, ids, members, callers))
	f[figure.Rate] = float64(calls) / took.Seconds()
	return err
}

// claimer makes the claims of a caller: each of the awards in turn that have its number, until none is left.
func claimer(a *arena, ids, members []string, callers int) func(id int) (int, error) {
	next := make([]int, callers*16) // apart from each other in memory
	return func(id int) (int, error) {
		i := next[id*16]*callers + id
		next[id*16]++
		if i >= len(ids) {
			return 0, fmt.Errorf("%d awards are too few for so many claims: give --n more players, or --for less time", len(ids))
		}
		hints, err := a.boards.Hints(a.Name())
		if err != nil {
			return 0, err
		}
		keys, err := hints.Claim(nil, ids[i])
		if err != nil {
			return 0, err
		}
		return 1, a.engine.Update(context.Background(), func(tx *engine.Tx) error {
			in, err := a.boards.In(tx, a.Name())
			if err != nil {
				return err
			}
			x, err := in.Claim(members[i], ids[i])
			if err != nil {
				return err
			}
			return payCoins(context.Background(), tx, x)
		}, keys...)
	}
}

// awardRows are the rows of the tables of boards.
func awardRows() (facts, times []bench.Row) {
	for _, e := range awardEvents {
		times = append(times, bench.TimesRow("submitters, "+e.title, awardLine(e.name), bench.Zrank, ""))
		if e.do != nil && e.plan {
			facts = append(facts, bench.Fact(e.title+", winners/s under load", winnersLine(e.name), figure.Rate))
		}
	}
	facts = append(facts, bench.Fact("memory of an award", awardLine("settled"), figure.Member),
		bench.Fact("  on the disk", awardLine("settled"), figure.SetDisk))
	for _, c := range claimers {
		facts = append(facts, bench.Fact(c.title, claimLine(c.name), figure.Rate))
	}
	return facts, times
}

// awardTargets are what is wanted of the case.
var awardTargets = []bench.Target{
	{What: "p99.9 of submitters, a day is settled, over nothing", Line: awardLine("settled"), Metric: figure.P999, Base: awardLine("nothing"), Limit: 2},
	{What: "claims/s in memory, 64 callers", Line: claimLine("memory/64"), Metric: figure.Rate, Limit: 1e5, Least: true},
	{What: "claims/s at Sync, 64 callers", Line: claimLine("sync/64"), Metric: figure.Rate, Limit: 1e5, Least: true},
}
