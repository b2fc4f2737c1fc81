package cluster

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
)

// setsOf returns the ranking of a period.
func (b *clusterBoard) setsOf(ctx context.Context, window, period string) *sets.Sets {
	return b.setsIn(ctx, b.st.Spec.MaxMeta > 0, func(k int) string { return b.keys.Ranking(k, window, period) }, func(k int) string { return b.keys.Values(k, window, period) })
}

// setsIn returns a ranking by its keys.
func (b *clusterBoard) setsIn(ctx context.Context, hasMeta bool, sorted, values func(k int) string) *sets.Sets {
	return sets.Of(ctx, sets.Ranking{Servers: b.servers, Keys: b.keys, Sorted: sorted, Values: values, New: b.newSet, TieWidth: b.st.Rules.TieWidth(), HasMeta: hasMeta})
}

// source is the source of a ranking.
type source struct {
	of      func(ctx context.Context) *sets.Sets
	hasMeta bool
}

// Open implements ranking.Source.
func (s source) Open(ctx context.Context, o *ranking.Opened) error {
	set := s.of(ctx)
	if o.Sets = set; s.hasMeta {
		o.Meta = func(_ context.Context, member string) ([]byte, error) { return set.MetaOf(member) }
	}
	return nil
}

// Close implements ranking.Source.
func (source) Close(*ranking.Opened) {}

// Copy implements ranking.Source.
func (s source) Copy(ctx context.Context) (c ranking.Copied, err error) {
	set := s.of(ctx)
	c.Set = set.Copy()
	if c.Meta = nil; s.hasMeta {
		c.Meta = func(ctx context.Context, member string) ([]byte, error) { return s.of(ctx).MetaOf(member) }
	}
	return c, set.Err()
}

// subject returns the subject of the ranking of a period.
func (b *clusterBoard) subject(t *state.Timeline, p period) ranking.Subject {
	key := b.keys.Ranking(0, t.Window.Name, p.Name)
	of := func(ctx context.Context) *sets.Sets { return b.setsOf(ctx, t.Window.Name, p.Name) }
	return ranking.NewSubject(source{of, b.st.Spec.MaxMeta > 0}, key, func() board.Info { return b.st.Info(t, p) })
}

// ranking returns the ranking of a period.
func (b *clusterBoard) ranking(t *state.Timeline, p period) board.Ranking {
	s := b.subject(t, p)
	return ranking.New(&s, b.st.Rules)
}

// live is the live period of a window.
type live struct {
	b *clusterBoard
	t *state.Timeline
}

// Subject implements ranking.LiveWindow.
func (l *live) Subject() (*ranking.Subject, error) {
	p, err := l.t.PeriodAt(l.b.now())
	if err != nil {
		return nil, err
	}
	s := l.b.subject(l.t, p)
	return &s, nil
}

// Info implements ranking.LiveWindow.
func (l *live) Info() board.Info {
	return board.Info{Board: l.b.st.Name, Window: l.t.Window.Name}
}

// Earlier implements ranking.LiveWindow.
func (l *live) Earlier(id uint64) (period string, ok bool) {
	return l.t.Earlier(l.b.now(), func(period string) bool { return id == ranking.ID(l.b.keys.Ranking(0, l.t.Window.Name, period)) })
}
