package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Migrate gives a board another spec: see Boards.Migrate.
func Migrate(ctx context.Context, c *catalog.Catalog, spec board.Spec) (*catalog.Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	b, err := c.Lookup(spec.Name)
	if err != nil {
		return nil, err
	}
	if spec, err = c.Complete(spec); err != nil {
		return nil, err
	}
	if err := migrate(ctx, b, spec); err != nil {
		return nil, err
	}
	if spec.Derived != nil { // it may have got windows
		if _, err := groups.Rebuild(ctx, b); err != nil {
			return nil, err
		}
	}
	if err := leagues.SettleBoard(ctx, b); err != nil { // empties the queues of a board that has got leagues
		return nil, err
	}
	return b, trim(ctx, b)
}

// migrate gives a board another spec, with its defaults filled in, and those that follow it the windows that change. It settles closed periods first: their awards follow the
// old spec.
func migrate(ctx context.Context, b *catalog.Board, spec board.Spec) error {
	for {
		all, err := b.With(spec)
		if err != nil {
			return err
		}
		for _, x := range all {
			if err := settlement.SettleBoard(ctx, x.Board); err != nil {
				return err
			}
			if err := leagues.SettleBoard(ctx, x.Board); err != nil {
				return err
			}
		}
		if again, err := migrateSettled(ctx, b, spec); !again {
			return err
		}
	}
}

// migrateSettled is migrate of boards whose closed periods are settled. It returns true if one has been closed meanwhile.
func migrateSettled(ctx context.Context, b *catalog.Board, spec board.Spec) (again bool, err error) {
	defer b.FreezeChain()()
	old, err := b.Readable()
	if err != nil {
		return false, err
	}
	if spec.Differences(old.Spec) == nil {
		return false, nil
	}
	if diff := spec.Derived.Differences(old.Spec.Derived); diff != nil {
		return false, fmt.Errorf("%w: %q: %s: define another board", board.ErrSpec, spec.Name, diff[0])
	}
	all, err := b.With(spec)
	if err != nil {
		return false, err
	}
	for _, x := range all[1:] {
		defer x.Freeze()()
	}
	for _, x := range all {
		if !settlement.IsSettled(x.Board) || !leagues.AreSettled(x.State()) {
			return true, nil
		}
		if err := settlement.CheckKept(x.Board, x.Spec); err != nil {
			return false, err
		}
	}
	if staysAsItIs(old, spec) {
		if err := old.Spec.Leagues.CanFollow(spec.Leagues); err != nil {
			return false, err
		}
		return false, setSpec(ctx, b, old, spec)
	}
	if err := b.DrainChain(ctx); err != nil {
		return false, err
	}
	return false, rewrite(ctx, all)
}

// staysAsItIs reports whether a spec differs in what setSpec sets only.
func staysAsItIs(old *state.State, spec board.Spec) bool {
	stops := old.HasJournal() && spec.Journal == 0 // later arrivals may be less than those with a journal, which rewrite makes low ones
	stays := (spec.Leagues == nil) == (old.Spec.Leagues == nil)
	return stays && !stops && spec.WithPlans(old.Spec.Awards).WithJournal(old.Spec.Journal).WithFeed(old.Spec.Feed).WithLeagues(old.Spec.Leagues).Differences(old.Spec) == nil
}

// setSpec gives a board the plans of awards, the size of the journal, the feed and the leagues of a spec, and leaves everything else as it is.
func setSpec(ctx context.Context, b *catalog.Board, old *state.State, spec board.Spec) error {
	next := *old
	next.Spec = old.Spec.WithPlans(spec.Awards).WithJournal(spec.Journal).WithFeed(spec.Feed).WithLeagues(spec.Leagues)
	text, err := state.EncodeSpec(next.Spec, next.Version)
	if err != nil {
		return err
	}
	key := boardkey.Spec(next.Name)
	err = b.Owner().Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(key, text) })
	if err != nil && !b.Env().HasStored(key, text) {
		return err
	}
	b.SetState(&next)
	return err
}

