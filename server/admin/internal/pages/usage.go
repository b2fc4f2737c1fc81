package pages

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// LiveUsage is what the live period of a window has and takes.
type LiveUsage struct {
	Name    string // of the window
	Period  string // "none" if no period is live
	Members int
	Memory  int64
	Disk    int64
	Rate    float64 // changes a second
	Rated   bool    // Rate is known
	Ends    bool    // the period ends
	In      time.Duration
}

// usages returns the usage of the live periods of windows of a board. It loads no set.
func (s *Site) usages(ctx context.Context, b board.Board, windows []board.Window) ([]LiveUsage, error) {
	all := make([]LiveUsage, 0, len(windows))
	for _, w := range windows {
		u, err := s.usage(ctx, b, w.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// usage returns the usage of the live period of a window.
func (s *Site) usage(ctx context.Context, b board.Board, window string) (u LiveUsage, err error) {
	u.Name, u.Period = window, "none"
	outside := new(board.OutsideError)
	live, err := b.Live(ctx, window)
	if err != nil {
		return u, err
	}
	info, err := live.Info(ctx)
	if err == nil {
		u.Period = info.Period
		u.Ends, u.In = !info.End.IsZero(), info.End.Sub(s.Now())
	}
	switch {
	case err != nil:
	case s.Local == nil:
		u.Members, err = live.Len(ctx)
	default:
		err = s.measure(ctx, &u, b.Name())
	}
	if errors.As(err, &outside) {
		err = nil
	}
	return u, err
}

// measure fills in what the sets of an engine take.
func (s *Site) measure(ctx context.Context, u *LiveUsage, name string) error {
	hints, err := s.Local.Hints(name)
	if err != nil {
		return err
	}
	keys, err := hints.Read(ctx, nil, u.Name)
	if err != nil {
		return err
	}
	sets, err := s.Engine.Usages(ofRankings(keys))
	if err != nil {
		return err
	}
	var version uint64
	for _, set := range sets {
		addSet(u, &set)
		version += set.Version
	}
	u.Rate, u.Rated = s.Rates.Of(name+"\x00"+u.Name+"\x00"+u.Period, version)
	return nil
}

func ofRankings(keys []string) (rankings []string) {
	for _, key := range keys {
		if k, ok := local.ParseKey(key); ok && k.IsRanking() {
			rankings = append(rankings, key)
		}
	}
	return rankings
}

func addSet(u *LiveUsage, set *engine.Usage) {
	u.Members += set.Members
	u.Memory += int64(set.Memory + set.Keyspace)
	u.Disk += set.Disk
}

// windowsOf returns the windows of a spec, which without any has the window All.
func windowsOf(spec board.Spec) []board.Window {
	if len(spec.Windows) == 0 {
		return []board.Window{board.All}
	}
	return spec.Windows
}
