package board

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// ofPeriod returns the ranking of a period.
func ofPeriod(b *core, st *state, t *timeline, p Period) Ranking {
	s := periodSubject(b, st, t, p)
	return newRanking(&s, st.rules)
}

// periodSubject returns the subject of a period's ranking.
func periodSubject(b *core, st *state, t *timeline, p Period) subject {
	x := t.slotOf(p)
	src := &engineSource{e: b.engine(), key: x.key, form: st.form}
	if st.spec.MaxMeta > 0 {
		src.meta = func(tx *engine.Tx, member string) ([]byte, error) {
			meta, _, err := tx.Get(metaKey(st.name, t.Window.Name, p.Name, member))
			return meta, err
		}
	}
	kept := keptSource{src, b, st, func() bool { return t.isClosed(x) }}
	return newSubject(kept, x.key, func() Info { return st.info(t, p) })
}

// ofBaseline returns the ranking of a baseline.
func ofBaseline(b *core, st *state, window, name string) Ranking {
	info := Info{Board: st.name, Window: window, Period: name, Closed: true}
	src := &engineSource{e: b.engine(), key: st.baselineKey(window, name), form: st.form}
	s := newSubject(keptSource{src, b, st, func() bool { return true }}, src.key, func() Info { return info })
	return newRanking(&s, st.rules)
}

// engineSource is a set of an engine. A set that does not exist is empty.
type engineSource struct {
	e    *engine.Engine
	key  string
	form engine.Form
	meta func(tx *engine.Tx, member string) ([]byte, error) // reads the metadata of a member; nil: entries have none
}

func (s *engineSource) read(fn func(*zset.IntView, metaOf) error) error {
	return s.e.View([]string{s.key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(s.key, s.form)
		if err != nil {
			return err
		}
		if s.meta == nil {
			return fn(set.IntView, nil)
		}
		return fn(set.IntView, func(member string) ([]byte, error) { return s.meta(tx, member) })
	})
}

func (s *engineSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	set, _, err := s.e.CopyInts(ctx, s.key, s.form)
	if err != nil || s.meta == nil {
		return set, nil, err
	}
	return set, s.metaNow, nil
}

// metaNow reads a member's metadata in a transaction of its own.
func (s *engineSource) metaNow(member string) (meta []byte, err error) {
	err = s.e.View(nil, func(tx *engine.Tx) (err error) {
		meta, err = s.meta(tx, member)
		return err
	})
	return meta, err
}

// keptSource is a set of a board. It refuses reads once the board has another state, and notes reads of a final set, so that the set is
// evicted when it is idle.
type keptSource struct {
	*engineSource
	b     *core
	st    *state
	final func() bool // the set does not change any more
}

func (k keptSource) read(fn func(*zset.IntView, metaOf) error) error {
	defer k.noteRead() // after the read, which the end of the period may have overtaken
	return k.engineSource.read(func(v *zset.IntView, meta metaOf) error {
		if err := k.b.checkReadable(k.st); err != nil {
			return err
		}
		return fn(v, meta)
	})
}

func (k keptSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	defer k.noteRead()
	z, meta, err := k.engineSource.copy(ctx)
	if err == nil {
		err = k.b.checkReadable(k.st)
	}
	return z, meta, err
}

// noteRead has a final set evicted when it is idle.
func (k keptSource) noteRead() {
	if k.final() && !k.b.in().isStopped() {
		k.b.in().idle.noteRead(k.key, k.b.engine().Now())
	}
}
