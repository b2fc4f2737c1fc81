package board

import (
	"context"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/groups"
	"github.com/zrankdb/zrank/engine/board/internal/moderation"
	"github.com/zrankdb/zrank/engine/board/internal/unions"
)

// Action says who changes what is kept of a member, and why: it goes into the audit log.
//
//	By         string  who does it: 1 to 256 bytes of UTF-8
//	Reason     string  why: at most 4 KiB of UTF-8
//	DryRun     bool    change nothing, and only return what would change
//	KeepRanks  bool    of Ban and Erase: the others keep their ranks in closed periods, and nobody has that of the member; else they close up
type Action = auditlog.Action

// Moderated is what a change of a member has done, or would do in a dry run.
//
//	Entry   uint64   the number of its entry in the audit log, 0 in a dry run
//	Places  []Place  the places that have changed: open periods first, windows as in the spec, periods in order of time
//	Awards  int      how many awards were withheld
//	Hash    string   of an erased member: what stands for its name in the audit log; "" in a dry run
//	Traces  []Trace  of an erased member: what was erased besides the places
type Moderated = moderation.Result

// Place is a member's place in one ranking, and what has become of it.
//
//	Window, Period  string
//	Closed          bool   the period is closed
//	Hidden          bool   the member is hidden, or was until it was removed
//	Rank            int    ordinal, from 1; before a change; 0 if the member was not ranked
//	Members         int    of a closed period, without the hidden ones; before a change
//	Score           Score  before a change
//	NewRank         int    after a change; 0 if the member is not ranked any more
//	NewScore        Score  after a change
//	Moved           int    how many others in a closed period have another ordinal rank because of the change
type Place = auditlog.Place

// Trace is what was kept of an erased member besides its places.
//
//	Kind   string  "best rank", "award", "baseline", "Once key", "journal row" or "union"
//	Name   string  of the window, of the window and the baseline, or of the union; else ""
//	Count  int
type Trace = auditlog.Trace

// Job is a change of closed periods that is in progress.
//
//	Entry       uint64     the number of its entry in the audit log
//	Kind        AuditKind
//	Member, To  string
//	Done        int        closed periods that are changed
//	Total       int        that were to be changed when it began
type Job = moderation.Job

// Member is what a board has of a member.
//
//	Name     string
//	Banned   bool
//	Hidden   bool
//	Windows  []History  as in the spec
type Member = moderation.Member

// History is the places of a member in the periods of a window.
//
//	Window     string
//	Places     []Place  closed periods, and then open ones, in order of time
//	BestRank   Place    the one with the best rank, of equals the earliest; zero if there are none
//	BestScore  Place    the one with the best score
type History = moderation.History

// Member returns what the board has of a member, banned or not: its places in all periods that are kept. Ranks are ordinal, and 0 while the member is hidden;
// beyond the best n of a board with Top they are those among all members in closed periods. O(places log places). Errors: ErrMember, ErrClosed,
// ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) Member(name string) (Member, error) { return moderation.Of(b.core(), name) }

// Ban removes a member from all open and closed periods, withholds its awards that wait, and makes every later submission of it fail with ErrBanned, until
// Unban. The first commit removes it from the open periods: once that is durable no submission of it counts. Closed periods follow some at a time, in
// commits of their own. If ctx ends, or the process, the rest is done in the background: see Jobs. Best ranks and baselines keep the member. O(periods of
// the member). Errors: ErrMember, ErrAction; ErrBanned if it is banned; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) Ban(ctx context.Context, member string, a Action) (Moderated, error) {
	return moderation.Ban(ctx, b.core(), member, a)
}

// Unban ends the ban of a member: its submissions count again. What was removed stays removed. O(1). Errors: ErrMember, ErrAction, ErrNotBanned, ErrClosed,
// ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) Unban(member string, a Action) (Moderated, error) {
	return moderation.Unban(b.core(), member, a)
}

