package board

import (
	"context"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/moderation"
)

// Action says who changes what is kept of a member, and why: it goes into the audit log.
//
//	By         string  who does it: 1 to 256 bytes of UTF-8
//	Reason     string  why: at most 4 KiB of UTF-8
//	DryRun     bool    change nothing, and only return what would change
//	KeepRanks  bool    the ranks of the others in closed periods stay as they are, so that the member's is nobody's; else they close up
type Action = auditlog.Action

// Moderated is what a change of a member has done, or would do in a dry run.
//
//	Entry   uint64   the number of its entry in the audit log, 0 in a dry run
//	Places  []Place  the places that have changed: open periods first, windows as in the spec, periods in order of time
//	Awards  int      how many awards were withheld
type Moderated = moderation.Result

// Place is a member's place in one ranking, and what has become of it.
//
//	Window, Period  string
//	Closed          bool   the period is closed
//	Hidden          bool   the member is hidden
//	Rank            int    ordinal, from 1; before a change
//	Score           Score  before a change
//	NewRank         int    after a change; 0 if the member is not ranked any more
//	NewScore        Score  after a change
//	Moved           int    how many others in a closed period have another ordinal rank because of the change
type Place = auditlog.Place

// Job is a change of closed periods that is in progress.
//
//	Entry       uint64     the number of its entry in the audit log
//	Kind        AuditKind
//	Member, To  string
//	Done        int        closed periods that are changed
//	Total       int        that were to be changed when it began
type Job = moderation.Job

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

// IsBanned reports whether a member is banned. O(1).
func (b *Board) IsBanned(member string) bool { return b.core().Bans.Has(member) }

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
//	KeepRanks     bool       of the Action
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
