package zset

import (
	"fmt"
	integers "math/big"
	"slices"

	"github.com/zrankdb/zrank/internal/model"
)

// pair is a set and the oracle. Its methods make the same change in both and return what differs.
type pair[S Score] struct {
	set  *SetOf[S]
	want *model.SetOf[S]
}

func newPair[S Score](set *SetOf[S]) *pair[S] { return &pair[S]{set: set, want: model.Of[S]()} }

// put adds e to the oracle, and removes the oracle's worst entry if it has too many. It reports whether the member is new and has stayed.
func (p *pair[S]) put(e model.EntryOf[S]) (added bool) {
	added = p.want.Put(e)
	r, n := p.set.limits().rare, p.want.Len()
	if r == nil || r.cap == 0 || n <= r.cap+r.reserve {
		return added
	}
	worst := p.want.Range(0, 1)[0]
	if r.lowest {
		worst = p.want.Range(n-1, n)[0]
	}
	p.want.Remove(worst.Member)
	return worst.Member != e.Member
}

// entry returns what the oracle has for a member, or what a new one starts with.
func (p *pair[S]) entry(member string) (e model.EntryOf[S], had bool) {
	if e, had = p.want.Get(member); had {
		return e, true
	}
	return model.EntryOf[S]{Member: member, Tie: string(make([]byte, p.set.TieWidth()))}, false
}

func (p *pair[S]) add(member string, tie []byte, score S) error {
	added, err := p.set.AddTied([]byte(member), tie, score)
	if err != nil {
		return err
	}
	if want := p.put(model.EntryOf[S]{Score: score, Tie: string(tie), Member: member}); added != want {
		return fmt.Errorf("added %v, want %v", added, want)
	}
	return nil
}

// refusal returns the error of Redis for a combination of flags, or nil.
func refusal(c Condition) error {
	nx, xx, gt, lt := c&NX != 0, c&XX != 0, c&GT != 0, c&LT != 0
	switch {
	case nx && xx:
		return ErrXXAndNX
	case nx && gt, nx && lt, gt && lt:
		return ErrGTLTNX
	}
	return nil
}

// permitted says whether flags that go together let a member have a score.
func permitted[S Score](c Condition, had bool, old, score S) bool {
	switch {
	case c&NX != 0:
		return !had
	case !had:
		return c&XX == 0
	case c&GT != 0:
		return score > old
	case c&LT != 0:
		return score < old
	}
	return true
}

func (p *pair[S]) addIf(member string, score S, c Condition) error {
	e, had := p.entry(member)
	want, wantErr := Unchanged, refusal(c)
	if old := e.Score; wantErr == nil && permitted(c, had, old, score) {
		e.Score = score
		switch {
		case p.put(e):
			want = Added
		case had && old != score:
			want = Updated
		}
	}
	if got, err := p.set.AddIf([]byte(member), score, c); got != want || err != wantErr {
		return fmt.Errorf("outcome %v %v, want %v %v", got, err, want, wantErr)
	}
	return nil
}

// plus returns the sum of two scores, or the expected error.
func plus[S Score](a, b S) (S, error) {
	if sum := a + b; !isInt[S]() {
		if sum != sum {
			return 0, ErrNaN
		}
		return sum, nil
	}
	return exact[S](new(integers.Int).Add(integers.NewInt(int64(a)), integers.NewInt(int64(b))))
}

// exact returns an integer as a score, if it is one.
func exact[S Score](n *integers.Int) (S, error) {
	if !n.IsInt64() {
		return 0, ErrOverflow
	}
	return S(n.Int64()), nil
}

// incrIf increments a member's score under a condition, and compares the result with the oracle.
func (p *pair[S]) incrIf(member string, delta S, c Condition) error {
	e, had := p.entry(member)
	want, wantOK, wantErr := e.Score, false, refusal(c)
	if wantErr != nil {
		want = 0
	} else if had && c&NX != 0 && delta == delta {
		// NX on an existing member: nothing happens
	} else if sum, err := plus(e.Score, delta); err != nil {
		wantErr = err
	} else if permitted(c, had, e.Score, sum) {
		e.Score = sum
		p.put(e)
		if _, kept := p.want.Get(member); kept {
			want, wantOK = sum, true
		}
	}
	got, ok, err := p.set.IncrByIf([]byte(member), delta, c)
	if got != want || ok != wantOK || err != wantErr {
		return fmt.Errorf("increment gave %v %v %v, want %v %v %v", got, ok, err, want, wantOK, wantErr)
	}
	return nil
}

