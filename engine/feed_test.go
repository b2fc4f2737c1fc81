package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

func changeText(c Change) string {
	switch c.Kind {
	case ChangeCreate:
		return fmt.Sprintf("create %s/%d@%d", c.Key, c.TieWidth, c.Version)
	case ChangePut:
		return fmt.Sprintf("put %s %s=%v/%x", c.Key, c.Member, c.Score, c.Tie)
	}
	return strings.TrimSpace(fmt.Sprintf("%v %s %s", c.Kind, c.Key, c.Member))
}

func commitText(c Commit) string {
	text := fmt.Sprintf("%d:", c.Seq)
	for _, x := range c.Changes {
		text += " " + changeText(x) + ";"
	}
	return text
}

// takeCommits returns the next n commits of a feed.
func takeCommits(t testing.TB, feed iter.Seq2[Commit, error], n int) (out []string) {
	t.Helper()
	for c, err := range feed {
		require.NoError(t, err)
		if out = append(out, commitText(c)); len(out) == n {
			break
		}
	}
	return out
}

// feedEnd returns the error that a feed ends with.
func feedEnd(feed iter.Seq2[Commit, error]) (err error) {
	for _, err = range feed {
	}
	return err
}

// TestFeed: the changes that each kind of transaction shows in a feed, from every position, in memory and stored.
func TestFeed(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		early := e.Feed(t.Context(), 0)
		mustView(t, e, nil, func(tx *Tx) { require.Zero(t, tx.Seq()) })
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1); add(t, tx, "a", "y", 2) })
		mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, tx.Put("coins", []byte("5"))) })
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) }) // no commit
		require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error { add(t, tx, "a", "x", 9); return ErrExists }, "a"), ErrExists)
		mustUpdate(t, e, []string{"a", "t"}, func(tx *Tx) {
			s, err := tx.SetTied("t", 8)
			require.NoError(t, err)
			_, err = s.AddTied([]byte("z"), []byte("12345678"), -1.5)
			require.NoError(t, err)
			_, err = named(t, tx, "a").Remove([]byte("x"))
			require.NoError(t, err)
		})
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			_, err := named(t, tx, "a").PopMin(1)
			require.NoError(t, err)
		})
		want := []string{
			"1: create a/0@2; put a x=1/; put a y=2/;",
			"2:",
			"3: create a/0@3; remove a x; create t/8@1; put t z=-1.5/3132333435363738;",
			"4: drop a;",
		}
		require.Equal(t, want, takeCommits(t, early, 4))
		mustView(t, e, []string{"a"}, func(tx *Tx) { require.EqualValues(t, 4, tx.Seq()) })
		for from := range want {
			require.Equal(t, want[from:], takeCommits(t, e.Feed(t.Context(), uint64(from)), 4-from))
		}
		require.ErrorIs(t, feedEnd(e.Feed(t.Context(), 5)), ErrFutureSeq)
	})
}

// TestFeedOptions: the memory for feeds cannot be negative.
func TestFeedOptions(t *testing.T) {
	_, err := New(Options{FeedBytes: -7})
	require.ErrorContains(t, err, "FeedBytes is -7")
}

// TestFeedCommitsAreOwn: a reader may change a commit; the commits of other readers stay the same.
func TestFeedCommitsAreOwn(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		feed := e.Feed(t.Context(), 0)
		mustView(t, e, nil, func(tx *Tx) { tx.Seq() })
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
		for range 2 {
			for c, err := range feed {
				require.NoError(t, err)
				require.Equal(t, "1: create a/0@1; put a x=1/;", commitText(c))
				m := c.Changes[1].Member
				m[0] = '!'
				_ = append(m, '!')
				break
			}
		}
	})
}

// TestFeedEnds: a feed ends with its ctx and with the engine, whether it waits or not.
func TestFeedEnds(t *testing.T) {
	for _, stored := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			e, err := New(Options{})
			if stored {
				e, err = Open("db", Options{FS: persist.MemFS()})
			}
			require.NoError(t, err)
			why := errors.New("why")
			ctx, cancel := context.WithCancelCause(t.Context())
			errs := make(chan error, 2)
			go func() { errs <- feedEnd(e.Feed(ctx, 0)) }()
			go func() { errs <- feedEnd(e.Feed(t.Context(), 0)) }()
			synctest.Wait()
			cancel(why)
			require.ErrorIs(t, <-errs, why)
			require.ErrorIs(t, feedEnd(e.Feed(ctx, 0)), why)
			synctest.Wait()
			require.NoError(t, e.Close())
			require.ErrorIs(t, <-errs, ErrClosed)
			require.ErrorIs(t, feedEnd(e.Feed(t.Context(), 0)), ErrClosed)
		})
	}
}

