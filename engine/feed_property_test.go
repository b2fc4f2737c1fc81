package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/persist"
)

// replica is a copy of an engine's sets that a consumer of the feed builds.
type replica struct {
	w           *world            // sets only, by ID
	keys        map[string]string // of the sets
	at          uint64            // the last commit it holds
	shown, fell int               // commits applied; times that it fell behind
}

func newReplica() *replica { return &replica{w: newWorld(), keys: map[string]string{}} }

// apply applies a commit as any consumer would.
func (r *replica) apply(c Commit) error {
	if c.Seq != r.at+1 {
		return fmt.Errorf("commit %d follows %d", c.Seq, r.at)
	}
	for _, x := range c.Changes {
		if key, ok := r.keys[x.ID]; x.Kind != ChangeCreate && ok && key != x.Key {
			return fmt.Errorf("commit %d: %s: the key of %q was %q", c.Seq, changeText(x), x.ID, key)
		}
		o := r.w.sets[x.ID]
		switch {
		case x.Kind == ChangeDrop:
			delete(r.w.sets, x.ID)
			delete(r.keys, x.ID)
		case x.Kind == ChangeCreate:
			if o == nil {
				o = &oracle{Set: model.New()}
				r.w.sets[x.ID] = o
			}
			if o.form = nil; x.Ints {
				o.form = &x.Form
			}
			r.keys[x.ID] = x.Key
			if o.width, o.version, o.expires = x.TieWidth, x.Version, 0; !x.Expires.IsZero() {
				o.expires = x.Expires.Unix()
			}
		case o == nil:
			return fmt.Errorf("commit %d: %s: there is no such set", c.Seq, changeText(x))
		case x.Kind == ChangePut:
			if x.Ints != (o.form != nil) {
				return fmt.Errorf("commit %d: %s: is the score an integer?", c.Seq, changeText(x))
			}
			if x.Ints {
				o.Put(intEntry(string(x.Member), string(x.Tie), x.IntScore))
				break
			}
			o.Put(model.Entry{Score: x.Score, Tie: string(x.Tie), Member: string(x.Member)})
		case x.Kind == ChangeRemove:
			o.Remove(string(x.Member))
		}
	}
	r.at = c.Seq
	r.shown++
	return nil
}

// resync starts again, as the doc of Feed says: with one View of all possible keys, because sets are renamed.
func (r *replica) resync(e *Engine) error {
	r.fell++
	return errors.Join(r.look(e), e.Barrier(context.Background()))
}

// look copies all sets of the engine, and takes Seq.
func (r *replica) look(e *Engine) error {
	r.w.sets, r.keys = map[string]*oracle{}, map[string]string{}
	return e.View(context.Background(), func(tx *Tx) error {
		r.at = tx.Seq()
		for _, key := range replicated {
			o, err := readAny(tx, key)
			if err != nil {
				return err
			}
			if o == nil {
				continue
			}
			h, err := handleOf(tx, key)
			if err != nil {
				return err
			}
			r.keys[h.S.Id()], r.w.sets[h.S.Id()] = key, o
		}
		return nil
	}, replicated...)
}

// replicated are the keys that scripts and churn use.
var replicated = []string{"a", "b", "c", "t", "wide", "n", "o", "copy", "k0", "k1", "k2", "k3", "k4", "k5", "end"}

// text returns the sets of a replica as text, without expired ones.
func (r *replica) text(now int64) string {
	w := newWorld()
	for id, o := range r.w.sets {
		w.sets[r.keys[id]] = o
	}
	return setsText(w.visible(now))
}

// setsText returns a world without its private keys as text.
func setsText(w *world) string { return (&world{sets: w.sets}).String() }

// follower is a replica of a runner's engine that reads at its own speed.
type follower struct {
	*replica
	speed int
	log   *persist.Follower
}

// read applies up to n commits, as Feed does but without waiting, and compares the replica after each with the state of the engine at that
// commit. It fails if a durable commit is not shown.
func (f *follower) read(r *runner, n int) (err error) {
	for ; n > 0; n-- {
		visible := r.e.DurableSeq()
		if r.mem == nil {
			visible = r.e.m.numbers.LastSeq()
		}
		if f.log == nil {
			if f.log, err = r.e.follower(f.at); err != nil {
				return err
			}
		}
		c, err := readCommit(f.log, f.at)
		switch {
		case errors.Is(err, ErrFellBehind):
			f.log, err = nil, f.resync(r.e)
		case err == nil && c.Seq == 0 && f.at < visible:
			err = fmt.Errorf("commit %d is not shown, all to %d might be", f.at+1, visible)
		case err == nil && c.Seq == 0:
			return nil
		case err == nil:
			err = f.apply(c)
		}
		if err != nil {
			return err
		}
		if got, want := f.text(r.clock.Load()), setsText(r.at(f.at).visible(r.clock.Load())); got != want {
			return fmt.Errorf("after commit %d the replica holds\n%swant\n%s", f.at, got, want)
		}
	}
	return nil
}

