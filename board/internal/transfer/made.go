package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// Made implements relocation.Archive.
func (s store) Made(_ context.Context, spec board.Spec) (relocation.Made, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if _, err := s.c.LookupAny(spec.Name); !errors.Is(err, board.ErrNoBoard) {
		if err == nil {
			err = fmt.Errorf("%w: %q", board.ErrBoardExists, spec.Name)
		}
		return nil, err
	}
	spec, err := complete(s.c, spec)
	if err != nil {
		return nil, err
	}
	t, err := newTarget(s.c, spec, s.id)
	if err != nil {
		return nil, err
	}
	return newMade(t)
}

// made is a board that is made of a file.
type made struct {
	*target
	header  relocation.Header
	window  *relocation.Window // the last one; nil: before the first
	period  *relocation.Period // the last one of the window; nil: before the first
	ranking relocation.Ranking // of the period
	line    *state.Timeline    // of the window
	last    rules.Entry        // the last entry of the period, without its arrival
	equals  int                // number of entries before it that are equal to it

	best        map[string]*zset.IntSet // by window
	tiers       map[string]*zset.IntSet // likewise
	cohorts     map[relocation.Ranking]*zset.IntSet
	points      map[relocation.Ranking]map[string]*relocation.Line
	parts       *rules.Rules // of points; nil: points follow the members
	settlements []*settled   // in the order of the lines
}

// settled is what a closed period awards.
type settled struct {
	of     relocation.Ranking
	line   *state.Timeline
	state  *state.Settling
	awards []settlement.Stored
}

func newMade(t *target) (*made, error) {
	m := &made{
		target: t, best: map[string]*zset.IntSet{}, tiers: map[string]*zset.IntSet{},
		cohorts: map[relocation.Ranking]*zset.IntSet{}, points: map[relocation.Ranking]map[string]*relocation.Line{},
	}
	var err error
	if keepsPoints(t.st) {
		columns := t.st.Rules.Columns()
		m.parts, err = rules.New(columns[:len(columns)-1], rules.Best, rules.ByMember) // the last one is the number of members
	}
	if err != nil {
		t.release()
	}
	return m, err
}

// isMember reports whether a member may have a name.
func isMember(n relocation.Name) bool { return n != "" && len(n) <= board.MaxMember }
