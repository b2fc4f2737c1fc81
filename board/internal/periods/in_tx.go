package periods

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// A transaction of the caller's that has named the keys of AppendKeys reads rankings of the periods as they are in it, with its own changes. Each read
// opens the sets anew: the engine refuses that once the transaction has ended.

// LiveIn returns the ranking of the period of a window that is live at the time of a transaction: see InTx.Live.
func LiveIn(b *catalog.Board, tx *engine.Tx, name string) (board.Ranking, error) {
	st, t, err := b.Timeline(name)
	if err != nil {
		return nil, err
	}
	p, err := t.PeriodAt(tx.Now())
	if err != nil {
		return nil, err
	}
	s, err := subjectIn(b, tx, st, t, p)
	if err != nil {
		return nil, err
	}
	return ranking.NewLiveAt(s, &live{b, st, t}, st.Rules), nil
}

// AtIn returns the ranking of the period that a time lies in: see InTx.At.
func AtIn(b *catalog.Board, tx *engine.Tx, name string, at time.Time) (board.Ranking, error) {
	st, t, err := b.Timeline(name)
	if err != nil {
		return nil, err
	}
	p, err := t.PeriodAt(at)
	if err != nil {
		return nil, err
	}
	return rankingIn(b, tx, st, t, p)
}

// NamedIn returns the ranking of a period by its name: see InTx.Period.
func NamedIn(b *catalog.Board, tx *engine.Tx, name, period string) (board.Ranking, error) {
	st, t, err := b.Timeline(name)
	if err != nil {
		return nil, err
	}
	p, err := Parse(st, t, period)
	if err != nil {
		return nil, err
	}
	r, err := rankingIn(b, tx, st, t, p)
	if err != nil {
		return nil, err
	}
	if n, err := r.Len(tx.Context()); err != nil || n > 0 {
		return r, err
	}
	return nil, NoPeriod(st, t, p)
}

func rankingIn(b *catalog.Board, tx *engine.Tx, st *state.State, t *state.Timeline, p window.Period) (board.Ranking, error) {
	s, err := subjectIn(b, tx, st, t, p)
	if err != nil {
		return nil, err
	}
	return ranking.New(s, st.Rules), nil
}

// subjectIn returns the subject of a period's ranking in a transaction. Errors: those of a first look at it.
func subjectIn(b *catalog.Board, tx *engine.Tx, st *state.State, t *state.Timeline, p window.Period) (*ranking.Subject, error) {
	in := &inSource{b, st, t, t.SlotOf(p), tx}
	if err := b.Owner().In(tx, func() error { return nil }); err != nil {
		return nil, err
	}
	if err := b.Env().Lock(tx, in.keysOf(nil)); err != nil {
		return nil, err
	}
	var o ranking.Opened
	if err := in.Open(tx.Context(), &o); err != nil {
		return nil, err
	}
	in.Close(&o)
	var src ranking.Source = in
	if tail.Has(t) {
		src = inTopSource{in}
	}
	s := ranking.NewSubject(src, in.slot.Key, func() board.Info { return st.Info(t, p) })
	return &s, nil
}

// inSource is the source of a ranking in a transaction of the caller's.
type inSource struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	slot *state.Slot
	tx   *engine.Tx
}

func (s *inSource) Open(ctx context.Context, o *ranking.Opened) error {
	if err := s.b.CheckReadable(s.st); err != nil {
		return s.fault(err)
	}
	if err := s.open(o); err != nil {
		return s.fault(err)
	}
	if o.Tx = s.tx; s.st.Spec.MaxMeta > 0 {
		o.Meta = func(_ context.Context, member string) ([]byte, error) {
			return metaOf(s.tx, s.st, s.t, s.slot.Name, member)
		}
	}
	if o.Vacancies = s.st.Vacancies(s.t, s.slot); s.t.IsClosed(s.slot) {
		noteRead(s.b, s.t, s.slot)
	}
	return nil
}

