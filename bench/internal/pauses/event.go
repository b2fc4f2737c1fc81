package pauses

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Event is something that happens to the big set.
type Event struct {
	Name  string
	Title string                     // at most 16 characters
	do    func(*engine.Engine) error // nil: nothing happens
}

// Happens is false of the event that the others are compared with.
func (e Event) Happens() bool { return e.do != nil }

// Events is every event, in the order of the report. A new one is a row of this table and nothing else.
var Events = []Event{
	{"still", "nothing", nil},
	{"snapshot", "snapshotted", (*engine.Engine).Snapshot}, // the first: every page is written
	{"delete", "deleted", func(e *engine.Engine) error { _, err := e.Delete(big); return err }},
	{"unite", "united, stored", func(e *engine.Engine) error {
		_, err := e.UnionStore(context.Background(), "united", zset.Combine[float64]{}, big, small(0))
		return err
	}},
}

// Levels are what the writers wait for.
var Levels = []engine.Durability{engine.Sync, engine.Interval}

// Sides are which sets a line is of: Big, or Small, the others.
var Sides = []Side{Big, Small}

// Side says which sets.
type Side string

// The sides.
const (
	Big   Side = "big"
	Small Side = "small"
)

// Line is the name of a line of the report.
func (e Event) Line(level engine.Durability, side Side) string {
	return fmt.Sprintf("%s/%v/%s", e.Name, level, side)
}

// named returns the event of a name.
func named(name string) (Event, error) {
	for _, e := range Events {
		if e.Name == name {
			return e, nil
		}
	}
	return Event{}, fmt.Errorf("no event %q", name)
}
