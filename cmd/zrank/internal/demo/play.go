package demo

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/engine"
)

const demoBatch = 1000 // results a commit

var errStopped = errors.New("stopped")

// stage says how a season is played.
type stage struct {
	specs map[string]board.Spec
	batch int // results a commit
	// before is called before each commit, with how much of the season has been played: from 0 to 1.
	before func(ctx context.Context, batch []feed.Item, played float64) error
}

// play feeds the season into the engine and shows the leaders meanwhile. It returns the time that the engine took.
func (d *demo) play(ctx context.Context, db *datadir.Data, s *season.Season, on stage) (took time.Duration, err error) {
	f := feed.New(db, func(name string) (board.Spec, error) { return on.specs[name], nil })
	whole := context.WithoutCancel(ctx) // ctx ends it between two commits
	screen := d.newScreen(f)
	defer screen.stop()
	var b feed.Batch
	f.Next(&b)
	commit := func() error {
		if err := on.before(ctx, b.Items, float64(screen.done)/float64(d.config.Results)); err != nil {
			return err
		}
		start := time.Now()
		err := f.Commit(whole, b.Items, false, func(*engine.Tx) error { return nil })
		took += time.Since(start)
		if err != nil {
			return err
		}
		err = screen.show(whole, b.Items)
		f.Next(&b)
		return err
	}
	for r := range s.All() {
		it, err := f.Item(whole, event(r), events.Position{})
		if err != nil {
			return took, err
		}
		for len(b.Items) == on.batch || !b.Add(whole, it) { // the result belongs to the next batch: this one is full, or a week ends
			if err := commit(); err != nil {
				return took, err
			}
		}
	}
	if len(b.Items) == 0 {
		return took, nil
	}
	return took, commit()
}

// event converts a result to an event.
func event(r season.Result) events.Event {
	score := board.Ints(int64(r.Score))
	if r.Board == season.Speedrun {
		score = board.Floats(r.Score)
	}
	return events.Event{Time: r.Time, Board: r.Board, Member: r.Player, Score: score}
}
