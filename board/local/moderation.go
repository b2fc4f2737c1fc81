package local

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/moderation"
	"github.com/zrankdb/zrank/board/internal/periods"
)

// Member returns what the board has of a member, banned or not: its places in all periods that are kept. Ranks are ordinal, and 0 while the member is hidden;
// beyond the best n of a board with Top they are those among all members in closed periods. O(places log places). Errors: ErrMember, ErrClosed,
// ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) Member(ctx context.Context, name string) (board.Member, error) {
	return moderation.Of(ctx, b.core(), name)
}

// Ban removes a member from all open and closed periods, withholds its awards that wait, and makes every later submission of it fail with ErrBanned, until
// Unban. The first commit removes it from the open periods: once that is durable no submission of it counts. Closed periods follow some at a time, in
// commits of their own. If ctx ends, or the process, the rest is done in the background: see Jobs. Best ranks and baselines keep the member. O(periods of
// the member, and of derived boards). Errors: ErrMember, ErrAction; ErrBanned if it is banned; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine. With ErrBanned Moderated is
// the receipt of the ban, and what an interrupted call has left is done: so a call after a crash returns the same. Boards.Ban bans on all boards and settles again.
func (b *localBoard) Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return moderation.Ban(ctx, b.core(), member, a)
}

// Unban ends the ban of a member: its submissions count again. What was removed stays removed. O(1). Errors: ErrMember, ErrAction, ErrNotBanned, ErrClosed,
// ErrNoBoard, engine.ErrInTx, those of the engine. With ErrNotBanned Moderated has the Entry of the Unban before, if there was one.
func (b *localBoard) Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return moderation.Unban(ctx, b.core(), member, a)
}

// Erase erases a member from the board: from open and closed periods with metadata and kept results, from best ranks, baselines, awards (granted or not), the
// journal and the index of members; it deletes the Once keys that have the name in them. In the audit log a salted hash takes the place of the name, also
// in the texts of By and Reason; a ban stays, by that hash. Moderated is the receipt: it names every place. It is empty but for Entry and Hash if the board has
// nothing of the member. Later submissions of the member count. The bytes of the name are in the files until Engine.Compact. Stored unions are left to
// Boards.Erase; the program's own sets and private keys, and earlier backups, to the program. Baselines and awards are read from the disk. O(periods of the
// member + baselines + settlements + Once keys + journal + audit log). Errors: as Ban, but for ErrBanned.
func (b *localBoard) Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return moderation.Erase(ctx, b.core(), member, a)
}

// Rename gives a member another name: in open and closed periods with metadata and kept results, in best ranks, baselines, the journal and the awards, whose
// ids stay. The first commit renames it in the open periods; the rest follows as that of Ban. Later submissions of the old name count as
// those of a new member. Groups have another name by Groups.Rename. Submissions of one that had the new name before cannot be reverted any more. Places do not tell Moved, nor the ranks of boards in
// parts. Errors: as Ban; ErrExists if the board has places of the new name; ErrBanned if one of the two is banned; ErrBusy while one of
// them is being changed; ErrHidden if one is hidden. With ErrExists Moderated is the receipt of the same Rename before, if there was one.
func (b *localBoard) Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
	return moderation.Rename(ctx, b.core(), member, to, a)
}

// Merge adds the results of one member to those of another, in every period, as if the other one had submitted the score of the first at the time at which
// that was reached, or its kept results; the first one is not ranked any more. The other one keeps its metadata, its baselines and its awards where it has
// some; an award of the first that waits is withheld there. Submissions of the two before the merge cannot be reverted any more. Where the score of a closed period would be out of range, the other one keeps its own. Errors: as
// Rename, but for ErrExists; those of the rules if the score of an open period would be out of range: then nothing has changed.
func (b *localBoard) Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error) {
	return moderation.Merge(ctx, b.core(), from, into, a)
}

