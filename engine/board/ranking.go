package board

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// ranking is the Ranking of one subject, or of whichever period is live. Each of its methods checks what it was given, asks for the
// subject once, takes one look at it, and answers from that.
type ranking struct {
	fixed *subject // what it is of; nil: live tells at each call
	live  *live    // of a ranking of Board.Live, also in a View of it and pinned; else nil
	rules *rules.Rules
	mode  Mode
	plain bool // rows have no metadata
}

// subject is what a ranking is of: one set.
type subject struct {
	source
	id   uint64      // what its cursors are of
	info func() Info // without Mode
}

// newRanking returns the ranking of a set with forms of the rules. Its cursors are good for every ranking of the same key, which
// must be another one after a migration. info is asked each time.
func newRanking(src source, r *rules.Rules, key string, info func() Info) Ranking {
	return &ranking{fixed: &subject{src, rankingID(key), info}, rules: r}
}

// subject returns what a call is about. Errors: those of live.now.
func (r *ranking) subject() (*subject, error) {
	if r.fixed != nil {
		return r.fixed, nil
	}
	return r.live.now()
}

// Info implements Ranking.
func (r *ranking) Info() (info Info) {
	if s, err := r.subject(); err == nil {
		info = s.info()
	} else {
		info = r.live.info()
	}
	info.Mode = r.mode
	return info
}

// By implements Ranking.
func (r *ranking) By(mode Mode) Ranking {
	other := *r
	other.mode = mode
	return &other
}

// bare returns the same ranking without metadata.
func (r *ranking) bare() *ranking {
	other := *r
	other.plain = true
	return &other
}

// of returns the same ranking, of this subject only.
func (r *ranking) of(s *subject) *ranking {
	other := *r
	other.fixed = s
	return &other
}

// viewed is the ranking of a View, with all that it needs.
type viewed struct {
	ranking ranking
	subject subject
	src     viewSource
}

// View implements Ranking.
func (r *ranking) View(fn func(Ranking) error) error {
	s, err := r.ready()
	if err != nil {
		return err
	}
	return s.read(func(v *zset.IntView, meta metaOf) error {
		in := &viewed{*r, *s, viewSource{v, meta}}
		in.subject.source, in.ranking.fixed = &in.src, &in.subject
		defer func() { in.src.v = nil }()
		return fn(&in.ranking)
	})
}

// Pin implements Ranking.
func (r *ranking) Pin(ctx context.Context) (Ranking, error) {
	s, err := r.ready()
	if err != nil {
		return nil, err
	}
	set, meta, err := s.copy(ctx)
	if err != nil {
		return nil, err
	}
	info := s.info()
	return r.of(&subject{pinnedSource{set.View(), meta}, s.id, func() Info { return info }}), nil
}

// ready checks the mode, and returns the subject.
func (r *ranking) ready() (*subject, error) {
	if err := r.mode.validate(); err != nil {
		return nil, r.fault(err)
	}
	return r.subject()
}

// look runs fn on the ranking as it is.
func (r *ranking) look(fn func(*look) error) error {
	s, err := r.ready()
	if err != nil {
		return err
	}
	return r.lookAt(s, fn)
}

// lookAt runs fn on a subject that ready has returned.
func (r *ranking) lookAt(s *subject, fn func(*look) error) error {
	return s.read(func(v *zset.IntView, meta metaOf) error {
		if r.plain {
			meta = nil
		}
		return fn(&look{v: v, meta: meta, rules: r.rules, mode: r.mode})
	})
}

// fault is an error of what the ranking was asked.
func (r *ranking) fault(err error) error {
	i := r.Info()
	if i.Period == "" {
		return fmt.Errorf("%w: %q, window %s", err, i.Board, i.Window)
	}
	return fmt.Errorf("%w: %s of %q, window %s", err, i.Period, i.Board, i.Window)
}
