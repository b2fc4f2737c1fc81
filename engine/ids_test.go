package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// chains are ways in which sets change their keys, one line a commit. Each is run with snapshots, reopens and power cuts at every
// step, and compared with the oracle: see TestRenameChains.
var chains = map[string][]string{
	"around": {
		"update a | add a x 1", "update a b | rename a b", "update a | add a y 2", "update b c | rename b c", "update a b | rename a b",
		"update a | add a z 3", "update c a | rename c a", "update b c | rename b c", "update a b | rename a b", "update b | remove b x"},
	"swap": {
		"update a b | add a x 1 | add b y 2", "update a b c | rename a c | rename b a | rename c b", "update a | add a new 1",
		"update a b c | rename a c | rename b a | rename c b", "update a b | drop a", "update a | add a z 1", "update b | drop b"},
	"home": { // the id that it was made with is free again when it comes home, and taken when another has it
		"update a | add a x 1", "update a b | rename a b", "update b a | rename b a", "update a b | rename a b", "update a | add a y 1",
		"update a b | rename a b", "update a | add a z 1", "update a c | rename a c", "update a | add a w 1", "update c a | rename c a"},
	"drop": {
		"update a | add a x 1", "update a b | rename a b", "update b | drop b", "update a | add a y 1", "update a b | rename a b",
		"update a | add a z 1", "update b | popmin b 5", "update b | add b x 1", "update a b | rename a b", "update a | add a w 1"},
	"copies": {
		"update a | add a x 1 | expire a 50", "update a b | copy a b", "update a c | rename a c", "update b a | rename b a", "update a c | copy c a",
		"update b | add b y 1", "update a b c | rename c b | copy b c", "update c | persist c", "sleep 60", "update a b c | read a | read b | read c"},
	"many": {
		"update wide | fill wide 0 400 1", "update wide a | rename wide a", "update a | popmin a 50", "update wide | fill wide 0 340 2",
		"update a wide b | rename a b | rename wide a | rename b wide", "update a | fill a 100 380 3", "update wide | popmax wide 300"},
}

// TestRenameChains: after each commit of each chain there may be a snapshot, a reopen that leaves the sets on the disk, and a power
// cut, at random. What is there is what the oracle has, and each set has an id of its
// own.
func TestRenameChains(t *testing.T) {
	lines, runs := 0, 0
	for name, chain := range chains {
		ways := times(matrix.Pick(2, 10))
		if invariants.Enabled && name == "many" { // each change of a big set is checked
			ways = 1
		}
		for way := range ways {
			script := chainScript(chain, way)
			for _, config := range []string{"sync", "snapshots", "limit", "memory"} {
				require.NoError(t, runScript(config, script), "%s, way %d, %s: %q", name, way, config, script)
				lines, runs = lines+len(script), runs+1
			}
		}
	}
	t.Logf("%d chains, %d runs, %d lines", len(chains), runs, lines)
}

// chainScript puts snapshots, reopens and power cuts between the lines of a chain.
func chainScript(chain []string, way int) (script []string) {
	rng := rand.New(rand.NewPCG(uint64(way), 2))
	for _, line := range chain {
		script = append(script, line)
		for _, more := range []string{"snapshot", "glance", "crash 50", "snapshot", "check"} {
			if rng.IntN(3) == 0 {
				script = append(script, more)
			}
		}
	}
	return append(script, "check", "reopen", "snapshot", "reopen")
}

// between is an engine whose snapshots let a test in between any two pages.
type between struct {
	*runner
	pages int
	do    func() // once, in a goroutine of its own, after a page has been taken
	done  chan error
}

func (b *between) paged(page []byte) []byte {
	b.pages++
	if b.do != nil {
		do := b.do
		b.do = nil
		do()
	}
	return page
}

// TestRenameInSnapshot: a chain's next commits come in the middle of a snapshot, between two pages of a set that is written,
// whether it is the one renamed or not. Then the power is cut before the next snapshot, or after it.
func TestRenameInSnapshot(t *testing.T) {
	n := 0
	for name, chain := range chains {
		if invariants.Enabled && name == "many" {
			continue
		}
		for at := range chain {
			for many := 1; many <= 3; many += matrix.Pick(3, 2) {
				for _, percent := range []int{0, 100} {
					require.NoError(t, renameInSnapshot(chain, at, many, percent), "%s: %d commits from number %d, power cut %d", name, many, at, percent)
					n++
				}
			}
		}
	}
	t.Logf("%d snapshots with renames in their middle", n)
}