// Erase erases a member from the board: from open and closed periods with metadata and kept results, from best ranks, baselines, awards (granted or not), the
// journal and the index of members; it deletes the Once keys that have the name in them. In the audit log a salted hash takes the place of the name, also
// in the texts of By and Reason; a ban stays, by that hash. Moderated is the receipt: it names every place. It is empty but for Entry and Hash if the board has
// nothing of the member. Later submissions of the member count. The bytes of the name are in the files until Engine.Compact. Stored unions are left to
// Boards.Erase; the program's own sets and private keys, and earlier backups, to the program. Baselines and awards are read from the disk. O(periods of the
// member + baselines + settlements + Once keys + journal + audit log). Errors: as Ban, but for ErrBanned.
func (b *Board) Erase(ctx context.Context, member string, a Action) (Moderated, error) {
	return moderation.Erase(ctx, b.core(), member, a)
}

// Rename gives a member another name: in open and closed periods with metadata and kept results, in best ranks, baselines, the journal and the awards, whose
// ids change with the name in them. The first commit renames it in the open periods; the rest follows as that of Ban. Later submissions of the old name count as
// those of a new member. Groups have another name by Groups.Rename. Submissions of one that had the new name before cannot be reverted any more. Places do not tell Moved, nor the ranks of boards in
// parts. Errors: as Ban; ErrExists if the board has places of the new name; ErrBanned if one of the two is banned; ErrBusy while one of
// them is being changed; ErrHidden if one is hidden.
func (b *Board) Rename(ctx context.Context, member, to string, a Action) (Moderated, error) {
	return moderation.Rename(ctx, b.core(), member, to, a)
}

// Merge adds the results of one member to those of another, in every period, as if the other one had submitted the score of the first at the time at which
// that was reached, or its kept results; the first one is not ranked any more. The other one keeps its metadata, its baselines and its awards where it has
// some; an award of the first that waits is withheld there. Submissions of the two before the merge cannot be reverted any more. Where the score of a closed period would be out of range, the other one keeps its own. Errors: as
// Rename, but for ErrExists; those of the rules if the score of an open period would be out of range: then nothing has changed.
func (b *Board) Merge(ctx context.Context, from, into string, a Action) (Moderated, error) {
	return moderation.Merge(ctx, b.core(), from, into, a)
}

// ClosedSubmission is a result for a closed period.
//
//	Window  string
//	Period  string     the name of a closed period of the window
//	Score   Score      the result; in Sum columns, the number to add
//	At      time.Time  when it happened: a time in the period; zero: its last microsecond
type ClosedSubmission = moderation.ClosedSubmission

// Correct submits a result of a member to one closed period, by the rules of the board, in one commit with its entry in the audit log and, where the board has
// a journal, with a row by which Revert can take it back. Other windows, best ranks, metadata and awards stay as they are: see Submission.Windows and Resettle.
// A period in which nobody was ranked when it was closed cannot be corrected. The ranks of boards in parts are not told. O(log members), and the period is
// read from the disk, and indexed again in the background.
//
// Errors: ErrMember, ErrAction, ErrNoWindow, ErrNoPeriod; ErrPeriodOpen if the period is not closed; ErrTime if At is not in it; ErrBanned, ErrHidden; ErrBusy while a change of the member is in progress; those of
// rules.Check and a *ScoreError; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) Correct(ctx context.Context, member string, sub ClosedSubmission, a Action) (Moderated, error) {
	return moderation.Correct(ctx, b.core(), member, sub, a)
}

// Receipt is what Boards.Erase has erased.
//
//	Boards  map[string]Moderated  by board, those that had the member
//	Unions  []string              the stored unions that had it
//	Groups  []string              the kinds of groups that it was in
type Receipt = moderation.Receipt

// Erase erases a member from all boards, as Board.Erase, from the stored unions, which then have one member less, and from its groups, which it leaves first. After an error or a crash call it
// again: what is erased stays erased. The receipt has what this call has erased. Errors: as Board.Erase.
func (bs *Boards) Erase(ctx context.Context, member string, a Action) (r Receipt, err error) {
	r.Boards = map[string]Moderated{}
	if err := a.Validate(auditlog.Erase); err != nil {
		return r, err
	}
	if r.Groups, err = groups.Erase(bs.catalog, member, a.DryRun); err != nil {
		return r, err
	}
	for _, b := range bs.All() {
		if b.core().Following() != nil { // its members are groups
			continue
		}
		m, err := b.Erase(ctx, member, a)
		if err != nil {
			return r, err
		}
		if len(m.Places)+len(m.Traces) > 0 {
			r.Boards[b.Name()] = m
		}
	}
	r.Unions, err = unions.Erase(bs.catalog, member, a.DryRun)
	return r, err
}

