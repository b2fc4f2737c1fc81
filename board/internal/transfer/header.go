package transfer

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/relocation"
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
			w.Periods = append(w.Periods, relocation.NewPeriod(p.Period, t.RecordOf(p.Name)))
		}
		h.Windows = append(h.Windows, w)
	}
	return h, nil
}
