package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// blindForm is the form of the sets of these tests.
var blindForm = Form{TieWidth: 8, Dense: true}

// blindEntry is the score and tie of a member.
type blindEntry struct {
	score int64
	tie   string
}

func blindTie(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// blindSets is a model: the entries of each set.
type blindSets map[string]map[string]blindEntry

// fill makes a set of n members in the engine and in the model.
func (b blindSets) fill(t testing.TB, e *Engine, key string, n int) {
	t.Helper()
	b[key] = map[string]blindEntry{}
	require.NoError(t, ownerOf(t, e).Update(t.Context(), []string{key}, func(tx *Tx) error {
		s, err := tx.IntSet(key, blindForm)
		require.NoError(t, err)
		for i := range n {
			x := blindEntry{int64(i*7919%1000) - 300, blindTie(uint64(i % 5))}
			b[key][fmt.Sprintf("m%04d", i)] = x
			_, err := s.AddTied(fmt.Appendf(nil, "m%04d", i), []byte(x.tie), x.score)
			require.NoError(t, err)
		}
		return nil
	}))
}

// seal returns what Seal must return for a set.
func (b blindSets) seal(key string) Seal {
	s := Seal{Members: len(b[key]), Known: true}
	for member, x := range b[key] {
		s.Digest += facts.EntryHash(x.score, x.tie, member)
	}
	return s
}

// clone returns a copy of the model.
func (b blindSets) clone() blindSets {
	c := blindSets{}
	for key, entries := range b {
		c[key] = maps.Clone(entries)
	}
	return c
}

// sealed compares Seal of each set with the model. It loads no set.
func (b blindSets) sealed(e *Engine, o Owner) error {
	for key := range b {
		if got, err := o.Seal(key); err != nil || got != b.seal(key) {
			return fmt.Errorf("Seal of %q: %v %w, want %v", key, got, err, b.seal(key))
		}
		if n, err := e.Exists(context.Background(), key); err != nil || n == 1 != (len(b[key]) > 0) {
			return fmt.Errorf("Exists of %q: %d %w with %d members", key, n, err, len(b[key]))
		}
	}
	return nil
}

// equal compares all entries with the model. It loads the sets.
func (b blindSets) equal(e *Engine) error {
	for key, want := range b {
		err := e.View(context.Background(), func(tx *Tx) error {
			s, err := tx.IntSet(key, blindForm)
			if err != nil {
				return err
			}
			got := map[string]blindEntry{}
			for _, x := range s.Append(nil, 0, s.Len()) {
				got[string(x.Member)] = blindEntry{x.Score, string(x.Tie)}
			}
			if len(want) > 0 && !maps.Equal(got, want) || len(got) != len(want) {
				return fmt.Errorf("%q has %v, want %v", key, got, want)
			}
			return s.Check()
		}, key)
		if err != nil {
			return err
		}
	}
	return nil
}

// remove removes a member blindly in the engine and in the model.
func (b blindSets) remove(tx *Tx, o Owner, key, member string) error {
	x := b[key][member]
	err := o.BlindRemove(tx, key, []byte(member), x.score, []byte(x.tie))
	if err == nil {
		delete(b[key], member)
	}
	return err
}

// put puts a member blindly in the engine and in the model.
func (b blindSets) put(tx *Tx, o Owner, key, member string, x blindEntry) error {
	err := o.BlindPut(tx, key, []byte(member), x.score, []byte(x.tie))
	if err == nil {
		b[key][member] = x
	}
	return err
}

// inBlindStates runs a test on an engine for each state in which blind writes may find a set. cold unloads sets in the state in which they are on
// the disk only; then is is true.
func inBlindStates(t *testing.T, run func(t *testing.T, e *Engine, cold func(keys ...string) (is bool))) {
	for _, state := range []string{"cold", "dirty", "stored", "memory"} {
		t.Run(state, func(t *testing.T) {
			e := mustOpen(t, memfs.New(), Options{SnapshotBytes: -1})
			if state == "memory" {
				require.NoError(t, e.Close())
				var err error
				e, err = New(Options{})
				require.NoError(t, err)
			}
			run(t, e, func(keys ...string) bool {
				if state == "cold" || state == "stored" {
					require.NoError(t, e.Snapshot())
				}
				if state == "cold" {
					require.NoError(t, e.Unload(keys...))
				}
				return state == "cold"
			})
			require.NoError(t, e.Close())
		})
	}
}

// TestBlind: blind writes have the same result for sets on the disk only, in memory, and in an engine in memory only. They load no set.
func TestBlind(t *testing.T) {
	inBlindStates(t, func(t *testing.T, e *Engine, cold func(...string) bool) {
		o, b := ownerOf(t, e), blindSets{}
		b.fill(t, e, "board/a", 300)
		b.fill(t, e, "board/b", 2)
		isCold := cold("board/a", "board/b")
		before, _, err := e.Usage("board/a")
		require.NoError(t, err)
		require.NoError(t, o.UpdateBlind(t.Context(), []string{"board/c"}, []string{"board/b", "board/a", "board/a"}, func(tx *Tx) error {
			require.NoError(t, b.remove(tx, o, "board/a", "m0001"))
			require.NoError(t, b.remove(tx, o, "board/a", "m0002"))
			require.NoError(t, b.put(tx, o, "board/a", "m0001", blindEntry{77, blindTie(1)}))
			require.NoError(t, b.put(tx, o, "board/b", "new", blindEntry{-5, blindTie(1)}))
			require.NoError(t, tx.Put("board.private", []byte("x")))
			s, err := tx.IntSet("board/c", Form{})
			require.NoError(t, err)
			_, err = s.Add([]byte("x"), 1)
			return err
		}))
		require.NoError(t, b.sealed(e, o))
		after, _, err := e.Usage("board/a")
		require.NoError(t, err)
		after.Disk = before.Disk // which the store's own work changes
		require.Equal(t, before.Version+3, after.Version)
		require.Greater(t, after.LastCommit, before.LastCommit)
		require.Equal(t, []any{before.Loaded, before.Form, e.LastSeq() > 0}, []any{after.Loaded, after.Form, after.Dirty})
		list, err := e.Usages([]string{"board/b", "board/a"})
		require.NoError(t, err)
		require.Equal(t, []int{3, 299}, []int{list[0].Members, list[1].Members})
		if st, err := e.Stats(); isCold {
			require.NoError(t, err)
			require.Equal(t, []int{3, 1, 0}, []int{st.Sets, st.Loaded, st.Loads})
		}
		counted(t, e)
		if e.store != nil {
			require.NoError(t, sound(e, 3))
		}
		require.NoError(t, b.equal(e))
		again, _, err := e.Usage("board/a")
		require.NoError(t, err)
		require.Equal(t, []any{after.Version, after.Members, after.digest}, []any{again.Version, again.Members, again.digest})
		counted(t, e)
	})
}

// TestBlindErrors: a blind write that is wrong, as far as is known, is refused, and changes nothing; the closure goes on.
func TestBlindErrors(t *testing.T) {
	inBlindStates(t, func(t *testing.T, e *Engine, cold func(...string) bool) {
		o, b := ownerOf(t, e), blindSets{}
		b.fill(t, e, "board/a", 10)
		b.fill(t, e, "board/b", 1)
		require.NoError(t, setX(e, "floats", 1))
		isCold, want, no := cold("board/a", "board/b", "floats"), b.clone(), errors.New("no")
		before, _, err := e.Usage("board/a")
		require.NoError(t, err)
		err = o.UpdateBlind(t.Context(), nil, []string{"board/a", "board/b", "board/none", "floats"}, func(tx *Tx) error {
			refusedBlind(t, tx, o)
			conflictingBlind(t, tx, o, b)
			if isCold {
				require.ErrorIs(t, b.remove(tx, o, "board/b", "m0000"), ErrLastMember)
				unreadBlind(t, tx)
			} else {
				require.NoError(t, b.remove(tx, o, "board/b", "m0000"))
				require.ErrorIs(t, o.BlindRemove(tx, "board/a", []byte("m0002"), 12345, []byte(blindTie(1))), ErrConflict)
				require.ErrorIs(t, o.BlindPut(tx, "board/a", []byte("m0002"), 0, []byte(blindTie(1))), ErrConflict)
			}
			return no
		})
		require.ErrorIs(t, err, no)
		require.NoError(t, want.sealed(e, o))
		after, _, err := e.Usage("board/a")
		require.NoError(t, err)
		after.Disk = before.Disk // which the store's own work changes
		require.Equal(t, before, after, "nothing has changed")
		require.NoError(t, want.equal(e))
	})
}

// refusedBlind makes blind writes that no set allows.
func refusedBlind(t *testing.T, tx *Tx, o Owner) {
	tie := []byte(blindTie(1))
	require.ErrorIs(t, o.BlindRemove(tx, "other", []byte("m0001"), 0, tie), ErrNoSet)
	require.ErrorIs(t, Owner{}.BlindRemove(tx, "board/a", []byte("m0001"), 0, tie), ErrReserved)
	require.ErrorIs(t, Owner{}.BlindPut(tx, "board/a", []byte("m0001"), 0, tie), ErrReserved)
	require.ErrorIs(t, o.BlindRemove(tx, "board/none", []byte("m0001"), 0, tie), ErrNoSet)
	require.ErrorIs(t, o.BlindPut(tx, "board/none", []byte("m0001"), 0, tie), ErrNoSet)
	require.ErrorIs(t, o.BlindRemove(tx, "floats", []byte("x"), 1, nil), ErrKind)
	require.ErrorIs(t, o.BlindPut(tx, "board/a", []byte("n"), 1, []byte("1234567")), ErrTieWidth)
	require.ErrorIs(t, o.BlindPut(tx, "board/a", make([]byte, zset.MaxMember+1), 1, tie), zset.ErrMemberTooLong)
}

// conflictingBlind makes blind writes that those before exclude.
func conflictingBlind(t *testing.T, tx *Tx, o Owner, b blindSets) {
	tie := []byte(blindTie(1))
	require.NoError(t, b.remove(tx, o, "board/a", "m0001"))
	require.ErrorIs(t, o.BlindRemove(tx, "board/a", []byte("m0001"), 1, tie), ErrConflict, "it is gone")
	require.NoError(t, b.put(tx, o, "board/a", "n", blindEntry{5, string(tie)}))
	require.ErrorIs(t, o.BlindPut(tx, "board/a", []byte("n"), 5, tie), ErrConflict, "it is there")
	require.ErrorIs(t, o.BlindRemove(tx, "board/a", []byte("n"), 6, tie), ErrConflict, "another score")
	require.ErrorIs(t, o.BlindRemove(tx, "board/a", []byte("n"), 5, []byte(blindTie(2))), ErrConflict, "another tie")
}

// unreadBlind makes calls that need the entries of a set that was not read.
func unreadBlind(t *testing.T, tx *Tx) {
	_, err := tx.IntSet("board/a", blindForm)
	require.ErrorIs(t, err, ErrUnread)
	_, err = tx.Set("board/a")
	require.ErrorIs(t, err, ErrUnread)
	_, err = tx.Stat("board/a")
	require.ErrorIs(t, err, ErrUnread)
	require.ErrorIs(t, tx.Copy("board/a", "board/none"), ErrUnread)
	require.ErrorIs(t, tx.Rename("board/a", "board/none"), ErrUnread)
}

// TestBlindUndone: a blind write and its opposite in one transaction change nothing, and are no commit.
func TestBlindUndone(t *testing.T) {
	e := mustOpen(t, memfs.New(), Options{SnapshotBytes: -1})
	defer e.Close()
	o, b := ownerOf(t, e), blindSets{}
	b.fill(t, e, "board/a", 10)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Unload("board/a"))
	for range 2 {
		before, _, err := e.Usage("board/a")
		require.NoError(t, err)
		seq := e.LastSeq()
		require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error {
			was := b["board/a"]["m0003"]
			require.NoError(t, b.remove(tx, o, "board/a", "m0003"))
			require.NoError(t, b.put(tx, o, "board/a", "m0003", blindEntry{1, blindTie(1)}))
			require.NoError(t, b.remove(tx, o, "board/a", "m0003"))
			return b.put(tx, o, "board/a", "m0003", was)
		}))
		after, _, err := e.Usage("board/a")
		require.NoError(t, err)
		after.Disk = before.Disk // which the store's own work changes
		require.Equal(t, before, after)
		require.Equal(t, seq, e.LastSeq())
		require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return b.remove(tx, o, "board/a", "m0005") }))
		require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error {
			return b.put(tx, o, "board/a", "m0005", blindEntry{9, blindTie(2)})
		}))
	}
	require.NoError(t, b.sealed(e, o))
	require.NoError(t, b.equal(e))
}

