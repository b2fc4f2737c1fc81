package periods

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/window"
	"github.com/zrankdb/zrank/zset"
)

// ofPeriod returns the ranking of a period.
func ofPeriod(b *catalog.Board, st *state.State, t *state.Timeline, p window.Period) ranking.Ranking {
	s := periodSubject(b, st, t, p)
	return ranking.New(&s, st.Rules)
}

// periodSubject returns what a period's ranking is read from: the source of its set, the id that its cursors carry, and its Info.
func periodSubject(b *catalog.Board, st *state.State, t *state.Timeline, p window.Period) ranking.Subject {
	x := t.SlotOf(p)
	src := &engineSource{e: b.Engine(), key: x.Key, form: st.Form}
	if st.Spec.MaxMeta > 0 {
		src.meta = func(tx *engine.Tx, member string) ([]byte, error) {
			meta, _, err := tx.Get(boardkey.Meta(st.Name, t.Window.Name, p.Name, member))
			return meta, err
		}
	}
	kept := keptSource{src, b, st, func() bool { return t.IsClosed(x) }}
	return ranking.NewSubject(kept, x.Key, func() ranking.Info { return st.Info(t, p) })
}

// ofBaseline returns the ranking of a baseline.
func ofBaseline(b *catalog.Board, st *state.State, window, name string) ranking.Ranking {
	info := ranking.Info{Board: st.Name, Window: window, Period: name, Closed: true}
	src := &engineSource{e: b.Engine(), key: st.BaselineKey(window, name), form: st.Form}
	s := ranking.NewSubject(keptSource{src, b, st, func() bool { return true }}, src.key, func() ranking.Info { return info })
	return ranking.New(&s, st.Rules)
}

// engineSource is a set of an engine. A set that does not exist is empty.
type engineSource struct {
	e    *engine.Engine
	key  string
	form engine.Form
	meta func(tx *engine.Tx, member string) ([]byte, error) // reads the metadata of a member; nil: entries have none
}

func (s *engineSource) Read(fn func(*zset.IntView, ranking.MetaOf) error) error {
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

func (s *engineSource) Copy(ctx context.Context) (*zset.IntSet, ranking.MetaOf, error) {
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
	b     *catalog.Board
	st    *state.State
	final func() bool // the set does not change any more
}

func (k keptSource) Read(fn func(*zset.IntView, ranking.MetaOf) error) error {
	defer k.noteRead() // after the read, which the end of the period may have overtaken
	return k.engineSource.Read(func(v *zset.IntView, meta ranking.MetaOf) error {
		if err := k.b.CheckReadable(k.st); err != nil {
			return err
		}
		return fn(v, meta)
	})
}

func (k keptSource) Copy(ctx context.Context) (*zset.IntSet, ranking.MetaOf, error) {
	defer k.noteRead()
	z, meta, err := k.engineSource.Copy(ctx)
	if err == nil {
		err = k.b.CheckReadable(k.st)
	}
	return z, meta, err
}

// noteRead has a final set evicted when it is idle.
func (k keptSource) noteRead() {
	if k.final() && !k.b.Env().IsStopped() {
		k.b.Env().Idle.NoteRead(k.key, k.b.Engine().Now())
	}
}
