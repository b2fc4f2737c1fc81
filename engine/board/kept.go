package board

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// keptSource is a ranking of a board. It leaves memory again, once it does not change any more and nobody has read it for a while.
type keptSource struct {
	*engineSource
	b      *Board
	st     *state
	closed func() bool
}

// ranking returns the ranking of a period.
func (b *Board) ranking(st *state, s *span, p Period) Ranking {
	x := b.subject(st, s, p)
	return &ranking{fixed: &x, rules: st.rules}
}

// subject returns what the ranking of a period is of.
func (b *Board) subject(st *state, s *span, p Period) subject {
	x := s.slot(p)
	src := keptSource{b.source(st, x.key), b, st, func() bool { return s.isClosed(x) }}
	if st.spec.MaxMeta > 0 {
		src.meta = func(tx *engine.Tx, member string) ([]byte, error) {
			meta, _, err := tx.Get(s.metaKey(p.Name, member))
			return meta, err
		}
	}
	return subject{src, rankingID(x.key), func() Info { return st.info(s, p) }}
}

// baseline returns the ranking of a baseline.
func (b *Board) baseline(st *state, window, name string) Ranking {
	info := Info{Board: st.name, Window: window, Period: name, Closed: true}
	src := keptSource{b.source(st, st.baselineKey(window, name)), b, st, func() bool { return true }}
	return newRanking(src, st.rules, src.key, func() Info { return info })
}

// source returns where the set of a key is.
func (b *Board) source(st *state, key string) *engineSource {
	return &engineSource{e: b.bs.e, key: key, form: st.form}
}

func (k keptSource) read(fn func(*zset.IntView, metaOf) error) error {
	defer k.note() // the period may have been closed meanwhile
	return k.engineSource.read(func(v *zset.IntView, meta metaOf) error {
		if err := k.b.same(k.st); err != nil {
			return err
		}
		return fn(v, meta)
	})
}

func (k keptSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	defer k.note()
	z, meta, err := k.engineSource.copy(ctx)
	if err == nil {
		err = k.b.same(k.st)
	}
	return z, meta, err
}

// same returns an error if the board is another one since a ranking was handed out: its sets are gone then, or about to. Errors:
// ErrMigrating, ErrNoBoard.
func (b *Board) same(st *state) error {
	switch {
	case b.dropped.Load():
		return fmt.Errorf("%w: %q", ErrNoBoard, st.name)
	case b.state.Load() != st:
		return fmt.Errorf("%w: %q: ask for the ranking again", ErrMigrating, st.name)
	}
	return nil
}

// note has a closed period leave memory again when nobody has read it for a while.
func (k keptSource) note() {
	if k.closed() && !k.b.bs.ticker.stopped() {
		k.b.bs.ticker.note(k.key, k.b.bs.e.Now())
	}
}