// TestBlindWrong: after a blind write that does not fit the entries, every read of the set fails with ErrCorrupt and names it, and so does a
// snapshot, so that the log keeps the write. A drop ends that.
func TestBlindWrong(t *testing.T) {
	for name, write := range map[string]func(o Owner, tx *Tx) error{
		"absent": func(o Owner, tx *Tx) error {
			return o.BlindRemove(tx, "board/a", []byte("nobody"), 1, []byte(blindTie(1)))
		},
		"score": func(o Owner, tx *Tx) error {
			return o.BlindRemove(tx, "board/a", []byte("m0001"), -1, []byte(blindTie(1)))
		},
		"there": func(o Owner, tx *Tx) error { return o.BlindPut(tx, "board/a", []byte("m0001"), 1, []byte(blindTie(1))) },
	} {
		t.Run(name, func(t *testing.T) {
			e := mustOpen(t, memfs.New(), Options{SnapshotBytes: -1})
			defer e.Close()
			o, b := ownerOf(t, e), blindSets{}
			b.fill(t, e, "board/a", 10)
			b.fill(t, e, "board/b", 10)
			require.NoError(t, e.Snapshot())
			require.NoError(t, e.Unload("board/a"))
			require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return write(o, tx) }))
			for range 2 {
				err := e.View(t.Context(), func(*Tx) error { return nil }, "board/a", "board/b")
				require.ErrorIs(t, err, ErrCorrupt)
				require.ErrorContains(t, err, "board/a")
				err = e.Snapshot()
				require.ErrorIs(t, err, ErrCorrupt)
				require.ErrorContains(t, err, "board/a")
			}
			rep, err := e.Check(t.Context(), nil)
			require.NoError(t, err)
			require.NotEmpty(t, rep.Problems)
			n, err := o.Delete(t.Context(), "board/a")
			require.NoError(t, err)
			require.Equal(t, 1, n)
			require.NoError(t, e.Snapshot())
			require.NoError(t, sound(e, 1))
			counted(t, e)
		})
	}
}

