package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
)

// Following returns how the board follows another one, nil unless it is derived. O(1).
func (b *Board) Following() *Following { return b.following }

// Followers returns the boards that follow this one, in a slice that callers only read. O(1).
func (b *Board) Followers() []*Board { return listed(&b.followers) }

// Depth returns 0 for a board that is not derived, and one more than that of its source for one that is.
func (b *Board) Depth() int {
	if b.following == nil {
		return 0
	}
	return b.following.depth
}

// AppendHints appends the keys of the rankings of followers that a change of a member's entry changes
// too, of those that are one set. Many transactions want such a set: one that came to it out of
// order would run twice.
func (b *Board) AppendHints(dst []string, t *state.Timeline, slot *state.Slot, member []byte) []string {
	for _, d := range b.Followers() {
		own, at, ok := d.State().Follows(t, slot)
		if !ok || own.Top != nil || at.Parts != nil {
			continue
		}
		if g := d.following.Groups.Noted(nil, member); g != nil {
			dst = d.AppendHints(append(dst, at.Key), own, at, g.Key)
		}
	}
	return dst
}

// follow returns how a derived board follows another one. Errors: ErrNoBoard, ErrNoGroups, ErrClosed.
func (c *Catalog) follow(st *state.State) (*Following, error) {
	d := st.Spec.Derived
	source, err := c.Lookup(d.From)
	if err != nil {
		return nil, err
	}
	groups, err := c.Groups(d.Groups)
	if err != nil {
		return nil, err
	}
	for f := source.following; f != nil; f = f.Source.following {
		if f.Groups == groups {
			return nil, fmt.Errorf("%w: %q follows groups of the kind %q, and so does %q", board.ErrCircle, st.Name, d.Groups, source.State().Name)
		}
	}
	t, err := totals.New(*d, source.State().Rules, st.Rules)
	return &Following{Source: source, Groups: groups, Totals: t, depth: source.Depth() + 1}, err
}

// checkFollows returns an error unless the complete spec of a derived board is one that its source has now. The caller has frozen the source. Error: ErrSpec.
func checkFollows(spec board.Spec, source *Board) error {
	now, err := spec.Complete(source.State().Spec)
	if err != nil {
		return err
	}
	return state.CheckComplete(spec, now)
}

// link makes the source of a derived board and the kind of its groups know it.
func (b *Board) link() {
	f := b.following
	addTo(&f.Source.followers, b)
	addTo(&f.Groups.boards, b)
	b.renewSources()
}

// unlink is the inverse of link.
func (b *Board) unlink() {
	f := b.following
	removeFrom(&f.Source.followers, b)
	removeFrom(&f.Groups.boards, b)
	b.renewSources()
}

// renewSources gives the boards that a derived board follows other states that are the same, so that calls which have begun with the old ones begin again.
// The caller has frozen them.
func (b *Board) renewSources() {
	for f := b.following; f != nil; f = f.Source.following {
		f.Source.SetState(new(*f.Source.State()))
	}
}

func addTo(p *atomic.Pointer[[]*Board], b *Board) {
	list := append(slices.Clone(listed(p)), b)
	slices.SortFunc(list, func(x, y *Board) int {
		if x.Depth() != y.Depth() {
			return x.Depth() - y.Depth()
		}
		return strings.Compare(x.State().Name, y.State().Name)
	})
	p.Store(&list)
}

func removeFrom(p *atomic.Pointer[[]*Board], b *Board) {
	list := slices.DeleteFunc(slices.Clone(listed(p)), func(x *Board) bool { return x == b })
	p.Store(&list)
}

// FreezeChain is Freeze of the boards that a derived board follows, the first of them first, and of the board itself.
func (b *Board) FreezeChain() (thaw func()) {
	if b.following == nil {
		return b.Freeze()
	}
	above := b.following.Source.FreezeChain()
	own := b.Freeze()
	return func() {
		b.renewSources() // the board may have other keys now
		own()
		above()
	}
}

// DrainChain is Drain of the boards of FreezeChain, in the same order: a transaction on one of them locks sets of the next one
// when it has changed its own.
func (b *Board) DrainChain(ctx context.Context) error {
	if b.following != nil {
		if err := b.following.Source.DrainChain(ctx); err != nil {
			return err
		}
	}
	return b.Drain(ctx)
}

// checkFollowers returns ErrFollowed if other boards follow this one.
func (b *Board) checkFollowers() error {
	if list := b.Followers(); len(list) > 0 {
		return fmt.Errorf("%w: %q is followed by %q", board.ErrFollowed, b.State().Name, list[0].State().Name)
	}
	return nil
}

// Respecified is a board with the spec that it is to have.
type Respecified struct {
	*Board
	Spec board.Spec
}

// With returns the boards that change if b gets a spec: b, and then its followers whose windows change, and theirs. Error: ErrFollowed if a follower cannot go on.
func (b *Board) With(spec board.Spec) ([]Respecified, error) {
	list := []Respecified{{b, spec}}
	for _, d := range b.Followers() {
		own := d.State().Spec
		next, err := state.FollowSource(own, spec)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", board.ErrFollowed, own.Name, err)
		}
		if next.Differences(own) == nil {
			continue
		}
		also, err := d.With(next)
		if err != nil {
			return nil, err
		}
		list = append(list, also...)
	}
	return list, nil
}

// CheckSubmits returns ErrDerived if the board follows another one, so that no member of it submits.
func (b *Board) CheckSubmits() error {
	if f := b.following; f != nil {
		return fmt.Errorf("%w: %q follows %q", board.ErrDerived, b.State().Name, f.Source.State().Name)
	}
	return nil
}

// linkAll makes the sources of derived boards and the kinds of their groups know them, sources before their followers.
func (c *Catalog) linkAll() error {
	for pending := slices.Clone(c.list); len(pending) > 0; {
		var rest []*Board
		for _, b := range pending {
			st := b.State()
			if st.Spec.Derived == nil {
				continue
			}
			source := c.boards[st.Spec.Derived.From]
			if source != nil && source.State().Spec.Derived != nil && source.following == nil {
				rest = append(rest, b) // its source first
				continue
			}
			var err error
			if b.following, err = c.follow(st); err != nil {
				return fmt.Errorf("board: %q cannot follow: %w", st.Name, err)
			}
			b.link()
		}
		if len(rest) == len(pending) {
			return fmt.Errorf("%w: %q", board.ErrCircle, rest[0].State().Name)
		}
		pending = rest
	}
	return nil
}
