package transfer

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
)

// keepsPoints reports whether points of members are stored.
func keepsPoints(st *state.State) bool {
	return st.Spec.Derived != nil && st.Spec.WithDefaults().Derived.Points != board.Follow
}

// eachPoints calls fn with what is stored of the points of members in a period, by member, as it is
// at one moment, and returns a hash of all of it.
func (w *written) eachPoints(
	ctx context.Context, r relocation.Ranking, fn func(member string, value []byte) error,
) (sum uint64, err error) {
	prefix := boardkey.PointsPrefix(w.st.Name, r.Window, r.Period)
	err = catalog.ViewKeys(ctx, w.b.Engine(), prefix, func(member string, value []byte) error {
		sum += sumOf(member, value)
		return fn(member, value)
	})
	return sum, err
}

// pointsOf calls fn with the lines of the points of members in an open period. Parts of groups that
// are gone are left out. Changed compares them later.
func (w *written) pointsOf(ctx context.Context, r relocation.Ranking) error {
	if !keepsPoints(w.st) {
		return nil
	}
	var list []relocation.Line
	sum, err := w.eachPoints(ctx, r, func(member string, value []byte) error {
		x, err := totals.DecodePoints(value)
		if err != nil {
			return err
		}
		l, err := w.pointsLine(member, &x)
		if err == nil && (l.Base != nil || l.Left != nil) {
			list = append(list, l)
		}
		return err
	})
	for i := range list {
		if err == nil {
			err = w.fn(&list[i])
		}
	}
	w.points[r] = sum
	return err
}

// pointsLine returns the line of points, with the names of the groups in place of their numbers: a
// base only for the group that the member is in.
func (w *written) pointsLine(member string, x *totals.Points) (l relocation.Line, err error) {
	f := w.b.Following()
	l.Points = relocation.NameOf(member)
	g, changes := f.Groups.Of(nil, []byte(member))
	if changes && x.Base != nil { // the base is that for the group that the member was in when it was stored
		g = f.Groups.Numbered(x.Base.Number)
	}
	if g != nil {
		if base, ok := x.BaseOf(g.Number); ok {
			l.Base = &relocation.Part{Group: relocation.Name(g.Name)}
			if l.Base.Score, err = f.Totals.Counted(base); err != nil {
				return l, err
			}
		}
	}
	for _, part := range x.Left {
		g := f.Groups.Numbered(part.Number)
		if g == nil {
			continue
		}
		score, err := f.Totals.Counted(part.Score)
		if err != nil {
			return l, err
		}
		l.Left = append(l.Left, relocation.Part{Group: relocation.Name(g.Name), Score: score})
	}
	return l, nil
}

// Changed implements relocation.Source. A member may leave a group without a change of the ranking.
func (w *written) Changed(ctx context.Context) (relocation.Changes, error) {
	c, err := w.source.Changed(ctx)
	for r, was := range w.points {
		if err != nil {
			return c, err
		}
		var now uint64
		if now, err = w.eachPoints(ctx, r, func(string, []byte) error { return nil }); now != was {
			c.AddWhole(r)
		}
	}
	return c, err
}

// numbered returns the points of a line with the numbers of the groups. A base is that of the group
// that the member is in now; parts of groups that are not there are left out.
func numbered(f *catalog.Following, l *relocation.Line) (x totals.Points) {
	if g, _ := f.Groups.Of(nil, []byte(*l.Points)); g != nil && l.Base != nil && string(l.Base.Group) == g.Name {
		x.Base = &totals.Part{Number: g.Number, Score: l.Base.Score}
	}
	for _, part := range l.Left {
		if g, err := f.Groups.Group(nil, string(part.Group)); err == nil {
			x.Left = append(x.Left, totals.Part{Number: g.Number, Score: part.Score})
		}
	}
	return x
}