// TestBlindMany: a set is loaded after 128 blind writes, so that those of it take bounded memory.
func TestBlindMany(t *testing.T) {
	e := mustOpen(t, memfs.New(), Options{SnapshotBytes: -1})
	defer e.Close()
	o, b := ownerOf(t, e), blindSets{}
	b.fill(t, e, "board/a", 500)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Unload("board/a"))
	for i := range 200 {
		require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error { return b.remove(tx, o, "board/a", fmt.Sprintf("m%04d", i)) }))
		require.Equal(t, []bool{i >= 128}, loadedSets(t, e, "board/a"))
		require.NoError(t, b.sealed(e, o))
	}
	require.NoError(t, b.equal(e))
}

// TestBlindSnapshot: a snapshot writes sets with blind writes, one or a few at a time, and they leave memory again at once. Then the log is not
// needed any more, with a memory limit and without. A set that was read meanwhile stays.
func TestBlindSnapshot(t *testing.T) {
	for _, limit := range []int64{0, 1 << 30} {
		mem := memfs.New()
		o := Options{SnapshotBytes: -1, MemoryLimit: limit}
		e := mustOpen(t, mem, o)
		b, own := blindSets{}, ownerOf(t, e)
		var keys []string
		for i := range 60 {
			keys = append(keys, fmt.Sprintf("board/%02d", i))
			b.fill(t, e, keys[i], 2000)
		}
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Unload(keys...))
		require.NoError(t, own.UpdateBlind(t.Context(), nil, keys, func(tx *Tx) error {
			for i, key := range keys {
				require.NoError(t, b.remove(tx, own, key, fmt.Sprintf("m%04d", i)))
			}
			return nil
		}))
		require.Equal(t, []bool{false, false}, loadedSets(t, e, keys[:2]...))
		most, pages := 0, 0
		e.checkpoints.Paged = func(page []byte) []byte {
			st, err := e.Stats()
			require.NoError(t, err)
			most, pages = max(most, st.Loaded), pages+1
			return page
		}
		require.NoError(t, e.Snapshot())
		require.LessOrEqual(t, most, 10)
		require.Less(t, pages, 3*len(keys))
		st, err := e.Stats()
		require.NoError(t, err)
		require.Equal(t, []int{0, 60, 0}, []int{st.Loaded, st.Loads, st.Memory})
		require.Zero(t, st.Log)
		require.NoError(t, b.sealed(e, own))
		counted(t, e)
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, o)
		require.Zero(t, e.Recovery().Loaded)
		require.NoError(t, b.sealed(e, ownerOf(t, e)))
		require.NoError(t, b.equal(e))
		require.NoError(t, sound(e, 60))
		require.NoError(t, e.Close())
		t.Logf("limit %d: %d sets in memory at most, %d pages", limit, most, pages)
	}
}

