package moving

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// Header implements relocation.Source.
func (c contents) Header(ctx context.Context) (h relocation.Header, err error) {
	periods, _, _, err := c.b.Look(ctx)
	if err != nil {
		return h, err
	}
	if err := c.readModeration(ctx, &h); err != nil {
		return h, err
	}
	for _, t := range c.b.State().Timelines {
		w := relocation.Window{Name: t.Window.Name, Through: t.ClosedThrough()}
		for _, p := range periods[w.Name] {
			n, err := c.Len(ctx, relocation.Ranking{Window: w.Name, Period: p.Name})
			if err != nil {
				return h, err
			}
			if n == 0 {
				continue
			}
			w.Periods = append(w.Periods, relocation.NewPeriod(p, t.RecordOf(p.Name)))
		}
		h.Windows = append(h.Windows, w)
	}
	return h, nil
}
