package persist

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/wal"
)

// nextText returns a follower's next commit as one text; 0: there is none yet.
func nextText(f *Follower) (seq uint64, text string, err error) {
	var b strings.Builder
	seq, err = f.Next(func(e wal.Effect) error {
		fmt.Fprintf(&b, "%v %s %s=%s;", e.Kind, e.Set, e.Member, e.Value)
		return nil
	})
	return seq, b.String(), err
}

// followed lists the commits that a follower shows until Next returns 0.
func followed(t testing.TB, f *Follower) (out []string) {
	t.Helper()
	for {
		seq, text, err := nextText(f)
		require.NoError(t, err)
		if seq == 0 {
			return out
		}
		out = append(out, fmt.Sprint(seq, " ", text))
	}
}

func mustFollow(t testing.TB, s *Store, from uint64) *Follower {
	t.Helper()
	f, err := s.Follow(from)
	require.NoError(t, err)
	return f
}

// cutWhole publishes a snapshot that covers everything.
func cutWhole(t testing.TB, s *Store) {
	t.Helper()
	sn, err := s.Snapshot(s.LastSeq())
	require.NoError(t, err)
	require.NoError(t, sn.Publish())
}

// TestFollow: several followers must see the commits in order, from any position, from Pebble and from memory, and after a reopen.
// Commits of private keys have no effects.
func TestFollow(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	all := []string{"1 put a x=1;", "2 ", "3 put b y=2;remove a x=;", "4 drop b =;"}
	mustAppend(t, s, put("a", "x", "1"))
	mustAppend(t, s, func(b *Batch) { b.PutPrivate([]byte("k"), []byte("v")) })
	mustAppend(t, s, func(b *Batch) { b.Put("b", []byte("y"), []byte("2")); b.Remove("a", []byte("x")) })
	first := mustFollow(t, s, 0) // from here on the tail is kept
	mustAppend(t, s, func(b *Batch) { b.Drop("b") })
	require.Equal(t, all, followed(t, first))
	for round := range 2 {
		for from := range all {
			require.Equal(t, all[from:], followed(t, mustFollow(t, s, uint64(from))))
		}
		require.Empty(t, followed(t, mustFollow(t, s, 4)))
		_, err := s.Follow(5)
		require.ErrorIs(t, err, ErrFutureSeq)
		if round == 0 {
			require.NoError(t, s.Close())
			_, err = s.Follow(0)
			require.ErrorIs(t, err, ErrClosed)
			_, _, err = nextText(first)
			require.ErrorIs(t, err, ErrClosed)
			s = mustOpen(t, fs, Options{})
		}
	}
	require.NoError(t, s.Close())
}

// TestFollowDurable: at every level, a follower must see a commit only once it is durable. Until then a crash would lose the commit, and
// its number could come back for another one.
func TestFollowDurable(t *testing.T) {
	for _, level := range []Level{Sync, Interval, None} {
		t.Run(level.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				mem := memfs.NewCrashable()
				s := mustOpen(t, mem, Options{Level: level, Interval: time.Second})
				f := mustFollow(t, s, 0)
				more := f.More()
				mustAppend(t, s, put("a", "x", "1"))
				synctest.Wait()
				if level != Sync {
					require.Empty(t, followed(t, f))
					left := mustOpen(t, mem.CrashClone(vfs.CrashCloneCfg{}), Options{})
					require.Zero(t, left.LastSeq())
					require.NoError(t, left.Close())
				}
				if level == None {
					require.NoError(t, s.Flush())
				}
				<-more
				require.Equal(t, []string{"1 put a x=1;"}, followed(t, f))
				left := mustOpen(t, mem.CrashClone(vfs.CrashCloneCfg{}), Options{})
				require.EqualValues(t, 1, left.LastSeq())
				require.NoError(t, left.Close())
				require.NoError(t, s.Close())
			})
		})
	}
}

