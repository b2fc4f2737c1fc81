package transfer

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// source is a board that leaves.
type source struct {
	c       *catalog.Catalog
	b       *catalog.Board
	st      *state.State
	leaves  relocation.Destination
	left    bool     // for there
	release []func() // what Hold holds

	seq uint64 // the last commit that Changed has seen
	// beside is hashes of what is stored beside the entries that were read, by member. Empty ones
	// are left out.
	beside map[relocation.Ranking]map[string]uint64
}

func newSource(ctx context.Context, c *catalog.Catalog, b *catalog.Board) (*source, error) {
	if err := Check(b.State().Spec); err != nil {
		return nil, err
	}
	if list := b.Followers(); len(list) > 0 {
		return nil, fmt.Errorf("%w: %q is followed by %q", board.ErrFollowed, b.State().Name, list[0].State().Name)
	}
	return openSource(ctx, c, b)
}

// openSource returns a source that newSource has checked, or a board that only is written.
func openSource(ctx context.Context, c *catalog.Catalog, b *catalog.Board) (*source, error) {
	s := &source{c: c, b: b, st: b.State(), beside: map[relocation.Ranking]map[string]uint64{}}
	to, complete, err := b.LeavesTo()
	if err != nil {
		return nil, err
	}
	if complete {
		return nil, &board.RelocatedError{Board: s.st.Name, To: to.Address, Complete: true}
	}
	s.leaves = to
	err = b.Engine().View(ctx, func(tx *engine.Tx) error {
		s.seq = tx.Seq()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, b.Engine().Barrier(ctx)
}

// Spec implements relocation.Source.
func (s *source) Spec() board.Spec { return s.st.Spec.WithDefaults() }

// LeavesTo implements relocation.Source.
func (s *source) LeavesTo() relocation.Destination { return s.leaves }

// LeftOut implements relocation.Source.
func (s *source) LeftOut(ctx context.Context) (list []string, err error) {
	name := s.st.Name
	err = s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		for _, x := range []struct{ prefix, what string }{
			{boardkey.ErasedBanPrefix(name), "bans of erased members"},
			{boardkey.WatchPrefix(name), "members who watch"},
		} {
			for _, err := range tx.Scan(x.prefix) {
				if err != nil {
					return err
				}
				list = append(list, x.what)
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, t := range s.st.Timelines {
		names, err := periods.BaselineNames(s.b, s.st, t.Window.Name)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			list = append(list, "baselines of window "+t.Window.Name)
		}
		for _, r := range t.ClosedRecords() {
			if len(r.Vacancies) > 0 {
				list = append(list, "ranks that nobody has in "+r.Period)
			}
		}
	}
	return list, nil
}

// Hold implements relocation.Source.
func (s *source) Hold(ctx context.Context) error {
	unlock, err := s.b.LockModeration(ctx)
	if err != nil {
		return err
	}
	s.release = append(s.release, unlock, s.b.Freeze())
	if s.b.State() != s.st {
		return fmt.Errorf("%w: %q", board.ErrMigrating, s.st.Name)
	}
	if err := s.checkJobs(ctx); err != nil {
		return err
	}
	return s.b.Drain(ctx)
}

// Release implements relocation.Source. Calls that have waited find that the board has left, if it has.
func (s *source) Release(context.Context) error {
	if len(s.release) > 0 {
		s.refuse()
	}
	for i := len(s.release) - 1; i >= 0; i-- {
		s.release[i]()
	}
	s.release = nil
	return nil
}

// refuse makes the board refuse calls if it leaves.
func (s *source) refuse() {
	if s.leaves != (relocation.Destination{}) {
		s.c.Refuse(s.b, s.leaves, s.left)
	}
}

// Leave implements relocation.Source.
func (s *source) Leave(ctx context.Context, to relocation.Destination) error {
	stored, err := s.b.Leave(ctx, to, false)
	if stored {
		s.leaves = to
	}
	return err
}

// Left implements relocation.Source.
func (s *source) Left(ctx context.Context) error {
	stored, err := s.b.Leave(ctx, s.leaves, true)
	s.left = stored
	s.refuse()
	return err
}

// Stay implements relocation.Source.
func (s *source) Stay(ctx context.Context) error {
	if s.leaves == (relocation.Destination{}) {
		return nil
	}
	return s.c.Stay(ctx, s.b)
}

// Close implements relocation.Source.
func (s *source) Close(ctx context.Context) error { return s.Release(ctx) }

// checkJobs returns ErrBusy while closed periods are being changed: the rest would be done here.
func (s *source) checkJobs(ctx context.Context) error {
	return catalog.ViewKeys(ctx, s.b.Engine(), boardkey.JobPrefix(s.st.Name), func(string, []byte) error {
		return fmt.Errorf("%w: closed periods of %q", board.ErrBusy, s.st.Name)
	})
}