// open opens the sets.
func (s *inSource) open(o *ranking.Opened) (err error) {
	if p := s.slot.Parts; p != nil {
		o.Parts, err = catalog.PartsIn(s.tx, p, p.Now(), s.st.Form)
		return err
	}
	if rolling.IsRolling(s.t) {
		if err := rolling.SettleIn(s.tx, s.b, s.st, s.t); err != nil {
			return err
		}
	}
	set, err := s.tx.IntSet(s.slot.Key, s.st.Form)
	if err == nil {
		o.Set = set.IntView
	}
	return err
}

// keysOf returns a function that returns the keys of the ranking; with a member, those of reads of that.
func (s *inSource) keysOf(member *string) func() ([]string, error) {
	return func() ([]string, error) {
		return AppendKeys(s.tx.Context(), s.b, nil, member, s.t.Window.Name, []string{s.slot.Name})
	}
}

// fault restarts a transaction that has other keys than the ranking has by now.
func (s *inSource) fault(err error) error {
	if err == state.ErrAgain || catalog.IsMoved(err) {
		return s.b.Env().Restart(s.tx, s.keysOf(nil), err)
	}
	return err
}

func (s *inSource) Close(o *ranking.Opened) {
	if o.Parts != nil {
		o.Parts.Release()
	}
}

func (s *inSource) Copy(ctx context.Context) (c ranking.Copied, err error) {
	if err := ctx.Err(); err != nil {
		return c, err
	}
	var o ranking.Opened
	if err := s.Open(ctx, &o); err != nil {
		return c, err
	}
	defer s.Close(&o)
	c.Vacancies = o.Vacancies
	if o.Parts != nil {
		c.Set = o.Parts.Copy()
	} else {
		c.Set = o.Set.Copy()
	}
	return c, nil
}

// inTopSource is inSource for a ranking of the best members. It finds the others in the buckets that the transaction has named.
type inTopSource struct{ *inSource }

func (s inTopSource) Open(ctx context.Context, o *ranking.Opened) error {
	o.Top = s.t.Top.N
	return s.inSource.Open(ctx, o)
}

func (s inTopSource) Copy(ctx context.Context) (ranking.Copied, error) {
	c, err := s.inSource.Copy(ctx)
	if err == nil {
		c.Set.RemoveRange(s.t.Top.N, c.Set.Len())
	}
	return c, err
}

// OpenOther implements ranking.Tailed. The sets are locked, so a look at the best members comes first.
func (s inTopSource) OpenOther(context.Context, string, *ranking.Opened) (ok bool, err error) {
	return false, nil
}

// HasPlaces implements ranking.Tailed.
func (s inTopSource) HasPlaces() bool { return s.slot.Tail.HasPlaces() }

// Ahead implements ranking.Tailed. The tail does not know yet what the transaction has done: that widens the bounds.
func (s inTopSource) Ahead(p ranking.Place) (a ranking.Ahead, ok bool) {
	head, err := s.tx.IntSet(s.slot.Key, s.st.Form)
	if err != nil {
		return a, false
	}
	a, ok = ahead(s.slot.Tail, p)
	pending := s.slot.Tail.Pending()
	return ranking.Ahead{Head: head.Len(), Least: max(a.Least-pending, 0), Most: a.Most + pending}, ok
}

// Beyond implements ranking.Tailed.
func (s inTopSource) Beyond(ctx context.Context, member string, found func(o ranking.Opened, other *zset.IntView) error) error {
	var o ranking.Opened
	if err := s.Open(ctx, &o); err != nil {
		return err
	}
	defer s.Close(&o)
	if _, ok := o.Set.Score([]byte(member)); ok {
		return found(o, o.Set)
	}
	if err := s.b.Env().Lock(s.tx, s.keysOf(&member)); err != nil {
		return err
	}
	bucket, err := tail.In(s.tx, s.st, s.slot, []byte(member))
	if err != nil {
		return s.fault(err)
	}
	if s.t.IsClosed(s.slot) && !s.b.Env().IsStopped() {
		s.b.Env().Idle.NoteRead(s.b.Engine().Now(), bucket.Key())
	}
	return found(o, bucket.IntView)
}

var _ ranking.Tailed = inTopSource{}
