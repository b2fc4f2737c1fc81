package pages

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/delayqueue"
	"github.com/zrankdb/zrank/engine/ratelimit"
)

const deadShown = 20

// Queues is the page of queues and limits.
type Queues struct {
	Queues []QueueRow
	Limits []LimiterRows
	Key    string // whose limits are looked at, "" for none
}

// QueueRow is a queue.
type QueueRow struct {
	Name string
	delayqueue.Stats
	DeadItems []delayqueue.DeadItem // the first of them
	Err       string
}

// LimiterRows is a limiter with its limits.
type LimiterRows struct {
	Name string
	Rows []LimitRow
	Err  string
}

// LimitRow is one limit, for a key.
type LimitRow struct {
	Limit     ratelimit.Limit
	Remaining int
	Reset     time.Duration
}

func (s *Site) queues(r Request) (any, error) {
	if err := r.sees(""); err != nil {
		return nil, err
	}
	p := Queues{Key: MemberOf(r.Query.Get("key"))}
	for _, name := range slices.Sorted(maps.Keys(s.Queues)) {
		p.Queues = append(p.Queues, queueRow(r.Context, name, s.Queues[name]))
	}
	if !r.Again {
		for _, l := range s.Limits {
			p.Limits = append(p.Limits, limiterRows(r.Context, l, p.Key))
		}
	}
	return p, nil
}

func queueRow(ctx context.Context, name string, q *delayqueue.Queue) QueueRow {
	row := QueueRow{Name: name}
	var err error
	if row.Stats, err = q.Stats(ctx); err == nil && row.Dead > 0 {
		row.DeadItems, err = q.Dead(ctx, 0, deadShown)
	}
	if err != nil {
		row.Err = err.Error()
	}
	return row
}

// limiterRows returns the limits, and if a key is given what is left of them for it.
func limiterRows(ctx context.Context, l Limiter, key string) LimiterRows {
	rows := LimiterRows{Name: l.Name}
	if key == "" {
		for _, limit := range l.Limits {
			rows.Rows = append(rows.Rows, LimitRow{Limit: limit})
		}
		return rows
	}
	result, err := l.Limiter.Peek(ctx, key, 1)
	if err != nil {
		rows.Err = err.Error()
	}
	for _, x := range result.Limits {
		rows.Rows = append(rows.Rows, LimitRow{x.Limit, x.Remaining, x.ResetAfter})
	}
	return rows
}