// follow runs a script on an engine, with replicas that read after each line at random speeds and are compared with the engine.
func follow(o Options, mem *memfs.FS, script []string, rng *rand.Rand) (shown, fell int, err error) {
	r := newRunner(o, mem)
	if err := r.open(); err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, r.e.Close()) }()
	var followers []*follower
	for speed := range 4 {
		followers = append(followers, &follower{replica: newReplica(), speed: 1 << (2 * speed)})
	}
	for i, line := range script {
		before := r.e
		if err := r.step(line); err != nil {
			return 0, 0, fmt.Errorf("line %d: %s: %w", i, line, err)
		}
		for _, f := range followers {
			if r.mem != nil && f.at > r.lastSeq() {
				return 0, 0, fmt.Errorf("line %d: %s: commit %d was shown, the crash has left %d", i, line, f.at, r.lastSeq())
			}
			if r.e != before {
				f.log = nil // of the engine that was
			}
			n := rng.IntN(2 * f.speed)
			if i == len(script)-1 {
				n = len(r.history)
			}
			if err := f.read(r, n); err != nil {
				return 0, 0, fmt.Errorf("line %d: %s: %w", i, line, err)
			}
		}
	}
	for _, f := range followers {
		if int(f.at) != len(r.history)-1 {
			return 0, 0, fmt.Errorf("a replica ends at commit %d of %d", f.at, len(r.history)-1)
		}
		shown, fell = shown+f.shown, fell+f.fell
	}
	return shown, fell, nil
}

// TestFeedReplicas: replicas that read at random speeds hold after each commit exactly what the engine held then, in all configurations, through
// snapshots, reopens and power cuts. No replica has seen a commit that a power cut undid. Replicas that fall behind start again.
func TestFeedReplicas(t *testing.T) {
	scripts, length := matrix.Pick(2, 50), 150
	if testing.Short() || invariants.Enabled {
		length = 100
	}
	for name, o := range configurations {
		t.Run(name, func(t *testing.T) {
			shown, fell, crashes := 0, 0, 0
			for seed := range uint64(scripts) {
				rng := rand.New(rand.NewPCG(seed, 11))
				script := append(newGenerator(seed).script(length, everything...), "flush")
				mem := memfs.NewCrashable()
				if name == "memory" {
					mem = nil
				}
				o.FeedBytes = 1 << rng.IntN(15)
				n, again, err := follow(o, mem, script, rng)
				require.NoError(t, err, "seed %d:\n%s", seed, strings.Join(script, "\n"))
				shown, fell, crashes = shown+n, fell+again, crashes+strings.Count(strings.Join(script, "\n"), "crash")
			}
			t.Logf("%d scripts, 4 replicas each: %d commits shown, the replica as the engine after each; %d times fell behind and started anew; %d power cuts",
				scripts, shown, fell, crashes)
		})
	}
}

// TestFeedConcurrent: while goroutines write, make and drop sets, and snapshots run, replicas read the feed. At the end each equals the engine,
// even if it fell behind.
func TestFeedConcurrent(t *testing.T) {
	for _, name := range []string{"memory", "sync", "none"} {
		t.Run(name, func(t *testing.T) {
			o := configurations[name]
			o.FeedBytes = 8 << 10
			e, err := New(o)
			if name != "memory" {
				e, err = Open("db", withFS(o, memfs.New()))
			}
			require.NoError(t, err)
			replicas := make([]*replica, 5)
			var end atomic.Uint64 // the last commit, once it is known
			var readers, writers sync.WaitGroup
			for i := range replicas {
				replicas[i] = newReplica()
				readers.Go(func() { keepUp(t, e, replicas[i], i == 0, &end) })
			}
			for w := range 3 {
				writers.Go(func() { churn(t, e, uint64(w), times(1500)) })
			}
			writers.Wait()
			mustView(t, e, nil, func(tx *Tx) { end.Store(tx.Seq() + 1) })
			require.NoError(t, setX(e, "end", 1))
			require.NoError(t, e.Flush())
			readers.Wait()
			state, err := stateOf(e)
			require.NoError(t, err)
			shown, fell := 0, 0
			for _, r := range replicas {
				require.Equal(t, setsText(state), r.text(0))
				shown, fell = shown+r.shown, fell+r.fell
			}
			t.Logf("%d commits by 3 writers: shown %d times to %d replicas, which end as the engine; %d times fell behind", end.Load(), shown, len(replicas), fell)
			require.NoError(t, e.Close())
		})
	}
}

// keepUp reads until the end; a slow replica looks at the engine in between.
func keepUp(t testing.TB, e *Engine, r *replica, slow bool, end *atomic.Uint64) {
	for end.Load() == 0 || r.at < end.Load() {
		for c, err := range e.Feed(t.Context(), r.at) {
			if errors.Is(err, ErrFellBehind) {
				err = r.resync(e)
			} else if err == nil {
				err = r.apply(c)
			}
			if err != nil {
				t.Error(err)
				return
			}
			if slow && r.at%16 == 0 {
				_, _ = e.Stats()
			}
			if r.at == end.Load() {
				return
			}
		}
	}
}

// churn changes, makes and ends sets.
func churn(t testing.TB, e *Engine, seed uint64, commits int) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for i := range commits {
		keys := []string{fmt.Sprint("k", rng.IntN(6)), fmt.Sprint("k", rng.IntN(6))}
		err := e.Update(t.Context(), func(tx *Tx) error {
			for range 1 + rng.IntN(4) {
				s, err := tx.Set(keys[rng.IntN(2)])
				if err == nil && s.Len() > 0 && rng.IntN(8) == 0 {
					if err := tx.Rename(s.Key(), keys[rng.IntN(2)]); err != nil {
						return err
					}
					continue
				}
				if err == nil && rng.IntN(3) == 0 {
					_, err = s.PopMin(1 + rng.IntN(3))
				} else if err == nil {
					_, err = s.Add(fmt.Append(nil, rng.IntN(20)), float64(rng.IntN(9)))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}, keys...)
		if err == nil && i%100 == 99 {
			err = e.Snapshot()
		}
		if err != nil {
			t.Error(err)
		}
	}
}
