package persist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist/wal"
)

// TestFollowProperty runs followers of random speed from random positions, while the store is flushed, cut and reopened. Each must see
// exactly the appended commits. ErrFellBehind is allowed only if the commit is really gone; the follower then continues at the oldest
// commit.
func TestFollowProperty(t *testing.T) {
	rounds := 40
	if testing.Short() || invariants.Enabled {
		rounds = 10
	}
	shown, fell := 0, 0
	for seed := range uint64(rounds) {
		r := newFollowRun(t, seed)
		for range 300 {
			r.step(t)
		}
		r.finish(t)
		shown, fell = shown+r.shown, fell+r.fell
	}
	require.Positive(t, fell)
	t.Logf("%d histories: %d commits shown, each once, in order and as appended; %d times fell behind", rounds, shown, fell)
}

// followRun is a store, the commits appended to it, and followers.
type followRun struct {
	rng         *rand.Rand
	fs          FS
	o           Options
	s           *Store
	want        []string // of commit i+1
	followers   []*Follower
	at          []uint64 // the last commit each has seen
	shown, fell int
}

func newFollowRun(t *testing.T, seed uint64) *followRun {
	rng := rand.New(rand.NewPCG(seed, 3))
	r := &followRun{rng: rng, fs: MemFS(), o: Options{Level: Level(seed % 3), Interval: time.Millisecond, TailBytes: 1 << rng.IntN(14)}}
	if seed%4 == 3 {
		r.o.RetainBytes = 1 << 30
	}
	r.s = mustOpen(t, r.fs, r.o)
	r.followers, r.at = make([]*Follower, 4), make([]uint64, 4)
	return r
}

func (r *followRun) step(t *testing.T) {
	switch p := r.rng.IntN(100); {
	case p < 50:
		for range 1 + r.rng.IntN(4) {
			r.append(t)
		}
	case p < 55:
		require.NoError(t, r.s.Flush())
	case p < 60:
		cutWhole(t, r.s)
	case p < 62:
		require.NoError(t, r.s.Close())
		r.s = mustOpen(t, r.fs, r.o)
		clear(r.followers)
	default:
		r.read(t, r.rng.IntN(len(r.followers)), r.rng.IntN(20))
	}
}

func (r *followRun) append(t *testing.T) {
	var b Batch
	var text strings.Builder
	var notes Notes
	for i := range r.rng.IntN(3) {
		require.NoError(t, notes.Add(fmt.Append(nil, i)))
		fmt.Fprintf(&text, "note  =%d;", i)
	}
	b.Note(&notes)
	for range r.rng.IntN(4) {
		set, member := fmt.Sprint("s", r.rng.IntN(3)), fmt.Sprint("m", r.rng.IntN(9))
		value := strings.Repeat("v", r.rng.IntN(1<<r.rng.IntN(12)))
		b.Put(set, []byte(member), []byte(value))
		fmt.Fprintf(&text, "put %s %s=%s;", set, member, value)
	}
	if b.Len() == 0 {
		b.PutPrivate([]byte("k"), []byte("v"))
	}
	seq, err := r.s.Append(&b)
	require.NoError(t, err)
	r.want = append(r.want, text.String())
	require.EqualValues(t, len(r.want), seq)
}

// read lets a follower read up to the given number of commits.
func (r *followRun) read(t *testing.T, i, n int) {
	if r.followers[i] == nil {
		r.followers[i] = mustFollow(t, r.s, r.at[i])
	}
	for range n {
		durable := r.s.DurableSeq()
		seq, text, err := nextText(r.followers[i])
		var behind *wal.FellBehindError
		if errors.As(err, &behind) {
			require.Zero(t, r.o.RetainBytes, "the whole log is kept")
			require.Equal(t, r.at[i], behind.From)
			require.Greater(t, behind.Oldest, r.at[i]+1)
			r.fell++
			r.at[i] = behind.Oldest - 1
			r.followers[i] = mustFollow(t, r.s, r.at[i])
			continue
		}
		require.NoError(t, err)
		if seq == 0 {
			require.GreaterOrEqual(t, r.at[i], durable, "all that is durable has been shown")
			return
		}
		require.Equal(t, r.at[i]+1, seq)
		require.LessOrEqual(t, seq, r.s.DurableSeq())
		require.Equal(t, r.want[seq-1], text)
		r.at[i] = seq
		r.shown++
	}
}

