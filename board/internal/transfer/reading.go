package transfer

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// versionWidth is how many bytes of the board's version are before stored times.
const versionWidth = 8

// Len implements relocation.Source.
func (s *source) Len(_ context.Context, r relocation.Ranking) (int, error) {
	t, err := s.st.Timeline(r.Window)
	if err != nil {
		return 0, err
	}
	n := 0
	err = t.Read(r.Period, func(keys []string) error {
		n = 0
		for _, key := range append(slices.Clone(keys), t.HiddenKey(r.Period)) {
			set, err := s.b.Owner().Seal(key)
			if err != nil {
				return err
			}
			n += set.Members
		}
		return nil
	})
	return n, err
}

// Entries implements relocation.Source: in order, hidden ones among the others. The sets of a
// closed period leave memory again.
func (s *source) Entries(ctx context.Context, r relocation.Ranking, fn func([]relocation.Entry) error) error {
	t, err := s.st.Timeline(r.Window)
	if err != nil {
		return err
	}
	z, keys, err := s.copyRanking(ctx, t, r.Period)
	if err != nil {
		return err
	}
	hidden, err := catalog.CopySets(ctx, s.b.Owner(), []string{t.HiddenKey(r.Period)}, s.st.Form)
	if err != nil {
		return err
	}
	for lo := 0; lo < z.Len(); lo += step {
		entries := make([]relocation.Entry, 0, step)
		for _, e := range z.Append(nil, lo, lo+step) {
			_, isHidden := hidden.Score(e.Member)
			entries = append(entries, entryOf(e.Member, e.Tie, e.Score, isHidden))
		}
		if err := s.readBeside(ctx, r, entries); err != nil {
			return err
		}
		if err := fn(entries); err != nil {
			return err
		}
	}
	if t.RecordOf(r.Period) == nil || z.Len() == 0 {
		return nil
	}
	return s.b.Engine().Unload(keys...)
}

// copyRanking returns the entries of a ranking with the hidden ones, and the keys of its sets. No
// step moves entries between them meanwhile. O(n), and O(n log n) of several sets.
func (s *source) copyRanking(
	ctx context.Context, t *state.Timeline, period string,
) (z *zset.IntSet, keys []string, err error) {
	if tail := t.TailOf(period); tail != nil {
		tail.Steps.Lock()
		defer tail.Steps.Unlock()
	}
	err = t.Read(period, func(now []string) (err error) {
		keys = append(slices.Clone(now), t.HiddenKey(period))
		z, err = catalog.CopySets(ctx, s.b.Owner(), keys, s.st.Form)
		return err
	})
	return z, keys, err
}

func entryOf(member, tie []byte, score int64, hidden bool) relocation.Entry {
	return relocation.Entry{Member: string(member), Score: score, Tie: append([]byte(nil), tie...), Hidden: hidden}
}

// Some implements relocation.Source.
func (s *source) Some(ctx context.Context, r relocation.Ranking, members []string) (entries []relocation.Entry, err error) {
	t, err := s.st.Timeline(r.Window)
	if err != nil {
		return nil, err
	}
	keys := []string{t.Key(r.Period), t.HiddenKey(r.Period)}
	err = s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		for _, key := range keys {
			set, err := tx.IntSet(key, s.st.Form)
			if err != nil {
				return err
			}
			for _, member := range members {
				if score, tie, ok := set.Get([]byte(member)); ok {
					entries = append(entries, entryOf([]byte(member), tie, score, key != keys[0]))
				}
			}
		}
		return nil
	}, keys...)
	if err != nil {
		return nil, err
	}
	return entries, s.readBeside(ctx, r, entries)
}

// hasBeside reports whether entries may have something beside them: metadata, results, times.
func (s *source) hasBeside() bool {
	return s.st.Spec.MaxMeta > 0 || s.st.Rules.K() > 0 || s.st.Rules.Timed() > 0
}

// readBeside reads what is stored beside entries, and notes it.
func (s *source) readBeside(ctx context.Context, r relocation.Ranking, entries []relocation.Entry) error {
	if !s.hasBeside() {
		return nil
	}
	if s.beside[r] == nil {
		s.beside[r] = map[string]uint64{}
	}
	return s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		for i := range entries {
			e, sum := &entries[i], uint64(0)
			get := func(key string) ([]byte, error) {
				value, _, err := tx.Get(key)
				sum += sumOf(key, value)
				return value, err
			}
			var err error
			if e.Meta, err = get(boardkey.Meta(s.st.Name, r.Window, r.Period, e.Member)); err != nil {
				return err
			}
			kept, err := get(boardkey.Kept(s.st.Name, r.Window, r.Period, e.Member))
			if err != nil {
				return err
			}
			if s.beside[r][e.Member] = sum; sum == 0 {
				delete(s.beside[r], e.Member)
			}
			e.Kept = s.portable(kept)
		}
		return nil
	})
}

var seed = maphash.MakeSeed()

// sumOf returns a hash of a private key with its value, 0 for none.
func sumOf(key string, value []byte) uint64 {
	if len(value) == 0 {
		return 0
	}
	return maphash.Comparable(seed, [2]string{key, string(value)})
}

// portable returns stored results or times without what only this board can read.
func (s *source) portable(kept []byte) []byte {
	if s.st.Rules.K() > 0 || len(kept) == 0 {
		return kept
	}
	if len(kept) < versionWidth || binary.BigEndian.Uint64(kept) != uint64(s.st.Version) {
		return nil // times of before a migration are unknown
	}
	return kept[versionWidth:]
}

// Once implements relocation.Source.
func (s *source) Once(ctx context.Context, fn func([]relocation.OnceKey) error) error {
	z, _, err := s.b.Engine().CopyInts(ctx, s.st.OnceKey, engine.Form{})
	if err != nil {
		return err
	}
	for lo := 0; lo < z.Len(); lo += step {
		var keys []relocation.OnceKey
		for _, e := range z.Append(nil, lo, lo+step) {
			keys = append(keys, relocation.OnceKey{Key: string(e.Member), At: e.Score})
		}
		if err := fn(keys); err != nil {
			return err
		}
	}
	return nil
}