// Correct submits a result of a member to one closed period, by the rules of the board, in one commit with its entry in the audit log and, where the board has
// a journal, with a row by which Revert can take it back. Other windows, best ranks, metadata and awards stay as they are: see Submission.Windows and Resettle.
// A period in which nobody was ranked when it was closed cannot be corrected. The ranks of boards in parts are not told. O(log members), and the period is
// read from the disk, and indexed again in the background.
//
// Errors: ErrMember, ErrAction, ErrNoWindow, ErrNoPeriod; ErrPeriodOpen if the period is not closed; ErrTime if At is not in it; ErrBanned, ErrHidden; ErrBusy while a change of the member is in progress; those of
// rules.Check and a *ScoreError; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error) {
	return moderation.Correct(ctx, b.core(), member, sub, a)
}

// Erase erases a member from all boards, as Board.Erase, from the stored unions, which then have one member less, and from its groups, which it leaves first. It follows the
// renames and merges of the audit logs: the names that the member had before are erased too, where they are left, as in unions, Once keys and the audit log. A name that
// somebody else has by now goes from the audit log and the unions of the time before only. After an error or a crash call it
// again: what is erased stays erased. The receipt has what this call has erased. Errors: as Board.Erase.
func (bs *Boards) Erase(ctx context.Context, member string, a board.Action) (r board.Erased, err error) {
	r.Boards = map[string]board.Moderated{}
	if err := a.Validate(audit.Erase); err != nil {
		return r, err
	}
	former, err := moderation.FormerNames(ctx, bs.catalog, member)
	if err != nil {
		return r, err
	}
	for _, f := range append(former, moderation.Former{Name: member}) {
		if err := bs.eraseBeside(ctx, &r, f, a.DryRun); err != nil {
			return r, err
		}
	}
	for _, f := range former { // the boards that know of the rename come last, so that a call after a crash finds the name
		for _, b := range bs.catalog.All() {
			knows := slices.ContainsFunc(former, func(x moderation.Former) bool { return x.Name == f.Name && x.On == b })
			if err == nil && !knows && !f.Reused {
				err = bs.eraseFrom(ctx, &r, b, f.Name, a)
			}
		}
	}
	for _, f := range former {
		switch {
		case err != nil || f.Reused && a.DryRun:
		case f.Reused:
			err = moderation.ForgetFormer(ctx, f)
		default:
			err = bs.eraseFrom(ctx, &r, f.On, f.Name, a)
		}
	}
	for _, b := range bs.catalog.All() {
		if err == nil {
			err = bs.eraseFrom(ctx, &r, b, member, a)
		}
	}
	for _, f := range append(former, moderation.Former{Name: member}) { // closed periods of groups need them until then
		if err == nil && !a.DryRun && !f.Reused {
			err = groups.EraseTraces(ctx, bs.catalog, f.Name)
		}
	}
	return r, err
}

// eraseBeside erases a name from groups and stored unions, and adds them to the receipt.
func (bs *Boards) eraseBeside(ctx context.Context, r *board.Erased, f moderation.Former, dry bool) error {
	var kinds []string
	var err error
	before := f.Until
	if !f.Reused {
		kinds, err = groups.Erase(ctx, bs.catalog, f.Name, dry)
		before = time.Time{}
	}
	if err != nil {
		return err
	}
	names, err := periods.EraseUnions(ctx, bs.catalog, f.Name, before, dry)
	r.Groups = withAll(r.Groups, kinds)
	r.Unions = withAll(r.Unions, names)
	return err
}

