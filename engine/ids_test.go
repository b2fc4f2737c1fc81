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

// chains are scripts in which sets change their keys, one line a commit. TestRenameChains runs each with snapshots, reopens and power cuts
// between the lines, and compares with the oracle.
var chains = map[string][]string{
	"around": {
		"update a | add a x 1", "update a b | rename a b", "update a | add a y 2", "update b c | rename b c", "update a b | rename a b",
		"update a | add a z 3", "update c a | rename c a", "update b c | rename b c", "update a b | rename a b", "update b | remove b x"},
	"swap": {
		"update a b | add a x 1 | add b y 2", "update a b c | rename a c | rename b a | rename c b", "update a | add a new 1",
		"update a b c | rename a c | rename b a | rename c b", "update a b | drop a", "update a | add a z 1", "update b | drop b"},
	"home": { // a set returns to the key that it was made under: its id is reserved while it is away
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

// TestRenameChains: after each commit of each chain there may be a snapshot, a reopen that leaves the sets on the disk, or a power cut, at random.
// The engine always equals the oracle, and no two sets have the same id.
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

// between is an engine whose snapshots call a function between two pages.
type between struct {
	*runner
	pages int
	do    func() // called once, in a new goroutine, after a page has been taken
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

// TestRenameInSnapshot: the next commits of a chain come during a snapshot, between two pages of a set, which may be the renamed one or not. Then
// the power is cut, before or after the next snapshot.
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

// TestListingHasAll: All begins when the log has a commit, and ends before the commit's sets have their keys. It must list these sets, because a
// snapshot would otherwise cut them out of the log.
func TestListingHasAll(t *testing.T) {
	for name, do := range replacements {
		require.NoError(t, listingHasAll(do), name)
	}
	t.Logf("%d ways in which keys get other sets", len(replacements))
}

// TestListingWhileKeysMove: while sets swap keys all the time, every call of All lists each set once.
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

// TestIDTakenOver: during a snapshot a set that has been written is dropped, and a new set takes over its id. A transaction has had the key of the
// new set locked all the time, so the snapshot visits the new set too. It must not write a second set under the same id.
func TestIDTakenOver(t *testing.T) {
	mem := memfs.NewCrashable()
	e := mustOpen(t, mem, Options{SnapshotBytes: -1})
	require.NoError(t, setX(e, "a", 1))
	require.NoError(t, e.Rename(t.Context(), "a", "b"))
	locked, pages, goOn := make(chan struct{}), 0, make(chan struct{})
	e.checkpoints.Paged = func(page []byte) []byte {
		pages++
		return page
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
			close(locked)
			<-goOn
			s, err := tx.Set("a")
			return errors.Join(err, second(s.Add([]byte("new"), 2)))
		}, "a"))
	})
	<-locked
	renamed, fresh := e.keys.Find("b"), e.keys.Find("a")
	sn, err := e.store.Snapshot(e.store.LastSeq())
	require.NoError(t, err)
	written := map[string]*checkpoint.WrittenSet{}
	w, err := e.checkpoints.WriteSet(sn, renamed, written)
	require.NoError(t, err)
	written[w.Id] = w
	require.Equal(t, "a", w.Id)
	_, err = e.Delete(t.Context(), "b")
	require.NoError(t, err)
	close(goOn)
	wg.Wait()
	require.Equal(t, "a", fresh.Id())
	again, err := e.checkpoints.WriteSet(sn, fresh, written)
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

// TestRenamedIsDurable: an Update finds no set under a key, because the set has been renamed. It returns only when the rename is durable.
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
	bad := [][]byte{nil, and()[:8], and(0), and(facts.WithUnlogged, 1), and(facts.WithDense), and(facts.WithScoreTie, 8), and(facts.WithInts | facts.WithScoreTie), and(facts.WithInts|facts.WithScoreTie, 0), and(facts.WithInts, 8),
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
	f.Add("a", facts.Facts{Unlogged: true, Key: "b", Other: true}.Encode())
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

// TestTwoSetsOneKey: Open refuses a directory in which two sets have the same key, and a check reports it.
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
