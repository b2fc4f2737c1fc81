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
	Baseline(ctx context.Context, window, name string) (board.Ranking, error)
	Baselines(ctx context.Context, window string) ([]string, error)
	DropBaseline(ctx context.Context, window, name string) error
}

// Moderated is a board whose members operators can ban, hide, erase, rename and merge.
type Moderated interface {
	Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error)
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Member(ctx context.Context, name string) (board.Member, error)
	Audit(ctx context.Context, f board.AuditFilter) iter.Seq2[board.AuditEntry, error]
	AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error)
}

// Reverter is a board with a journal, from which submissions can be taken back.
type Reverter interface {
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	Jobs(ctx context.Context) ([]board.Job, error)
}

// Watcher is a board whose feed has what happens to members that are watched.
type Watcher interface {
	Watch(ctx context.Context, member string) error
	Unwatch(ctx context.Context, member string) error
}

// Awarder is a board that pays awards.
type Awarder interface {
	Awards(ctx context.Context, window, period string) iter.Seq2[board.Award, error]
	AwardsOf(ctx context.Context, member string) ([]board.Award, error)
	Claimable(ctx context.Context, member string) ([]board.Award, error)
	Claim(ctx context.Context, member, id string) (board.Award, error)
	Withhold(ctx context.Context, id, reason string) error
	Release(ctx context.Context, id string) error
	Settlements(ctx context.Context, window string) ([]board.Settlement, error)
	Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)
}

// Leagues is a board with cohorts and tiers.
type Leagues interface {
	League(ctx context.Context, member string) (board.League, error)
	LeagueOf(ctx context.Context, period, member string) (board.League, error)
	Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error]
	Tier(ctx context.Context, member string) (string, error)
	SetTier(ctx context.Context, member, tier string, a board.Action) (uint64, error)
}

// Histories is a board that knows the best ranks of its members, and when those of rolling windows change next.
type Histories interface {
	NextChange(ctx context.Context, window, member string) (at time.Time, ok bool, err error)
	BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error)
}

// Rebuilder is a board that is derived from others.
type Rebuilder interface {
	Rebuild(ctx context.Context) (corrected int, err error)
	RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error)
}