// TestFollowEnds: the channel of More must also be closed when the log ends, by Close or by a failure. Next must show all durable commits
// before it returns the error.
func TestFollowEnds(t *testing.T) {
	for _, end := range []string{"close", "failure"} {
		t.Run(end, func(t *testing.T) {
			disk := &faulty{match: func(op errorfs.Op) bool { return writes(op) && strings.HasSuffix(op.Path, ".log") }}
			disk.left.Store(1 << 40)
			s := mustOpen(t, errorfs.Wrap(memfs.New(), disk), Options{})
			mustAppend(t, s, put("a", "x", "1"))
			f := mustFollow(t, s, 0)
			more, want := f.More(), ErrClosed
			if end == "failure" {
				disk.left.Store(0)
				want = ErrPersistence
				var b Batch
				put("a", "x", "2")(&b)
				seq, err := s.Append(&b)
				require.NoError(t, err)
				require.ErrorIs(t, s.Wait(t.Context(), seq), ErrPersistence)
				<-more
				seq, text, err := nextText(f)
				require.NoError(t, err)
				require.EqualValues(t, 1, seq)
				require.Equal(t, "put a x=1;", text)
			} else {
				require.Len(t, followed(t, f), 1)
				require.NoError(t, s.Close())
				<-more
			}
			_, _, err := nextText(f)
			require.ErrorIs(t, err, want)
			_ = s.Close()
		})
	}
}

// writes reports whether an operation is a write or a flush.
func writes(op errorfs.Op) bool {
	return op.Kind == errorfs.OpFileWrite || op.Kind == errorfs.OpFileSyncData
}

// TestFellBehind: a commit that a snapshot has cut and the tail has dropped is gone. The error must name the oldest remaining commit.
func TestFellBehind(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{TailBytes: 4 << 10})
	early := mustFollow(t, s, 0)
	value := strings.Repeat("v", 1000)
	for range 5 {
		mustAppend(t, s, put("a", "x", value))
	}
	require.Len(t, followed(t, mustFollow(t, s, 0)), 5, "the log has them")
	cutWhole(t, s)
	oldest := func() uint64 {
		_, _, err := nextText(early)
		var behind *wal.FellBehindError
		require.ErrorIs(t, err, ErrFellBehind)
		require.ErrorAs(t, err, &behind)
		require.Zero(t, behind.From)
		require.Contains(t, err.Error(), fmt.Sprintf("commit 1 is wanted, the oldest one is %d", behind.Oldest))
		return behind.Oldest
	}
	have := oldest()
	require.Greater(t, have, uint64(1))
	require.LessOrEqual(t, have, uint64(5), "the tail still has the last one")
	require.Len(t, followed(t, mustFollow(t, s, have-1)), int(6-have))
	require.Empty(t, followed(t, mustFollow(t, s, 5)))
	mustAppend(t, s, put("a", "x", "6"))
	require.Len(t, followed(t, mustFollow(t, s, 5)), 1)
	require.NoError(t, s.Close())
}

// TestMemLog: a MemLog counts commits until the first Follow, and keeps them from then on. A follower must see each later commit.
func TestMemLog(t *testing.T) {
	l := NewMemLog(1 << 20)
	for want := range uint64(3) {
		seq, ok := l.Count()
		require.True(t, ok)
		require.Equal(t, want+1, seq)
	}
	_, err := l.Follow(4)
	require.ErrorIs(t, err, ErrFutureSeq)
	_, ok := l.Count()
	require.False(t, ok)
	behind, err := l.Follow(2)
	require.NoError(t, err)
	_, _, err = nextText(behind)
	require.ErrorIs(t, err, ErrFellBehind)
	f, err := l.Follow(3)
	require.NoError(t, err)
	more := f.More()
	require.Empty(t, followed(t, f))
	var b Batch
	require.Zero(t, l.Append(&b))
	b.DeletePrivate([]byte("k"))
	require.EqualValues(t, 4, l.Append(&b))
	<-more
	require.Equal(t, []string{"4 "}, followed(t, f))
}
