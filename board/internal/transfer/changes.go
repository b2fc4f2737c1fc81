package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/engine"
)

// Changed implements relocation.Source. The feed of the engine shows all sets. What is stored beside entries is in private keys, which it does not
// show: while changes wait, all of it is compared with what was read.
func (s *source) Changed(ctx context.Context) (c relocation.Changes, err error) {
	if s.b.State() != s.st {
		return c, fmt.Errorf("%w: %q", board.ErrMigrating, s.st.Name)
	}
	if err := s.b.Engine().Barrier(ctx); err != nil {
		return c, err
	}
	_, last, err := s.b.Owner().LogEnd()
	if err != nil {
		return c, err
	}
	if s.seq < last {
		for commit, err := range s.b.Engine().Feed(ctx, s.seq) {
			if errors.Is(err, engine.ErrFellBehind) {
				s.seq = last
				return c, relocation.ErrFellBehind
			}
			if err != nil {
				return c, err
			}
			for i := range commit.Changes {
				s.add(&c, &commit.Changes[i])
			}
			if s.seq = commit.Seq; s.seq >= last {
				break
			}
		}
	}
	if len(s.release) > 0 && s.hasBeside() {
		err = s.addBeside(ctx, &c)
	}
	return c, err
}

// add adds a change of the engine.
func (s *source) add(c *relocation.Changes, x *engine.Change) {
	k, ok := boardkey.Parse(x.Key)
	if !ok || k.Board != s.st.Name {
		return
	}
	if x.Key == s.st.OnceKey {
		if x.Kind == engine.ChangePut {
			c.Once = append(c.Once, relocation.OnceKey{Key: string(x.Member), At: x.IntScore})
		}
		return
	}
	if k.IsRolling() || k.IsCohort() || k.IsTiers() || k.IsAwards() {
		c.AddWhole(relocation.Ranking{Window: k.WindowOf(), Period: k.Period})
		return
	}
	if !k.IsRanking() && !k.IsHidden() || k.Version != s.st.Version {
		return
	}
	r := relocation.Ranking{Window: k.WindowOf(), Period: k.Period}
	switch {
	case x.Kind == engine.ChangePut || x.Kind == engine.ChangeRemove:
		c.Add(r, string(x.Member))
	case x.Kind == engine.ChangeDrop || x.Staged:
		c.AddWhole(r)
	}
}

// addBeside adds the members with something else beside their entries than what was read.
func (s *source) addBeside(ctx context.Context, c *relocation.Changes) error {
	for _, t := range s.st.Timelines {
		for _, slot := range t.OpenSlots() {
			r := relocation.Ranking{Window: t.Window.Name, Period: slot.Name}
			now, err := s.sums(ctx, r)
			if err != nil {
				return err
			}
			for _, members := range []map[string]uint64{now, s.beside[r]} {
				for member := range members {
					if now[member] != s.beside[r][member] {
						c.Add(r, member)
					}
				}
			}
		}
	}
	return nil
}

// sums returns hashes of what is stored beside the entries of a ranking.
func (s *source) sums(ctx context.Context, r relocation.Ranking) (map[string]uint64, error) {
	now := map[string]uint64{}
	return now, s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		for _, prefix := range []string{
			boardkey.MetaPrefix(s.st.Name, r.Window, r.Period), boardkey.KeptPrefix(s.st.Name, r.Window, r.Period),
		} {
			err := catalog.EachKey(tx, prefix, func(member string, value []byte) error {
				now[member] += sumOf(prefix+member, value)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