// TestBlindFeed: a feed shows blind writes like others.
func TestBlindFeed(t *testing.T) {
	e := mustOpen(t, memfs.New(), Options{SnapshotBytes: -1})
	defer e.Close()
	o, b := ownerOf(t, e), blindSets{}
	b.fill(t, e, "board/a", 10)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Unload("board/a"))
	from := e.LastSeq()
	x := b["board/a"]["m0001"]
	require.NoError(t, o.UpdateBlind(t.Context(), nil, []string{"board/a"}, func(tx *Tx) error {
		require.NoError(t, b.remove(tx, o, "board/a", "m0001"))
		return b.put(tx, o, "board/a", "n", x)
	}))
	for c, err := range e.Feed(t.Context(), from) {
		require.NoError(t, err)
		require.Len(t, c.Changes, 3)
		create, remove, put := c.Changes[0], c.Changes[1], c.Changes[2]
		require.Equal(t, []any{ChangeCreate, "board/a", true, blindForm, uint64(12)}, []any{create.Kind, create.Key, create.Ints, create.Form, create.Version})
		require.Equal(t, []any{ChangeRemove, "m0001"}, []any{remove.Kind, string(remove.Member)})
		require.Equal(t, []any{ChangePut, "n", x.score, x.tie}, []any{put.Kind, string(put.Member), put.IntScore, string(put.Tie)})
		break
	}
}