// rewrite gives boards other specs by one commit, and writes their rankings under the new rules.
func rewrite(ctx context.Context, boards []catalog.Respecified) error {
	var all []*migration
	for _, x := range boards {
		m, err := newMigration(x)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	return run(ctx, all)
}

// trim moves the members behind the best ones to the tails, of a board and of those that follow it: a migration has left all in the heads.
func trim(ctx context.Context, b *catalog.Board) error {
	st := b.State()
	for _, t := range st.Timelines {
		if !tail.Has(t) {
			continue
		}
		for _, slot := range t.OpenSlots() {
			if err := tail.Trim(ctx, b, st, t, slot); err != nil {
				return err
			}
		}
	}
	for _, d := range b.Followers() {
		if err := trim(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// migration is a migration in progress.
type migration struct {
	copier
	b        *catalog.Board
	open     func(rules.Entry) (rules.Entry, error) // converts the entries of open periods
	replaced []string                               // keys of rankings under the old rules
	gone     []*state.Timeline                      // windows that only the old spec has
	renamed  [][2]string                            // keys of sets that stay as they are, before and after
	seals    seals
}

func newMigration(x catalog.Respecified) (m *migration, err error) {
	old := x.State()
	m = &migration{copier: copier{own: x.Owner(), old: old}, b: x.Board}
	if m.open, m.frozen, err = state.ConvertSpec(old.Spec, x.Spec); err != nil {
		return nil, err
	}
	m.next, err = state.New(x.Spec, old.Version+1)
	m.seals = seals{owner: x.Owner(), old: old.Version, new: old.Version + 1}
	return m, err
}

// run writes all rankings under the new rules, commits the new specs, and deletes the old rankings.
func run(ctx context.Context, all []*migration) error {
	changed, err := false, error(nil)
	for _, m := range all {
		if err == nil {
			err = m.prepare(ctx)
		}
	}
	if err == nil {
		changed, err = commit(ctx, all)
	}
	ctx = context.WithoutCancel(ctx) // what is left to do follows from what is stored
	for _, m := range all {
		if changed {
			m.finish(ctx)
		} else {
			m.remove(ctx, m.made)
		}
	}
	return err
}

// prepare deletes the sets that a failed migration may have left, and writes all rankings under the new rules.
func (m *migration) prepare(ctx context.Context) error {
	err := m.deleteStale(ctx)
	if err == nil {
		err = m.copyAll(ctx)
	}
	if err == nil {
		err = m.seals.store(ctx)
	}
	return err
}

// finish makes the committed spec that of the board, and deletes what is replaced.
func (m *migration) finish(ctx context.Context) {
	m.b.SetState(m.next)
	m.remove(ctx, m.replaced)
	if err := m.b.Env().Deleter.DeleteLayouts(ctx, m.next.Name, m.next.Version); err != nil {
		m.b.Log().Error("board: what a migration has replaced is not deleted yet", "board", m.next.Name, "err", err)
	}
	for _, t := range m.gone {
		if err := m.b.Env().Deleter.Finish(ctx, t.Board, t.Window.Name, "", t.Keys()...); err != nil {
			m.b.Log().Error("board: data of a removed window is not deleted yet", "board", t.Board, "window", t.Window.Name, "err", err)
		}
	}
}

// deleteStale deletes the sets that a failed migration has left, so that this one does not find them under its own keys.
func (m *migration) deleteStale(ctx context.Context) error {
	d := m.b.Env().Deleter
	if err := d.Resume(ctx, m.old.Name); err != nil {
		return err
	}
	if err := d.DeleteLayouts(ctx, m.old.Name, m.old.Version); err != nil {
		return err
	}
	return d.DeleteSets(ctx, m.old.Name, m.old.Stale)
}

// copyAll writes all rankings under the new rules. A transaction that began before the board was frozen has noted its periods as open, so
// copyAll copies them too. It holds the locks of their sets until its end, and the copies wait for these.
func (m *migration) copyAll(ctx context.Context) error {
	for _, old := range m.old.Timelines {
		t, _ := m.next.Timeline(old.Window.Name) // nil: the new spec does not have the window
		if t == nil {
			m.gone = append(m.gone, old)
		}
		if t != nil && t.Roll != nil {
			m.renamed = append(m.renamed, rolling.Renames(old, t)...)
			t.Inherit(old)
			if err := m.copyBaselines(ctx, old.Window.Name, true); err != nil {
				return err
			}
			continue
		}
		for _, p := range old.Periods() {
			dropped, err := m.wasDropped(ctx, old, p)
			if err == nil && !dropped {
				err = m.copyPeriod(ctx, old, t, p)
			}
			if err != nil {
				return err
			}
		}
		if err := m.copyBaselines(ctx, old.Window.Name, t != nil); err != nil {
			return err
		}
		if t != nil {
			t.Inherit(old)
		}
	}
	if m.old.HasJournal() && !m.next.HasJournal() {
		m.replaced = append(m.replaced, m.old.JournalKey)
	}
	return nil
}

// wasDropped reports whether a closed period has members by its record, and no set: an earlier drop of the period was incomplete, and deleteStale has
// completed it. Then wasDropped removes the period's record.
func (m *migration) wasDropped(ctx context.Context, old *state.Timeline, p state.KeptPeriod) (dropped bool, err error) {
	if !p.Closed || old.RecordOf(p.Name).IsEmpty() { // all were removed after the closing
		return false, nil
	}
	n, err := m.b.Engine().Exists(ctx, old.SetKeys(p.Name)...)
	if dropped = err == nil && n == 0; dropped {
		old.RemoveRecord(old.RecordOf(p.Name))
	}
	return dropped, err
}

// copyPeriod writes the ranking of one period under the new rules; t is nil if the new spec does not have its window.
func (m *migration) copyPeriod(ctx context.Context, old, t *state.Timeline, p state.KeptPeriod) error {
	from := old.RankingKeys(p.Name)
	m.replaced = append(m.replaced, old.SetKeys(p.Name)...)
	if t != nil && t.HasCohorts {
		if err := m.copyCohorts(ctx, old, t, p); err != nil {
			return err
		}
	}
	if t == nil {
		return nil
	}
	to := targetOf(t, p.Name)
	if to.convert = m.open; p.Closed {
		to.convert, to.first = m.frozen, 1 // a vacancy may come before all: see convertVacancies
	}
	digest, arrivals, err := m.copy(ctx, from, to, nil)
	if err == nil {
		_, _, err = m.copy(ctx, []string{old.HiddenKey(p.Name)}, to.hiddenOf(t, p.Name), arrivals)
	}
	if err != nil || !p.Closed {
		return err
	}
	if err := m.seals.add(t, p.Name, digest, m.convertVacancies(m.old.ClosedVacancies(old, p.Name), arrivals)); err != nil {
		return err
	}
	return m.b.Engine().Unload(append(old.SetKeys(p.Name), t.SetKeys(p.Name)...)...)
}

// copyCohorts leaves the cohorts of a period as they are, or makes its queue if the board gets
// leagues.
func (m *migration) copyCohorts(ctx context.Context, old, t *state.Timeline, p state.KeptPeriod) error {
	if old.HasCohorts {
		m.replaced = slices.DeleteFunc(m.replaced, func(key string) bool { return key == t.CohortKey(p.Name) })
		return nil
	}
	if p.Closed {
		return nil
	}
	key := t.CohortKey(p.Name)
	m.made = append(m.made, key)
	return leagues.QueueAll(ctx, m.b.Owner(), key, old.RankingKeys(p.Name), old.HiddenKey(p.Name), m.old.Form)
}

// copyBaselines writes the baselines of a window under the new rules, if the window stays.
func (m *migration) copyBaselines(ctx context.Context, window string, stays bool) error {
	names, err := periods.BaselineNames(m.b, m.old, window)
	if err != nil {
		return err
	}
	for _, name := range names {
		key := m.old.BaselineKey(window, name)
		m.replaced = append(m.replaced, key)
		if !stays {
			continue
		}
		if _, _, err := m.copy(ctx, []string{key}, copyTarget{keys: []string{m.next.BaselineKey(window, name)}, convert: m.frozen}, nil); err != nil {
			return err
		}
		if err := m.b.Engine().Unload(key, m.next.BaselineKey(window, name)); err != nil {
			return err
		}
	}
	return nil
}

// commit stores the new specs, and reports whether they are stored. They may be stored despite an error: see engine.ErrStalled.
func commit(ctx context.Context, all []*migration) (changed bool, err error) {
	var named []string
	texts := make([][]byte, len(all))
	for i, m := range all {
		if texts[i], err = state.EncodeSpec(m.next.Spec, m.next.Version); err != nil {
			return false, err
		}
		for _, keys := range m.renamed {
			named = append(named, keys[:]...)
		}
	}
	b := all[0].b
	err = b.Owner().Update(ctx, named, func(tx *engine.Tx) error {
		for i, m := range all {
			if err := m.storeIn(tx, texts[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return err == nil || b.Env().HasStored(boardkey.Spec(all[0].next.Name), texts[0]), err
}

// storeIn stores the new spec, in its stored form, in a transaction.
func (m *migration) storeIn(tx *engine.Tx, text []byte) error {
	for _, keys := range m.renamed {
		if err := tx.Rename(keys[0], keys[1]); err != nil && !errors.Is(err, engine.ErrNoSet) {
			return err
		}
	}
	for _, s := range m.gone {
		if err := tx.Delete(boardkey.Window(s.Board, s.Window.Name)); err != nil {
			return err
		}
		if err := tx.Put(boardkey.Deletion(s.Board, s.Window.Name, ""), nil); err != nil {
			return err
		}
	}
	return tx.Put(boardkey.Spec(m.next.Name), text)
}

// remove deletes sets. The next migration, or Open, deletes those that cannot be deleted now.
func (m *migration) remove(ctx context.Context, keys []string) {
	for _, key := range keys {
		if _, err := m.b.Owner().Delete(ctx, key); err != nil {
			m.b.Log().Error("board: a ranking of another version is not deleted yet", "key", key, "err", err)
		}
	}
}