func (p *pair[S]) remove(member string) error {
	if got, want := p.set.Remove([]byte(member)), p.want.Remove(member); got != want {
		return fmt.Errorf("removed %v, want %v", got, want)
	}
	return nil
}

func (p *pair[S]) removeRange(lo, hi int) error {
	gone := p.want.Range(lo, hi)
	for _, e := range gone {
		p.want.Remove(e.Member)
	}
	if got := p.set.RemoveRange(lo, hi); got != len(gone) {
		return fmt.Errorf("removed %d of %d..%d, want %d", got, lo, hi, len(gone))
	}
	return nil
}

func (p *pair[S]) pop(n int, highest bool) error {
	var got []EntryOf[S]
	want := p.want.Range(0, n)
	if highest {
		got = p.set.PopMax(nil, n)
		want = p.want.Range(p.want.Len()-n, p.want.Len())
		slices.Reverse(want)
	} else {
		got = p.set.PopMin(nil, n)
	}
	for _, e := range want {
		p.want.Remove(e.Member)
	}
	return sameEntries(got, want)
}

// keep replaces the set by a copy of a range of it.
func (p *pair[S]) keep(lo, hi int) {
	kept := p.want.Range(lo, hi)
	p.set, p.want = p.set.CopyRange(lo, hi), model.Of[S]()
	for _, e := range kept {
		p.want.Put(e)
	}
}

// rebuild replaces the set by one that a builder makes of the same entries. It adds the entries highest first, and some of them twice, with
// another score before.
func (p *pair[S]) rebuild() error {
	b := builderLike(p.set.View())
	all := p.want.All()
	slices.Reverse(all)
	for i, e := range all {
		if i%3 == 0 {
			if err := b.Add([]byte(e.Member), 7); err != nil {
				return err
			}
		}
	}
	for _, e := range all {
		if err := b.AddTied([]byte(e.Member), []byte(e.Tie), e.Score); err != nil {
			return err
		}
	}
	if b.Len() != len(all) {
		return fmt.Errorf("builder holds %d, want %d", b.Len(), len(all))
	}
	p.set = b.Set()
	return nil
}

// reload replaces the set by one that is loaded from its pages.
func (p *pair[S]) reload() error {
	b := builderLike(p.set.View())
	if p.set.Len()%2 == 0 {
		if err := b.LoadPages(p.set.Pages(), 2, pagesOf(p.set.View())); err != nil {
			return err
		}
		p.set = b.Set()
		return nil
	}
	for i := range p.set.Pages() {
		if err := b.LoadPage(p.set.AppendPage(nil, i)); err != nil {
			return err
		}
	}
	p.set = b.Set()
	return nil
}

// take takes every page, as a snapshot does. Then no page may count as changed.
func (p *pair[S]) take() error {
	b := builderLike(p.set.View())
	p.set.HoldPages()
	defer p.set.ReleasePages()
	for i := range p.set.Pages() {
		if err := b.LoadPage(p.set.TakePage(nil, i)); err != nil {
			return err
		}
		if p.set.big() != nil && p.set.PageChanged(i) {
			return fmt.Errorf("page %d has changed by being taken", i)
		}
	}
	p.set.SettlePages(true)
	if got := b.Set(); got.Len() != p.set.Len() {
		return fmt.Errorf("the pages hold %d entries, want %d", got.Len(), p.set.Len())
	}
	return nil
}

func same[S Score](g EntryOf[S], e model.EntryOf[S]) error {
	if string(g.Member) != e.Member || g.Score != e.Score || string(g.Tie) != e.Tie {
		return fmt.Errorf("%q %v %x, want %q %v %x", g.Member, g.Score, g.Tie, e.Member, e.Score, e.Tie)
	}
	return nil
}

func sameEntries[S Score](got []EntryOf[S], want []model.EntryOf[S]) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d entries, want %d", len(got), len(want))
	}
	for i, e := range want {
		if err := same(got[i], e); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
	}
	return nil
}
