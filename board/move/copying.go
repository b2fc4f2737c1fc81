package move

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// step is how many entries are copied and compared at a time.
const step = 1000

// move is a move in progress.
type move struct {
	from  relocation.Source
	to    relocation.Target
	o     Options
	phase string
	done  int
	total int
}

// begin begins a phase of the move, with so many entries to be done.
func (m *move) begin(phase string, total int) {
	m.phase, m.done, m.total = phase, 0, total
	m.progress(0)
}

func (m *move) progress(n int) {
	if m.done += n; m.o.Progress != nil {
		m.o.Progress(Progress{Phase: m.phase, Done: m.done, Total: max(m.done, m.total)})
	}
}

// copyAll copies every ranking and all Once keys.
func (m *move) copyAll(ctx context.Context) error {
	h, err := m.from.Header(ctx)
	if err != nil {
		return err
	}
	m.begin("copy", membersOf(h))
	if err := h.EachRanking(func(r relocation.Ranking) error { return m.copyRanking(ctx, r) }); err != nil {
		return err
	}
	return m.from.Once(ctx, func(keys []relocation.OnceKey) error { return m.to.PutOnce(ctx, keys) })
}

// copyRanking copies a ranking. First it looks what an earlier move has left of it in the target, where members may have gone since.
func (m *move) copyRanking(ctx context.Context, r relocation.Ranking) error {
	err := m.to.Members(ctx, r, func(members []string) error { return m.update(ctx, r, members) })
	if err != nil {
		return err
	}
	return m.from.Entries(ctx, r, func(entries []relocation.Entry) error { return m.copy(ctx, r, entries) })
}

// membersOf returns the number of members of closed periods; that of open ones is not known.
func membersOf(h relocation.Header) (n int) {
	for _, w := range h.Windows {
		for _, p := range w.Periods {
			if p.Record != nil {
				n += p.Record.Members
			}
		}
	}
	return n
}

// copy copies the entries that the target has otherwise.
func (m *move) copy(ctx context.Context, r relocation.Ranking, entries []relocation.Entry) error {
	for some := range slices.Chunk(entries, step) {
		other, err := m.differing(ctx, r, some)
		if err == nil && len(other) > 0 {
			err = m.to.Put(ctx, r, other)
		}
		if err != nil {
			return err
		}
		m.progress(len(some))
	}
	return nil
}

// differing returns those of some entries that the target has otherwise, or not.
func (m *move) differing(
	ctx context.Context, r relocation.Ranking, entries []relocation.Entry,
) (other []relocation.Difference, err error) {
	members := make([]string, len(entries))
	for i := range entries {
		members[i] = entries[i].Member
	}
	stored, err := m.to.Some(ctx, r, members)
	if err != nil {
		return nil, err
	}
	has := make(map[string]*relocation.Entry, len(stored))
	for i := range stored {
		has[stored[i].Member] = &stored[i]
	}
	for i := range entries {
		if old := has[entries[i].Member]; old == nil || !old.Equal(&entries[i]) {
			other = append(other, relocation.Difference{Entry: entries[i], Stored: old})
		}
	}
	return other, nil
}

// update makes the target have of some members what the source has.
func (m *move) update(ctx context.Context, r relocation.Ranking, members []string) error {
	for some := range slices.Chunk(members, step) {
		entries, err := m.from.Some(ctx, r, some)
		if err != nil {
			return err
		}
		if err := m.copy(ctx, r, entries); err != nil {
			return err
		}
		if len(entries) == len(some) {
			continue
		}
		gone := slices.DeleteFunc(slices.Clone(some), func(member string) bool {
			return slices.ContainsFunc(entries, func(e relocation.Entry) bool { return e.Member == member })
		})
		if err := m.to.Remove(ctx, r, gone); err != nil {
			return err
		}
	}
	return nil
}

// copyChanges copies what has changed.
func (m *move) copyChanges(ctx context.Context, changes relocation.Changes) error {
	for r := range changes.Whole {
		if err := m.copyRanking(ctx, r); err != nil {
			return err
		}
	}
	for r, members := range changes.Members {
		if err := m.update(ctx, r, slices.Sorted(maps.Keys(members))); err != nil {
			return err
		}
	}
	if len(changes.Once) == 0 {
		return nil
	}
	return m.to.PutOnce(ctx, changes.Once)
}

// compareAll compares every entry with the source. It returns the changes that have come meanwhile, which the source would not show again.
func (m *move) compareAll(ctx context.Context) (late relocation.Changes, err error) {
	h, err := m.from.Header(ctx)
	if err != nil {
		return late, err
	}
	m.begin("compare", membersOf(h))
	// beside: a source may show changes of what is stored beside entries only while it holds its
	// changes
	var others, beside relocation.Changes
	err = h.EachRanking(func(r relocation.Ranking) error {
		return m.from.Entries(ctx, r, func(entries []relocation.Entry) error {
			for some := range slices.Chunk(entries, step) {
				other, err := m.differing(ctx, r, some)
				if err != nil {
					return err
				}
				for _, x := range other {
					if x.IsBeside() {
						beside.Add(r, x.Member)
					} else {
						others.Add(r, x.Member)
					}
				}
				m.progress(len(some))
			}
			return nil
		})
	})
	if err == nil {
		late, err = m.from.Changed(ctx)
	}
	if err != nil {
		return late, err
	}
	late.Merge(beside)
	for r, members := range others.Members {
		for member := range members {
			if !late.Has(r, member) {
				return late, fmt.Errorf("%w: member %q of %s in window %s", ErrDiffers, member, r.Period, r.Window)
			}
		}
	}
	return late, nil
}

// compareChanges compares the members that have changed. The source holds its changes.
func (m *move) compareChanges(ctx context.Context, changes relocation.Changes) error {
	for r, members := range changes.Members {
		for some := range slices.Chunk(slices.Sorted(maps.Keys(members)), step) {
			entries, err := m.from.Some(ctx, r, some)
			if err != nil {
				return err
			}
			other, err := m.differing(ctx, r, entries)
			if err != nil {
				return err
			}
			if len(other) > 0 {
				return fmt.Errorf("%w: member %q of %s in window %s", ErrDiffers, other[0].Member, r.Period, r.Window)
			}
		}
	}
	return nil
}

// compareLens compares the numbers of members, and adds them up. The source holds its changes.
func (m *move) compareLens(ctx context.Context, h relocation.Header, report *Report) error {
	report.Periods, report.Entries = 0, 0
	return h.EachRanking(func(r relocation.Ranking) error {
		want, err := m.from.Len(ctx, r)
		if err != nil {
			return err
		}
		n, err := m.to.Len(ctx, r)
		if err == nil && n != want {
			err = fmt.Errorf("%w: %s in window %s has %d members, and %d were copied", ErrDiffers, r.Period, r.Window, want, n)
		}
		report.Periods, report.Entries = report.Periods+1, report.Entries+n
		return err
	})
}