// TestFeedDurable: at Interval a commit is shown once it is flushed, at None after Flush.
func TestFeedDurable(t *testing.T) {
	for level, until := range map[Durability]time.Duration{Sync: 0, Interval: time.Second, None: time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			e := mustOpen(t, persist.MemFS(), Options{Durability: level, Interval: time.Second, SnapshotAge: -1})
			start, shown := time.Now(), make(chan time.Duration)
			go func() {
				takeCommits(t, e.Feed(t.Context(), 0), 1)
				shown <- time.Since(start)
			}()
			synctest.Wait()
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
			if level == None {
				time.Sleep(time.Hour)
				require.NoError(t, e.Flush())
			}
			require.Equal(t, until, <-shown, level)
			require.NoError(t, e.Close())
		})
	}
}

// TestFeedSlowReader: a feed that does not read blocks no writer and takes no memory. In memory it falls behind, and the error has the oldest
// commit; with a store it reads all commits from the log.
func TestFeedSlowReader(t *testing.T) {
	commits := 20 * times(5000)
	for _, stored := range []bool{false, true} {
		o := Options{FeedBytes: 1 << 20, Durability: None, SnapshotBytes: -1}
		e, err := New(o)
		if stored {
			e, err = Open("db", withFS(o, memfs.New()))
		}
		require.NoError(t, err)
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 0) })
		next, stop := iter.Pull2(e.Feed(t.Context(), 0))
		mustView(t, e, nil, func(tx *Tx) { require.EqualValues(t, 1, tx.Seq()) })
		before := heapBytes()
		for i := range commits {
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", float64(i+1)) })
		}
		grown := heapBytes() - before
		require.NoError(t, e.Flush())
		c, err, _ := next()
		if stored {
			n := uint64(0)
			for ; n < uint64(commits); n++ {
				require.NoError(t, err)
				require.Equal(t, n+1, c.Seq)
				require.Equal(t, float64(n), c.Changes[1].Score)
				c, err, _ = next()
			}
			t.Logf("stored: %d commits read afterwards", n)
		} else {
			var behind *FellBehindError
			require.ErrorIs(t, err, ErrFellBehind)
			require.ErrorAs(t, err, &behind)
			require.Less(t, grown, 4<<20)
			require.Len(t, takeCommits(t, e.Feed(t.Context(), behind.Oldest-1), commits+2-int(behind.Oldest)), commits+2-int(behind.Oldest))
			t.Logf("memory: %d commits while nobody reads: %d bytes more, the oldest is %d", commits, grown, behind.Oldest)
		}
		stop()
		require.NoError(t, e.Close())
	}
}

// TestSeq: while goroutines write to four sets, a View sees its sets with all commits up to Seq and no later one. The test knows the commit of
// each version of each set from a feed.
func TestSeq(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustView(t, e, nil, func(tx *Tx) { tx.Seq() })
		all := e.Feed(t.Context(), 0)
		commits := times(3000)
		var wg sync.WaitGroup
		for w := range 3 {
			wg.Go(func() { raiseVersions(t, e, uint64(w), commits) })
		}
		var looks []lookAt
		rng := rand.New(rand.NewPCG(9, 9))
		for range commits / 4 {
			looks = append(looks, lookAtTwo(t, e, rng))
		}
		wg.Wait()
		last := lookAtTwo(t, e, rng).seq
		seqs := map[string][]uint64{} // of each version of each set
		for c, err := range all {
			require.NoError(t, err)
			for _, x := range c.Changes {
				if x.Kind == ChangeCreate {
					require.EqualValues(t, len(seqs[x.Key])+1, x.Version)
					seqs[x.Key] = append(seqs[x.Key], c.Seq)
				}
			}
			if c.Seq == last {
				break
			}
		}
		for _, l := range looks {
			for key, version := range l.versions {
				if version > 0 {
					require.LessOrEqual(t, seqs[key][version-1], l.seq, "shown")
				}
				if version < uint64(len(seqs[key])) {
					require.Greater(t, seqs[key][version], l.seq, "not shown yet")
				}
			}
		}
		t.Logf("%d Views beside %d commits", len(looks), last)
	})
}

// lookAt is the Seq of a View, and the versions of the sets that it saw.
type lookAt struct {
	seq      uint64
	versions map[string]uint64
}

// lookAtTwo views two of the four sets.
func lookAtTwo(t testing.TB, e *Engine, rng *rand.Rand) lookAt {
	l := lookAt{versions: map[string]uint64{}}
	some := []string{fmt.Sprint("k", rng.IntN(4)), fmt.Sprint("k", rng.IntN(4))}
	mustView(t, e, some, func(tx *Tx) {
		for _, key := range some {
			l.versions[key] = named(t, tx, key).Version()
		}
		l.seq = tx.Seq()
	})
	return l
}

// raiseVersions changes the four sets at random.
func raiseVersions(t testing.TB, e *Engine, w uint64, commits int) {
	rng := rand.New(rand.NewPCG(w, 5))
	for i := range commits {
		key := fmt.Sprint("k", rng.IntN(4))
		err := e.Update(t.Context(), func(tx *Tx) error {
			s, err := tx.Set(key)
			if err == nil {
				_, err = s.Add(fmt.Append(nil, w), float64(i))
			}
			return err
		}, key)
		if err != nil {
			t.Error(err)
		}
	}
}