func renameInSnapshot(chain []string, at, many, percent int) error {
	b := &between{runner: newRunner(Options{SnapshotBytes: -1}, memfs.NewCrashable())}
	if err := b.open(); err != nil {
		return err
	}
	step := func(lines ...string) (err error) {
		for _, line := range lines {
			err = errors.Join(err, b.step(line))
		}
		return err
	}
	to := min(at+many, len(chain))
	// wide is written in each snapshot, so that there is a page to come between
	err := errors.Join(step(chain[:at]...), step("update c:1 | add c:1 m 1"))
	var inside error
	b.do = func() { inside = step(chain[at:to]...) }
	b.e.checkpoints.Paged = b.paged
	err = errors.Join(err, b.e.Snapshot(), inside, b.barrier(nil), step("check"))
	if percent > 0 {
		err = errors.Join(err, step("glance", "crash 0", "snapshot"))
	}
	err = errors.Join(err, step(fmt.Sprint("crash ", percent)), step(chain[to:]...), step("check", "snapshot", "crash 0", "reopen"))
	if b.pages == 0 {
		err = errors.Join(err, errors.New("no page was written"))
	}
	return errors.Join(err, b.e.Close())
}

// TestListingHasAll: a listing that begins when the log has a commit, and ends before the commit's sets have got their keys, has them
// all: a snapshot would cut them out of the log.
func TestListingHasAll(t *testing.T) {
	for name, do := range replacements {
		require.NoError(t, listingHasAll(do), name)
	}
	t.Logf("%d ways in which keys get other sets", len(replacements))
}

// TestListingWhileKeysMove: sets that change places all the time are each in every listing, once.
func TestListingWhileKeysMove(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		const n = 40
		keys := someSets(t, e, "k", n)
		sets := e.keys.All()
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for w := range 2 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(w), 4))
				spare := fmt.Sprint("spare", w)
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					a, b := keys[rng.IntN(n)], keys[rng.IntN(n)]
					if a == b {
						continue
					}
					mustUpdate(t, e, []string{a, b, spare}, func(tx *Tx) {
						require.NoError(t, errors.Join(tx.Rename(a, spare), tx.Rename(b, a), tx.Rename(spare, b)))
					})
				}
			})
		}
		listings := times(2000)
		for range listings {
			seen := map[*keyspace.Set]int{}
			for _, s := range e.keys.All() {
				seen[s]++
			}
			for i, s := range sets {
				require.Equal(t, 1, seen[s], "set %d", i)
			}
		}
		close(stop)
		wg.Wait()
		require.NoError(t, inOrderInside(e))
		t.Logf("%d listings of %d sets", listings, n)
	})
}

// TestIDTakenOver: in the middle of a snapshot a set that has been written is dropped, and one that is made takes over its id. A
// transaction had locked the new one's key all the time, so that the snapshot comes to it too.
func TestIDTakenOver(t *testing.T) {
	mem := memfs.NewCrashable()
	e := mustOpen(t, mem, Options{SnapshotBytes: -1})
	require.NoError(t, setX(e, "a", 1))
	require.NoError(t, e.Rename("a", "b"))
	locked, pages, goOn := make(chan struct{}), 0, make(chan struct{})
	e.checkpoints.Paged = func(page []byte) []byte {
		pages++
		return page
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		require.NoError(t, e.Update([]string{"a"}, func(tx *Tx) error {
			close(locked)
			<-goOn
			s, err := tx.Set("a")
			return errors.Join(err, second(s.Add([]byte("new"), 2)))
		}))
	})
	<-locked
	X, O := e.keys.Find("b"), e.keys.Find("a")
	sn, err := e.store.Snapshot(e.store.LastSeq())
	require.NoError(t, err)
	written := map[string]*checkpoint.WrittenSet{}
	w, err := e.checkpoints.WriteSet(sn, X, written)
	require.NoError(t, err)
	written[w.Id] = w
	require.Equal(t, "a", w.Id)
	_, err = e.Delete("b")
	require.NoError(t, err)
	close(goOn)
	wg.Wait()
	require.Equal(t, "a", O.Id())
	again, err := e.checkpoints.WriteSet(sn, O, written)
	require.NoError(t, err, "not twice in one snapshot")
	require.Nil(t, again)
	require.NoError(t, sn.Publish())
	w.Settle(true)
	e.checkpoints.Published(written, nil)
	for range 2 {
		left := powercut.Clone(mem, 0, 1)
		crashed := mustOpen(t, left, Options{})
		require.Contains(t, stateText(t, crashed), `set "a" width 0 version 1 expires 0: "new"=2/`)
		counts(t, crashed, 1)
		require.NoError(t, crashed.Close())
		require.NoError(t, e.Snapshot())
	}
	require.NoError(t, sound(e, 1))
	require.NoError(t, e.Close())
}

