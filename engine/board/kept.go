package board

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// keptSource is a ranking that the engine keeps.
type keptSource struct {
	b              *Board
	st             *state
	key            string
	window, period string
	closed         func() bool
}

// ranking returns the ranking of a period.
func (b *Board) ranking(st *state, s *span, p Period) Ranking {
	info := func() Info { return st.info(s, p) }
	return b.kept(st, s.key(p.Name), p.Name, info)
}

// kept returns the ranking of a key.
func (b *Board) kept(st *state, key, period string, info func() Info) Ranking {
	src := keptSource{b: b, st: st, key: key, window: info().Window, period: period, closed: func() bool { return info().Closed }}
	return newRanking(src, st.rules, key, info)
}

func (k keptSource) read(fn func(*zset.IntView, metaOf) error) error {
	k.note()
	return k.b.bs.e.View([]string{k.key}, func(tx *engine.Tx) error {
		s, err := tx.IntSet(k.key, k.st.form)
		if err != nil {
			return err
		}
		return fn(s.IntView, k.meta(tx))
	})
}

func (k keptSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	k.note()
	z, _, err := k.b.bs.e.CopyInts(ctx, k.key, k.st.form)
	return z, k.metaLater(), err
}

// note has a closed period leave memory again when nobody has read it for a while.
func (k keptSource) note() {
	if k.closed() {
		k.b.bs.keeper.note(k.key, k.b.bs.e.Now())
	}
}

// meta returns what has the metadata of entries in a transaction; nil if the board keeps none, or nobody scores there.
func (k keptSource) meta(tx *engine.Tx) metaOf {
	if k.st.spec.MaxMeta == 0 {
		return nil
	}
	return func(member string) ([]byte, error) {
		meta, _, err := tx.Get(metaKey(k.st.name, k.window, k.period, member))
		return meta, err
	}
}

// metaLater is meta for a copy of the ranking: it has what entries have by then.
func (k keptSource) metaLater() metaOf {
	if k.st.spec.MaxMeta == 0 {
		return nil
	}
	return func(member string) (meta []byte, err error) {
		err = k.b.bs.e.View(nil, func(tx *engine.Tx) error {
			meta, err = k.meta(tx)(member)
			return err
		})
		return meta, err
	}
}
