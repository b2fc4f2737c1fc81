package transfer

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Header implements relocation.Source.
func (s *source) Header(ctx context.Context) (h relocation.Header, err error) {
	if err := s.readModeration(ctx, &h); err != nil {
		return h, err
	}
	for _, t := range s.st.Timelines {
		w := relocation.Window{Name: t.Window.Name, Through: t.ClosedThrough()}
		for _, p := range t.Periods() {
			n, err := s.Len(ctx, relocation.Ranking{Window: w.Name, Period: p.Name})
			if err != nil {
				return h, err
			}
			if n == 0 && t.HasCohorts && t.RecordOf(p.Name) == nil { // members who were removed keep their places in cohorts
				set, err := s.b.Owner().Seal(t.CohortKey(p.Name))
				if err != nil {
					return h, err
				}
				n = set.Members
			}
			if n == 0 {
				continue
			}
			period := relocation.Period{Period: p.Period}
			if r := t.RecordOf(p.Name); r != nil {
				period.Record = &state.Record{Period: r.Period, Start: r.Start, End: r.End, ClosedAt: r.ClosedAt, Members: r.Members, Hidden: r.Hidden}
			}
			w.Periods = append(w.Periods, period)
		}
		h.Windows = append(h.Windows, w)
	}
	return h, nil
}