// TestRenamedIsDurable: an Update that finds nothing under a key, because its set has got another, returns when that is durable.
func TestRenamedIsDurable(t *testing.T) {
	require.NoError(t, renamedIsDurable())
}

// TestFacts: what encodes decodes to the same, and what does not is refused.
func TestFacts(t *testing.T) {
	last := facts.LastExpiry.UnixMilli()
	good := []facts.Facts{{}, {TieWidth: 8, Version: 1}, {Expires: 1}, {Expires: last, Key: "", Other: true}, {Hidden: true}, {Key: "b", Other: true},
		{TieWidth: 255, Version: 1<<64 - 1, Expires: last, Key: "\x00\xff", Other: true}, {Ints: true}, {Ints: true, Hidden: true},
		{Ints: true, TieWidth: 40, ScoreTie: 24, Dense: true, Expires: 7}, {Ints: true, Dense: true, Key: "b", Other: true},
		{Ints: true, TieWidth: 40, ScoreTie: 40, Expires: last, Key: "\x08", Other: true}}
	for _, f := range good {
		got, err := facts.DecodeFacts("a", f.Encode())
		require.NoError(t, err)
		require.Equal(t, f, got)
		for n := range f.Encode() {
			if short, err := facts.DecodeFacts("a", f.Encode()[:n]); err == nil {
				require.Equal(t, f.Encode()[:n], short.Encode(), "a shorter one that makes sense")
			} else {
				require.ErrorIs(t, err, ErrCorrupt)
			}
		}
	}
	and := func(b ...byte) []byte { return append(facts.Facts{Version: 3}.Encode(), b...) }
	bad := [][]byte{nil, and()[:8], and(0), and(facts.AllFlags + 1), and(facts.WithDense), and(facts.WithScoreTie, 8), and(facts.WithInts | facts.WithScoreTie), and(facts.WithInts|facts.WithScoreTie, 0), and(facts.WithInts, 8),
		and(facts.WithKey | facts.WithNoKey), and(facts.WithNoKey, 'a'), and(facts.WithKey, 'a'), and(facts.WithExpiry),
		and(facts.WithExpiry, 0, 0, 0, 0, 0, 0, 0, 0), and(facts.WithExpiry, 0xff, 0, 0, 0, 0, 0, 0, 0), and(facts.WithExpiry, 0, 0, 0, 0, 0, 0, 0, 1, 'x')}
	for _, b := range bad {
		_, err := facts.DecodeFacts("a", b)
		require.ErrorIs(t, err, ErrCorrupt, "%x", b)
	}
	t.Logf("%d facts, %d that make no sense", len(good), len(bad))
}

// FuzzFacts: bytes are facts that encode to the same bytes, or ErrCorrupt.
func FuzzFacts(f *testing.F) {
	f.Add("a", facts.Facts{Version: 1}.Encode())
	f.Add("a", facts.Facts{TieWidth: 8, Expires: 5, Key: "b", Other: true}.Encode())
	f.Add("a", facts.Facts{Hidden: true}.Encode())
	f.Add("a", facts.Facts{Ints: true, TieWidth: 40, ScoreTie: 24, Dense: true, Expires: 5, Key: "b", Other: true}.Encode())
	f.Fuzz(func(t *testing.T, id string, b []byte) {
		got, err := facts.DecodeFacts(id, b)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		require.Equal(t, b, got.Encode())
	})
}

// TestTwoSetsOneKey: a directory in which two sets have one key is refused, and a check of it says so.
func TestTwoSetsOneKey(t *testing.T) {
	fs := corrupt(t, func(b *persist.Batch) {
		b.Create("a", facts.Facts{Version: 1, Key: "k", Other: true}.Encode())
		b.Put("a", []byte("x"), facts.AppendValue(nil, false, 1, nil))
		b.Create("k", facts.Facts{Version: 1}.Encode())
		b.Put("k", []byte("x"), facts.AppendValue(nil, false, 1, nil))
	}, false)
	_, err := Open("db", Options{FS: fs})
	require.ErrorIs(t, err, ErrCorrupt)
	rep, err := CheckDir(t.Context(), "db", Options{FS: fs}, nil)
	require.NoError(t, err)
	require.Len(t, rep.Problems, 1)
	require.Contains(t, rep.Problems[0].What, `the key "k"`)
}