// IsBanned reports whether a member is banned. O(1).
func (b *Board) IsBanned(member string) bool { return b.core().Bans.Has(member) }

// Hide takes a member out of all rankings, in open and closed periods: it is in no list and has no rank. Its scores stay and its submissions count, beside the
// rankings, until Show. The first commit hides it in the open periods; closed periods follow as with Ban. A hidden member gets no awards of periods that are
// settled meanwhile; awards that wait stay. Best ranks, baselines and stored unions keep the member. O(periods of the member). Errors: ErrMember, ErrAction;
// ErrHidden if it is hidden; that of ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) Hide(ctx context.Context, member string, a Action) (Moderated, error) {
	return moderation.Hide(ctx, b.core(), member, a)
}

// Show undoes Hide: the member is where its scores put it, as if it had never been hidden, but for results of equal score and time that have arrived while it
// was: those stand in the order of members. Closed periods follow as with Ban. Errors: those of Hide; ErrNotHidden in the place of ErrHidden.
func (b *Board) Show(ctx context.Context, member string, a Action) (Moderated, error) {
	return moderation.Show(ctx, b.core(), member, a)
}

// IsHidden reports whether a member is hidden. O(1).
func (b *Board) IsHidden(member string) bool { return b.core().Hides.Has(member) }

// Jobs returns the changes that are in progress, in the order in which they began. Errors: ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) Jobs() ([]Job, error) { return moderation.Jobs(b.core()) }

// AuditEntry is an entry of the audit log.
//
//	Number        uint64     from 1, in the order of the commits
//	At            time.Time  when the change began
//	Kind          AuditKind  what was done
//	Member, To    string     whose places were changed; the other member of a Rename or Merge. "" if the member has been erased since
//	Hash, ToHash  string     in the place of the name of an erased member: SHA-256 of the salt of the store and the name, in hexadecimal digits
//	By, Reason    string     of the Action
//	KeepRanks     bool       of the Action: the others have kept their ranks in closed periods
//	Rows          []uint64   the rows of the journal that a Revert has reverted
//	Places        int        how many places were changed: see AuditPlaces
//	Awards        int        how many awards were withheld
//	Done          bool       the change is complete
type AuditEntry = auditlog.Entry

// AuditFilter selects entries of the audit log. The zero value selects all.
//
//	Member  string     that the entry is about, also if it has been erased since
//	By      string
//	Kind    AuditKind
//	Since   time.Time  from this time on
//	Until   time.Time  before this time; zero: no bound
//	After   uint64     with higher numbers: for a reader that goes on
type AuditFilter = auditlog.Filter

// Audit iterates over the entries of the audit log that the filter selects, in order. O(entries after f.After). It yields at most one error, at the end:
// engine.ErrInTx, those of the engine.
func (b *Board) Audit(f AuditFilter) iter.Seq2[AuditEntry, error] {
	return moderation.Audit(b.core(), f)
}

// AuditPlaces returns the places that the change of an entry of the audit log has changed so far. O(places). Errors: ErrAction if there is no such entry,
// ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) AuditPlaces(number uint64) ([]Place, error) {
	return moderation.AuditPlaces(b.core(), number)
}

// AuditKind is what an entry of the audit log is about: "ban", "unban", "hide", "show", "revert", "erase", "rename" or "merge".
type AuditKind = auditlog.Kind

// AuditKinds returns all kinds.
func AuditKinds() []AuditKind { return slices.Clone(auditlog.Kinds) }

// ParseAuditKind returns the kind of a name. Error: ErrAction.
func ParseAuditKind(name string) (AuditKind, error) { return auditlog.ParseKind(name) }
