package board

import (
	"context"
	"fmt"

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
	x := s.slot(p)
	src := keptSource{b, st, x.key, s.Window.Name, p.Name, func() bool { return s.isClosed(x) }}
	return newRanking(src, st.rules, x.key, func() Info { return st.info(s, p) })
}

// baseline returns the ranking of a baseline.
func (b *Board) baseline(st *state, window, name string) Ranking {
	key, info := st.baselineKey(window, name), Info{Board: st.name, Window: window, Period: name, Closed: true}
	src := keptSource{b, st, key, window, "", func() bool { return true }}
	return newRanking(src, st.rules, key, func() Info { return info })
}

func (k keptSource) read(fn func(*zset.IntView, metaOf) error) error {
	k.note()
	return k.b.bs.e.View([]string{k.key}, func(tx *engine.Tx) error {
		if err := k.there(); err != nil {
			return err
		}
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
	if err == nil {
		err = k.there()
	}
	return z, k.metaLater(), err
}

// there returns an error if the board is another one since the ranking was handed out: its sets are gone then, or about to. Errors:
// ErrMigrating, ErrNoBoard.
func (k keptSource) there() error {
	switch {
	case k.b.dropped.Load():
		return fmt.Errorf("%w: %q", ErrNoBoard, k.st.name)
	case k.b.state.Load() != k.st:
		return fmt.Errorf("%w: %q: ask for the ranking again", ErrMigrating, k.st.name)
	}
	return nil
}

// note has a closed period leave memory again when nobody has read it for a while.
func (k keptSource) note() {
	if k.closed() && !k.b.bs.keeper.stopped() {
		k.b.bs.keeper.note(k.key, k.b.bs.e.Now())
	}
}

// meta returns what has the metadata of entries in a transaction; nil if the board keeps none, or the
// ranking is a baseline.
func (k keptSource) meta(tx *engine.Tx) metaOf {
	if k.st.spec.MaxMeta == 0 || k.period == "" {
		return nil
	}
	return func(member string) ([]byte, error) {
		meta, _, err := tx.Get(metaKey(k.st.name, k.window, k.period, member))
		return meta, err
	}
}

// metaLater is meta for a copy of the ranking: it has what entries have by then.
func (k keptSource) metaLater() metaOf {
	if k.st.spec.MaxMeta == 0 || k.period == "" {
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