func (r *followRun) finish(t *testing.T) {
	require.NoError(t, r.s.Flush())
	for i := range r.followers {
		r.read(t, i, len(r.want)+1)
		require.EqualValues(t, len(r.want), r.at[i])
	}
	require.NoError(t, r.s.Close())
}

// TestFollowConcurrent runs six followers while four goroutines append and snapshots cut the log. Each follower must see the commits
// without a gap, except where it fell behind.
func TestFollowConcurrent(t *testing.T) {
	const writers, followers, commits = 4, 6, 500
	s := mustOpen(t, MemFS(), Options{TailBytes: 1 << 10})
	var wg sync.WaitGroup
	var shown, fell atomic.Int64
	for i := range followers {
		wg.Go(func() {
			n, again, err := followTo(s, writers*commits, i == 0)
			shown.Add(int64(n))
			fell.Add(int64(again))
			if err != nil {
				t.Error(err)
			}
		})
	}
	for w := range writers {
		wg.Go(func() {
			for i := range commits {
				var b Batch
				put(fmt.Sprint(w), "x", fmt.Sprint(i))(&b)
				seq, err := s.Append(&b)
				if err == nil && i%8 == 0 {
					err = s.Wait(t.Context(), seq)
				}
				if err != nil {
					t.Error(err)
				}
				if i%50 == 49 && w == 0 {
					cutWhole(t, s)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d commits by %d writers: shown %d times to %d followers, without a gap; %d times fell behind",
		writers*commits, writers, shown.Load(), followers, fell.Load())
	require.NoError(t, s.Close())
}

// followTo follows the store up to a commit. It returns the number of commits shown, and how often the follower fell behind.
func followTo(s *Store, end uint64, slow bool) (shown, fell int, err error) {
	f, err := s.Follow(0)
	for at := uint64(0); err == nil && at < end; {
		more := f.More()
		seq, failed := f.Next(func(wal.Effect) error { return nil })
		var behind *wal.FellBehindError
		switch {
		case errors.As(failed, &behind):
			fell++
			at = behind.Oldest - 1
			f, err = s.Follow(at)
		case failed != nil:
			err = failed
		case seq == 0:
			<-more
		case seq != at+1:
			err = fmt.Errorf("commit %d follows %d", seq, at)
		default:
			at = seq
			if shown++; slow && shown%100 == 0 {
				err = s.Flush()
			}
		}
	}
	return shown, fell, err
}

// TestMemLogConcurrent calls Keep while four goroutines use Count and Append. Each number must be given out once, and a follower that
// starts after Keep must see all later commits.
func TestMemLogConcurrent(t *testing.T) {
	const writers, commits, rounds = 4, 300, 20
	kept := 0
	for range rounds {
		l := NewMemLog(1 << 20)
		var wg sync.WaitGroup
		numbers := make([][]uint64, writers)
		for w := range writers {
			wg.Go(func() {
				var b Batch
				put("a", "x", "1")(&b)
				for range commits {
					seq, ok := l.Count()
					if !ok {
						seq = l.Append(&b)
					}
					numbers[w] = append(numbers[w], seq)
				}
			})
		}
		for l.LastSeq() < writers*commits/3 {
			runtime.Gosched()
		}
		l.Keep()
		from := l.LastSeq()
		f, err := l.Follow(from)
		require.NoError(t, err)
		wg.Wait()
		all := slices.Concat(numbers...)
		slices.Sort(all)
		for i, n := range all {
			require.EqualValues(t, i+1, n)
		}
		require.Len(t, followed(t, f), writers*commits-int(from))
		kept += writers*commits - int(from)
	}
	t.Logf("%d logs of %d commits by %d writers: %d kept, each shown", rounds, writers*commits, writers, kept)
}