// withAll returns a list with what it lacks of another one.
func withAll(list, more []string) []string {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// eraseFrom erases a name from a board, and adds what it had to the receipt.
func (bs *Boards) eraseFrom(ctx context.Context, r *board.Erased, b *catalog.Board, name string, a board.Action) error {
	if b.Following() != nil { // its members are groups
		return nil
	}
	m, err := moderation.Erase(ctx, b, name, a)
	if err != nil {
		return err
	}
	on := b.State().Name
	was, had := r.Boards[on]
	for _, t := range was.Traces {
		m.Traces = auditlog.AddTrace(m.Traces, t)
	}
	if m.Places = append(was.Places, m.Places...); had || len(m.Places)+len(m.Traces) > 0 {
		r.Boards[on] = m
	}
	return nil
}

// Ban bans a member on all boards, as Board.Ban, and settles the closed periods again that have awarded something to it or to those behind it: see Board.Resettle, whose
// Without stays as it was. After an error or a crash call it again: a member that is banned already is no error, and what is done is not done twice. Errors: those of
// Board.Ban, but for ErrBanned, and of Board.Resettle.
func (bs *Boards) Ban(ctx context.Context, member string, a board.Action) (all board.Banned, err error) {
	all.Boards = map[string]board.Moderated{}
	for _, core := range bs.catalog.All() {
		if core.Following() != nil { // its members are groups
			continue
		}
		b := (*localBoard)(core)
		m, err := b.Ban(ctx, member, a)
		if err != nil && !errors.Is(err, board.ErrBanned) {
			return all, err
		}
		all.Boards[b.Name()] = m
		for _, w := range b.Spec().Windows {
			more, err := b.resettleWithout(ctx, w.Label(), member, a)
			if all.Resettled = append(all.Resettled, more...); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// resettleWithout settles the closed periods of a window again in which that changes an award, after a member was banned; in a dry run it is not banned yet.
func (b *localBoard) resettleWithout(ctx context.Context, window, member string, a board.Action) (all []board.Resettled, err error) {
	list, err := b.Settlements(ctx, window)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		r := awards.Resettlement{Reason: a.Reason, Without: s.Without, DryRun: true}
		if a.DryRun {
			r.Without = append(slices.Clone(s.Without), member)
		}
		c, err := b.Resettle(ctx, window, s.Period, r)
		if err == nil && len(c.Changes) > 0 && !a.DryRun {
			r.DryRun = false
			c, err = b.Resettle(ctx, window, s.Period, r)
		}
		if errors.Is(err, board.ErrNoPeriod) { // the ranking is not kept any more
			continue
		}
		if err != nil {
			return all, err
		}
		if len(c.Changes) > 0 {
			all = append(all, board.Resettled{Board: b.Name(), Window: window, Period: s.Period, Difference: c})
		}
	}
	return all, nil
}

// IsBanned reports whether a member is banned. O(1). Errors: that of ctx, ErrClosed, ErrNoBoard.
func (b *localBoard) IsBanned(ctx context.Context, member string) (bool, error) {
	if _, err := b.core().Readable(); err != nil {
		return false, err
	}
	return b.core().Bans.Has(member), ctx.Err()
}

// Hide takes a member out of all rankings, in open and closed periods: it is in no list and has no rank. Its scores stay and its submissions count, beside the
// rankings, until Show. The first commit hides it in the open periods; closed periods follow as with Ban. A hidden member gets no awards of periods that are
// settled meanwhile; awards that wait stay. Best ranks, baselines and stored unions keep the member. O(periods of the member). Errors: ErrMember, ErrAction;
// ErrHidden if it is hidden, with the receipt, as ErrBanned from Ban; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return moderation.Hide(ctx, b.core(), member, a)
}

// Show undoes Hide: the member is where its scores put it, as if it had never been hidden, but for results of equal score and time that have arrived while it
// was: those stand in the order of members. Closed periods follow as with Ban. Errors: those of Hide; ErrNotHidden in place of ErrHidden.
func (b *localBoard) Show(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return moderation.Show(ctx, b.core(), member, a)
}

// IsHidden reports whether a member is hidden. O(1). Errors: that of ctx, ErrClosed, ErrNoBoard.
func (b *localBoard) IsHidden(ctx context.Context, member string) (bool, error) {
	if _, err := b.core().Readable(); err != nil {
		return false, err
	}
	return b.core().Hides.Has(member), ctx.Err()
}

// Jobs returns the changes that are in progress, in the order in which they began. Errors: ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) Jobs(ctx context.Context) ([]board.Job, error) {
	return moderation.Jobs(ctx, b.core())
}

// Audit iterates over the entries of the audit log that the filter selects, in order. O(entries after f.After). It yields at most one error, at the end:
// engine.ErrInTx, those of the engine.
func (b *localBoard) Audit(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error] {
	return moderation.Audit(ctx, b.core(), f)
}

// AuditPlaces returns the places that the change of an entry of the audit log has changed so far. O(places). Errors: ErrAction if there is no such entry,
// ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error) {
	return moderation.AuditPlaces(ctx, b.core(), number)
}
