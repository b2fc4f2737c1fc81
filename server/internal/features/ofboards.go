package features

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Versioned is a board whose spec has a version.
type Versioned interface{ Version() int }

// Baselines is a board that keeps copies of its rankings for arrows.
type Baselines interface {
	SaveBaseline(ctx context.Context, window, name string) error
	Baseline(window, name string) (board.Ranking, error)
	Baselines(window string) ([]string, error)
	DropBaseline(window, name string) error
}

// Moderated is a board whose members operators can ban, hide, erase, rename and merge.
type Moderated interface {
	Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error)
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Member(name string) (board.Member, error)
	Audit(f board.AuditFilter) iter.Seq2[board.AuditEntry, error]
	AuditPlaces(number uint64) ([]board.Place, error)
}

// Reverter is a board with a journal, from which submissions can be taken back.
type Reverter interface {
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Journal(q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	Jobs() ([]board.Job, error)
}

// Watcher is a board whose feed has what happens to members that are watched.
type Watcher interface {
	Watch(member string) error
	Unwatch(member string) error
}

// Awarder is a board that pays awards.
type Awarder interface {
	Awards(window, period string) iter.Seq2[board.Award, error]
	AwardsOf(member string) ([]board.Award, error)
	Claimable(member string) ([]board.Award, error)
	Claim(member, id string) (board.Award, error)
	Withhold(id, reason string) error
	Release(id string) error
	Settlements(window string) ([]board.Settlement, error)
	Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)
}

// Leagues is a board with cohorts and tiers.
type Leagues interface {
	League(member string) (board.League, error)
	LeagueOf(period, member string) (board.League, error)
	Promotions(period string) iter.Seq2[board.Promotion, error]
	Tier(member string) (string, error)
	SetTier(member, tier string, a board.Action) (uint64, error)
}

// Histories is a board that knows the best ranks of its members, and when those of rolling windows change next.
type Histories interface {
	NextChange(window, member string) (at time.Time, ok bool, err error)
	BestRank(window, member string) (rank int, ok bool, err error)
}

// Rebuilder is a board that is derived from others.
type Rebuilder interface {
	Rebuild(ctx context.Context) (corrected int, err error)
	RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error)
}
