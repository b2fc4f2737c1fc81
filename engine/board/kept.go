package board

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// ranking returns the ranking of a period.
func (b *Board) ranking(st *state, s *span, p Period) Ranking {
	src := keptSource{b.source(st, s.key(p.Name)), b, func() bool { return st.info(s, p).Closed }}
	if st.spec.MaxMeta > 0 {
		src.meta = func(tx *engine.Tx, member string) ([]byte, error) {
			meta, _, err := tx.Get(metaKey(st.name, s.Window.Name, p.Name, member))
			return meta, err
		}
	}
	return newRanking(src, st.rules, src.key, func() Info { return st.info(s, p) })
}

// source returns where the set of a key is.
func (b *Board) source(st *state, key string) *engineSource {
	return &engineSource{e: b.bs.e, key: key, form: st.form}
}

// keptSource is a ranking that leaves memory again, once it does not change any more and nobody has read it for a while.
type keptSource struct {
	*engineSource
	b      *Board
	closed func() bool
}

func (k keptSource) read(fn func(*zset.IntView, metaOf) error) error {
	k.note()
	return k.engineSource.read(fn)
}

func (k keptSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	k.note()
	return k.engineSource.copy(ctx)
}

func (k keptSource) note() {
	if k.closed() {
		k.b.bs.keeper.note(k.key, k.b.bs.e.Now())
	}
}
