package ranking

import (
	"context"
	"fmt"
	"sync"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// reader implements Ranking, for one subject or for the live period of a window. Each method checks its arguments, gets the subject once, and
// computes its result in one Look at the subject.
type reader struct {
	fixed *Subject   // nil: each call asks live for the subject
	live  LiveWindow // of a ranking of Board.Live or InTx.Live, also in a View of it and pinned; else nil
	rules *rules.Rules
	mode  rules.Mode
	plain bool // rows have no metadata
}

// New returns the ranking of a subject, whose set has the form of the rules.
func New(s *Subject, r *rules.Rules) board.Ranking { return &reader{fixed: s, rules: r} }

// NewLive returns the ranking of the period of a window that is live at each call.
func NewLive(w LiveWindow, r *rules.Rules) board.Ranking { return &reader{live: w, rules: r} }

// NewLiveAt returns the ranking of the period of a window that was live when the caller asked.
func NewLiveAt(s *Subject, w LiveWindow, r *rules.Rules) board.Ranking {
	return &reader{fixed: s, live: w, rules: r}
}

// NewPinned returns the ranking of a set with the form of the rules, which nobody changes any more. Its cursors are valid for every ranking with the
// same id.
func NewPinned(set *zset.IntSet, vacancies Vacancies, r *rules.Rules, id string, info board.Info) board.Ranking {
	s := NewSubject(&pinnedSource{Set: set.View(), Vacancies: vacancies}, id, func() board.Info { return info })
	return New(&s, r)
}

// subject returns the subject of a call. Errors: those of LiveWindow.Subject.
func (r *reader) subject() (*Subject, error) {
	if r.fixed != nil {
		return r.fixed, nil
	}
	return r.live.Subject()
}

// Info implements Ranking.
func (r *reader) Info(ctx context.Context) (info board.Info, err error) {
	s, err := r.subject()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		info = s.info()
		info.Mode = r.mode
	}
	return info, err
}

// about is Info, without a period while none is live.
func (r *reader) about() (info board.Info) {
	if s, err := r.subject(); err == nil {
		info = s.info()
	} else {
		info = r.live.Info()
	}
	return info
}

// By implements Ranking.
func (r *reader) By(mode rules.Mode) board.Ranking {
	if mode == r.mode {
		return r
	}
	other := *r
	other.mode = mode
	return &other
}

// bare returns the same ranking without metadata.
func (r *reader) bare() *reader {
	other := *r
	other.plain = true
	return &other
}

// fixedTo returns the same ranking, fixed to a subject.
func (r *reader) fixedTo(s *Subject) *reader {
	other := *r
	other.fixed = s
	return &other
}

// viewed is the ranking of a View with its subject and source in one struct, so that a View needs one allocation.
type viewed struct {
	reader  reader
	subject Subject
	src     viewSource
}

// View implements Ranking.
func (r *reader) View(ctx context.Context, fn func(board.Ranking) error) error {
	s, err := r.ready()
	if err != nil {
		return err
	}
	in := &viewed{reader: *r, subject: *s}
	if err := s.Open(ctx, &in.src.Opened); err != nil {
		return err
	}
	opened := in.src.Opened
	in.subject.Source, in.reader.fixed = &in.src, &in.subject
	defer func() {
		in.src.Set, in.src.Parts, in.src.Sets = nil, nil, nil
		s.Close(&opened)
	}()
	return fn(&in.reader)
}

// Pin implements Ranking.
func (r *reader) Pin(ctx context.Context) (board.Ranking, error) {
	s, err := r.ready()
	if err != nil {
		return nil, err
	}
	c, err := s.Copy(ctx)
	if err != nil {
		return nil, err
	}
	info := s.info()
	return r.fixedTo(&Subject{&pinnedSource{Set: c.Set.View(), Vacancies: c.Vacancies, Meta: c.Meta}, s.id, func() board.Info { return info }}), nil
}

// ready checks the mode, and returns the subject.
func (r *reader) ready() (*Subject, error) {
	if err := r.mode.Validate(); err != nil {
		return nil, r.fault(err)
	}
	return r.subject()
}

// looks reuses the memory of looks.
var looks = sync.Pool{New: func() any { return new(Look) }}

// look begins a look at the ranking as it is. The caller calls done.
func (r *reader) look(ctx context.Context) (*Look, error) {
	s, err := r.ready()
	if err != nil {
		return nil, err
	}
	return r.lookAt(ctx, s)
}

// lookAt is look for a subject that ready has returned.
func (r *reader) lookAt(ctx context.Context, s *Subject) (*Look, error) {
	l := looks.Get().(*Look)
	l.opened.Brief = r.mode != rules.Dense // dense ranks take long in a set that changes
	if err := s.Open(ctx, &l.opened); err != nil {
		l.free()
		return nil, err
	}
	l.ctx, l.v, l.meta, l.vacancies, l.rules, l.mode, l.source = ctx, l.opened.view(), l.opened.Meta, l.opened.Vacancies, r.rules, r.mode, s.Source
	if l.n = l.v.Len(); l.opened.Top > 0 {
		l.n = min(l.n, l.opened.Top)
	}
	if r.plain {
		l.meta = nil
	}
	return l, nil
}

// done ends a look. If it could not read the set, that is the error of the call.
func (l *Look) done(err *error) {
	if l.v.sets != nil && *err == nil {
		*err = l.v.sets.Err()
	}
	l.source.Close(&l.opened)
	l.free()
}

// free gives the memory of a look back.
func (l *Look) free() {
	*l = Look{key: l.key[:0]}
	looks.Put(l)
}

// fault adds the names of board, window and period to an error in the caller's arguments.
func (r *reader) fault(err error) error {
	i := r.about()
	switch {
	case i.Board == "" && i.Period == "":
		return fmt.Errorf("%w: a union", err)
	case i.Board == "":
		return fmt.Errorf("%w: union %q", err, i.Period)
	case i.Period == "":
		return fmt.Errorf("%w: %q, window %s", err, i.Board, i.Window)
	}
	return fmt.Errorf("%w: %s of %q, window %s", err, i.Period, i.Board, i.Window)
}
