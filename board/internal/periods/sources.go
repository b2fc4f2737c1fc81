package periods

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// engineSource is a set of an engine, or the parts of a ranking. A set that does not exist is empty.
type engineSource struct {
	e     *engine.Engine
	owner engine.Owner
	key   string
	parts *state.Parts // nil: one set
	form  engine.Form
	meta  func(tx *engine.Tx, member string) ([]byte, error) // reads the metadata of a member; nil: entries have none
}

func (s *engineSource) Open(ctx context.Context, o *ranking.Opened) error {
	if s.parts != nil {
		return s.openParts(ctx, o)
	}
	tx, err := s.owner.BeginView(ctx, s.key, o.Brief && s.meta == nil)
	if err != nil {
		return err
	}
	set, err := tx.IntSet(s.key, s.form)
	if err != nil {
		s.owner.EndView(tx)
		return err
	}
	o.Set, o.Tx = set.IntView, tx
	s.openMeta(o)
	return nil
}

// openParts is Open for a ranking in parts.
func (s *engineSource) openParts(ctx context.Context, o *ranking.Opened) (err error) {
	if o.Parts, o.Tx, err = catalog.OpenParts(ctx, s.owner, s.parts, s.form); err == nil {
		s.openMeta(o)
	}
	return err
}

func (s *engineSource) openMeta(o *ranking.Opened) {
	if tx := o.Tx; s.meta != nil {
		o.Meta = func(_ context.Context, member string) ([]byte, error) { return s.meta(tx, member) }
	}
}

func (s *engineSource) Close(o *ranking.Opened) {
	s.owner.EndView(o.Tx)
	if o.Parts != nil {
		o.Parts.Release()
	}
}

// keys returns the keys of the sets that the ranking is in.
func (s *engineSource) keys() []string {
	if s.parts != nil {
		return s.parts.Now().Keys
	}
	return []string{s.key}
}

func (s *engineSource) Copy(ctx context.Context) (c ranking.Copied, err error) {
	read := func(keys []string) (err error) {
		c.Set, err = catalog.CopySets(ctx, s.owner, keys, s.form)
		return err
	}
	if s.parts != nil {
		err = s.parts.Read(read)
	} else {
		err = read(s.keys())
	}
	if s.meta != nil {
		c.Meta = s.metaNow
	}
	return c, err
}

// metaNow reads a member's metadata in a new transaction.
func (s *engineSource) metaNow(ctx context.Context, member string) (meta []byte, err error) {
	err = s.e.View(ctx, func(tx *engine.Tx) (err error) {
		meta, err = s.meta(tx, member)
		return err
	})
	return meta, err
}

// boardSource is a set of a board. It refuses reads once the board has another state. It notes reads of a final set, so that the evictor evicts
// the set once it is idle.
type boardSource struct {
	*engineSource
	b         *catalog.Board
	st        *state.State
	final     func() bool              // the set does not change any more, but by moderation
	vacancies func() ranking.Vacancies // of the set; it is called while that does not change
}

func (s boardSource) Open(ctx context.Context, o *ranking.Opened) error {
	if err := s.engineSource.Open(ctx, o); err != nil {
		s.noteRead()
		return err
	}
	if err := s.b.CheckReadable(s.st); err != nil {
		s.Close(o)
		return err
	}
	o.Vacancies = s.vacancies()
	return nil
}

func (s boardSource) Close(o *ranking.Opened) {
	s.engineSource.Close(o)
	s.noteRead() // after the read: the period may be closed during the read
}

func (s boardSource) Copy(ctx context.Context) (c ranking.Copied, err error) {
	defer s.noteRead()
	for {
		before := s.vacancies()
		if c, err = s.engineSource.Copy(ctx); err == nil {
			err = s.b.CheckReadable(s.st)
		}
		if c.Vacancies = s.vacancies(); err != nil || len(c.Vacancies) == len(before) { // the set and its vacancies change together, and vacancies only become more
			return c, err
		}
	}
}

// noteRead tells the evictor that a final set was read.
func (s boardSource) noteRead() {
	if s.final() && !s.b.Env().IsStopped() {
		s.b.Env().Idle.NoteRead(s.b.Engine().Now(), s.keys()...)
	}
}

// rollingSource is the set of a rolling window. It is opened without the results that have left by then.
type rollingSource struct {
	boardSource
	t *state.Timeline
}

func (s rollingSource) Open(ctx context.Context, o *ranking.Opened) error {
	o.Brief = false // a guest of a step would see what the step removes
	for {
		if err := s.boardSource.Open(ctx, o); err != nil {
			return err
		}
		if !rolling.IsDue(s.b, s.t) {
			return nil
		}
		s.Close(o)
		if err := rolling.Settle(ctx, s.b, s.st, s.t); err != nil {
			return err
		}
	}
}

func (s rollingSource) Copy(ctx context.Context) (c ranking.Copied, err error) {
	if c.Set, err = copyRolling(ctx, s.b, s.st, s.t, s.key); err == nil {
		err = s.b.CheckReadable(s.st)
	}
	if s.meta != nil {
		c.Meta = s.metaNow
	}
	return c, err
}
