package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// longJobDays is the number of closed days that the jobs of TestLongJobCut change: more than four commits do.
const longJobDays = 300

// longJobCommits is about how many operations on the disk these commits make.
const longJobCommits = 20

// longJobs are changes of eve, who has played every day.
var longJobs = []struct {
	kind audit.Kind
	call func(b board.Board, a board.Action) (board.Moderated, error)
}{
	{"ban", func(b board.Board, a board.Action) (board.Moderated, error) {
		return b.Ban(context.Background(), "eve", a)
	}},
	{"erase", func(b board.Board, a board.Action) (board.Moderated, error) {
		return b.Erase(context.Background(), "eve", a)
	}},
	{"rename", func(b board.Board, a board.Action) (board.Moderated, error) {
		return b.Rename(context.Background(), "eve", "zoe", a)
	}},
	{"merge", func(b board.Board, a board.Action) (board.Moderated, error) {
		return b.Merge(context.Background(), "eve", "ada", a)
	}},
	{"hide", func(b board.Board, a board.Action) (board.Moderated, error) {
		return b.Hide(context.Background(), "eve", a)
	}},
}

// jobEnd is what a job has left when it is done.
type jobEnd struct {
	board  string // everything that can be read
	entry  audit.Entry
	places []board.Place
}

// TestLongJobCut: a dry run tells what a job that changes hundreds of closed periods does, and changes nothing. The power is cut at random points of the job. After each cut the job is there with its progress, it goes
// on by itself, and it leaves what it leaves without a cut: the audit log has each place once.
func TestLongJobCut(t *testing.T) {
	var disk *memfs.FS
	var now time.Time
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		g.playLong()
		require.NoError(t, g.bs.Close())
		require.NoError(t, g.e.Close())
		disk, now = g.mem, g.clock.Now()
	})
	for i, j := range longJobs {
		t.Run(string(j.kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { cutLongJob(t, powercut.Clone(disk, 100, 0), now, uint64(i)) })
		})
	}
}

// playLong plays the days. Cy plays some, and dan is alone in the last one.
func (g *game) playLong() {
	g.define(board.Spec{Name: "cup"})
	_, err := g.board("cup").Erase(context.Background(), "nobody", ops) // makes the salt of the hashes
	require.NoError(g.t, err)
	b := g.define(board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 9, BestRanks: true, Windows: []board.Window{{Kind: window.Day}, board.All},
		Awards: []awards.Plan{{Window: "day", Tiers: medals, Claim: true}}})
	for day := range longJobDays {
		for i, member := range []string{"ada", "eve", "bob", "cy"}[:3+day%2] {
			_, err := b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(int64(1 + (day+i)%5)), Meta: []byte(member)})
			require.NoError(g.t, err)
		}
		g.settle()
	}
	g.score(b, "dan", 1)
	g.index()
}

// cutLongJob makes a change on a disk, and looks at what power cuts leave of it.
func cutLongJob(t *testing.T, disk *memfs.FS, now time.Time, number uint64) {
	c := &crasher{}
	g := newGame(t, true, crashing(c), func(g *game) { g.mem = disk; g.clock.Set(now) })
	before := g.endOfJob(0)
	dry, err := longJobs[number].call(g.board("arena"), board.Action{By: "ops", DryRun: true})
	require.NoError(t, err)
	require.Equal(t, before, g.endOfJob(0))
	c.take()
	did, err := longJobs[number].call(g.board("arena"), ops)
	require.NoError(t, err)
	disks := c.take()
	g.equalDry(dry, did)
	want := g.endOfJob(1)
	seen := map[string]bool{}
	for _, p := range want.places {
		seen[p.Window+" "+p.Period] = true
	}
	require.Len(t, want.places, longJobDays+1)
	require.Len(t, seen, len(want.places))
	require.True(t, want.entry.Done)
	rng := rand.New(rand.NewPCG(number, 21))
	between := map[int]bool{} // how far the jobs were
	middle := false
	for i := 0; i < howMany(24) || !middle && i < 100; i++ {
		d := disks[rng.IntN(len(disks))]
		if i%2 == 0 {
			d = disks[rng.IntN(longJobCommits)]
		}
		after := &game{t: t, mem: d.disk, clock: g.clock, logged: &logRecorder{}, o: engine.Options{SnapshotBytes: -1, Clock: g.clock.Now}}
		got, job, err := after.resumeJob()
		require.NoError(t, err, d.point)
		if job == nil && got.entry.Number == 0 {
			require.Equal(t, before, got, d.point)
			continue
		}
		if job != nil {
			require.Equal(t, board.Job{Entry: 1, Kind: longJobs[number].kind, Member: "eve", To: want.entry.To, Done: job.Done, Total: longJobDays}, *job, d.point)
			between[job.Done] = true
			middle = middle || job.Done > 0 && job.Done < longJobDays
		}
		require.Equal(t, want, got, d.point)
	}
	t.Logf("%d points; jobs had changed %v of %d periods", len(disks), slices.Sorted(maps.Keys(between)), longJobDays)
	require.True(t, middle, "no power cut was in the middle")
}

// resumeJob opens what a power cut has left, without the goroutine that resumes jobs, and returns the job, if there is one. Then it starts that goroutine, and
// returns what is left when nothing is left to do.
func (g *game) resumeJob() (end jobEnd, j *board.Job, err error) {
	g.o.FS = g.mem
	if g.e, err = engine.Open("db", g.o); err != nil {
		return end, nil, err
	}
	defer func() { err = errors.Join(err, g.e.Close()) }()
	c, err := catalog.Open(g.e, nil)
	if err != nil {
		return end, nil, err
	}
	jobs, err := (*localBoard)(c.All()[0]).Jobs(context.Background())
	c.Close()
	if err != nil || len(jobs) > 1 {
		return end, nil, fmt.Errorf("jobs: %v, %w", jobs, err)
	}
	if len(jobs) == 1 {
		j = &jobs[0]
	}
	if g.bs, err = Open(g.e, Options{}); err != nil {
		return end, nil, err
	}
	defer func() { err = errors.Join(err, g.bs.Close()) }()
	time.Sleep(time.Minute) // of the bubble: until the goroutine has nothing to do
	synctest.Wait()
	if err := nothingLeft(g.bs); err != nil {
		return end, nil, err
	}
	return g.endOfJob(1), j, nil
}

// endOfJob returns what is to be read. The job is that of an entry of the audit log; there may be none.
func (g *game) endOfJob(entry uint64) (end jobEnd) {
	ctx := context.Background()
	b := g.board("arena")
	jobs, err := b.Jobs(ctx)
	require.NoError(g.t, err)
	require.Empty(g.t, jobs)
	end.board, err = dump(g.bs)
	require.NoError(g.t, err)
	for _, member := range []string{"ada", "eve", "zoe"} {
		awards, err := b.AwardsOf(ctx, member)
		require.NoError(g.t, err)
		for _, a := range awards {
			end.board += fmt.Sprint(a.ID, " ", awardText(a), "\n")
		}
	}
	for e, err := range b.Audit(ctx, audit.Filter{}) {
		require.NoError(g.t, err)
		require.Equal(g.t, entry, e.Number)
		end.entry = e
		end.places, err = b.AuditPlaces(ctx, entry)
		require.NoError(g.t, err)
	}
	end.entry.At = time.Time{}
	return end
}
