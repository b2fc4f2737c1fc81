package rolling

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Stored is a result as it is stored: for boards that are written to a file and made of one. Times are microseconds after 1970.
type Stored struct {
	Leaves  int64
	Score   rules.Score
	Reached int64  // 0 where all columns are sums, and with the tie rule ByMember
	Arrival uint64 // likewise
	At      int64  // when the result happened, if Told
	Told    bool   // that is not what follows from the rest
}

// ErrStored is returned for results that a window cannot have.
var ErrStored = errors.New("board: these results cannot be in a rolling window")

// Results is copies of the sets beside a rolling ranking.
type Results struct {
	s       Sets
	timers  *zset.IntSet
	results *zset.IntSet
}

// NewResults returns the results of copies of the sets Timers and Results of a window.
func NewResults(st *state.State, t *state.Timeline, timers, results *zset.IntSet) *Results {
	return &Results{Sets{st: st, t: t, sums: st.Rules.Sums()}, timers, results}
}

// Forms are those of the sets Roll.Timers and Roll.Results.
var Forms = []engine.Form{timersForm, {}}

// Of returns the results of a member in the order in which they leave. O(log n + results).
func (r *Results) Of(member []byte) (list []Stored) {
	_, tie, ok := r.timers.Get(member)
	if !ok {
		return nil
	}
	number := int64(binary.BigEndian.Uint64(tie))
	for x := range r.results.Entries(r.results.Seek(number, nil), r.results.Len()-r.results.Above(number)) {
		list = append(list, r.stored(x.Member))
	}
	return list
}

// Arrivals returns the arrivals of all results, in order, each once; none where all columns are sums. O(n log n).
func (r *Results) Arrivals() []uint64 {
	if r.s.sums {
		return nil
	}
	all := make([]uint64, 0, r.results.Len())
	for x := range r.results.Entries(0, r.results.Len()) {
		all = append(all, r.s.decode(x.Member).entry.Arrival)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// stored returns the result of a name.
func (r *Results) stored(name []byte) Stored {
	x := r.s.decode(name)
	if r.s.sums {
		return Stored{Leaves: x.leaves, Score: x.entry.Score}
	}
	told := r.s.st.Rules.Timed() > 0 && x.at != r.s.untold(x)
	if !told {
		x.at = 0
	}
	return Stored{x.leaves, x.entry.Score, x.entry.Reached, x.entry.Arrival, x.at, told}
}

// Builder builds the sets beside a rolling ranking. The zero Builder is of no use.
type Builder struct {
	s       Sets
	timers  *zset.IntBuilder
	results *zset.IntBuilder
	number  int64 // of the next member
}

// NewBuilder returns a builder of empty sets.
func NewBuilder(st *state.State, t *state.Timeline) (*Builder, error) {
	b := &Builder{s: Sets{st: st, t: t, sums: st.Rules.Sums()}}
	var err error
	if b.timers, err = timersForm.Builder(); err == nil {
		b.results, err = engine.Form{}.Builder()
	}
	return b, err
}

// Add adds the results of a member, which has none so far. Equal results stand together, so that those which are kept apart because their sum is out of range get names of their
// own. Error: ErrStored.
func (b *Builder) Add(member []byte, list []Stored) error {
	if len(list) == 0 {
		return fmt.Errorf("%w: %q has none", ErrStored, member)
	}
	first, unlike := list[0].Leaves, uint64(0)
	for i, x := range list {
		first = min(first, x.Leaves)
		switch {
		case i == 0 || x != list[i-1]:
			unlike = 0
		case !b.s.sums:
			return fmt.Errorf("%w: %q has one twice", ErrStored, member)
		default:
			unlike++
		}
		r := result{leaves: x.Leaves, entry: rules.Entry{Score: x.Score, Reached: x.Reached, Arrival: x.Arrival}, unlike: unlike}
		if r.at = b.s.untold(r); x.Told {
			r.at = x.At
		}
		name := b.s.nameOf(b.number, r)
		before := b.results.Len()
		if err := b.results.Add(name, b.number); err != nil {
			return err
		}
		if b.results.Len() == before {
			return fmt.Errorf("%w: %q has one twice", ErrStored, member)
		}
	}
	err := b.timers.AddTied(member, binary.BigEndian.AppendUint64(b.s.tie[:0], uint64(b.number)), first)
	b.number++
	return err
}

// Sets returns the two sets: Timers and Results.
func (b *Builder) Sets() (timers, results *zset.IntSet) { return b.timers.Set(), b.results.Set() }

// CheckStored checks the sets of a window. Error: ErrStored if they are not those of its ranking, those of the engine.
func CheckStored(ctx context.Context, e *engine.Engine, st *state.State, t *state.Timeline) error {
	return e.View(ctx, func(tx *engine.Tx) error {
		entries, err := tx.IntSet(Key(t), st.Form)
		if err != nil {
			return err
		}
		s, err := Open(tx, nil, st, t, entries)
		if err != nil {
			return err
		}
		if err := s.Check(); err != nil {
			return fmt.Errorf("%w: %w", ErrStored, err)
		}
		return nil
	}, Key(t), t.Roll.Timers, t.Roll.Results, t.Roll.Hidden)
}
