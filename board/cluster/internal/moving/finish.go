package moving

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// Finish implements relocation.Target.
func (t *target) Finish(ctx context.Context, h relocation.Header) error {
	if err := t.dropOthers(ctx, h); err != nil {
		return err
	}
	if err := t.storeModeration(ctx, h); err != nil {
		return err
	}
	records := []any{}
	fields := []any{layout.ArrivalsField, strconv.FormatUint(t.arrivals(), 10)}
	for _, w := range h.Windows {
		if w.Through != math.MinInt64 {
			fields = append(fields, layout.ClosedField(w.Name), strconv.FormatInt(w.Through, 10))
		}
		for _, p := range w.Periods {
			if p.Record == nil {
				continue
			}
			text, err := p.Record.Encode()
			if err != nil {
				return err
			}
			records = append(records, layout.RecordField(w.Name, p.Name), text)
		}
	}
	if len(records) > 0 {
		if err := t.v.Client.HSet(ctx, t.b.Keys().Records(), records...).Err(); err != nil {
			return err
		}
	}
	for k := range t.b.Keys().Partitions() { // after all other writes of the partition: the replicas that confirm this one have those too
		if _, err := t.v.Run(ctx, set, []string{t.b.Keys().Fence(k)}, fields...); err != nil {
			return err
		}
	}
	return nil
}

// arrivals returns the number of the last arrival of a board with one partition, which has one more than every entry.
func (t *target) arrivals() uint64 {
	if t.b.Keys().Partitions() > 1 {
		return 0
	}
	return t.arrival
}

// dropOthers deletes rankings that are not in a header: an earlier move has left them, or they were dropped since.
func (t *target) dropOthers(ctx context.Context, h relocation.Header) error {
	periods, _, _, err := t.b.Look(ctx)
	if err != nil {
		return err
	}
	kept := map[relocation.Ranking]bool{}
	for _, w := range h.Windows {
		for _, p := range w.Periods {
			kept[relocation.Ranking{Window: w.Name, Period: p.Name}] = true
		}
	}
	return t.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for window, list := range periods {
			for _, p := range list {
				if kept[relocation.Ranking{Window: window, Period: p.Name}] {
					continue
				}
				for k := range t.b.Keys().Partitions() {
					pipe.Unlink(ctx, t.b.Keys().Ranking(k, window, p.Name))
					pipe.Unlink(ctx, t.b.Keys().Values(k, window, p.Name))
					pipe.HDel(ctx, t.b.Keys().Fence(k), layout.PeriodField(window, p.Name))
				}
			}
		}
	})
}

// Open implements relocation.Target.
func (t *target) Open(ctx context.Context) error {
	name := t.b.State().Name
	reply, err := t.v.Run(ctx, show, []string{t.c.Key()}, name, layout.ComingField(name), t.stored)
	switch {
	case err != nil:
		return err
	case reply == "exists":
		return fmt.Errorf("%w: %q was made meanwhile", board.ErrBoardExists, name)
	case reply != "made":
		return fmt.Errorf("%w: %q", errLost, name)
	}
	return nil
}

// Discard implements relocation.Target.
func (t *target) Discard(ctx context.Context) error {
	if err := t.b.Clear(ctx); err != nil {
		return err
	}
	return t.v.Client.HDel(ctx, t.c.Key(), layout.ComingField(t.b.State().Name)).Err()
}
