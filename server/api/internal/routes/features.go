package routes

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// feature returns boards, or a board, as an interface that not every store of boards has. Error: board.ErrUnsupported, with what it is that is missing.
func feature[F any](x any, what string) (f F, err error) {
	if u, ok := x.(interface{ Unwrap() any }); ok {
		x = u.Unwrap()
	}
	f, ok := x.(F)
	if !ok {
		err = fmt.Errorf("%w: %s", board.ErrUnsupported, what)
	}
	return f, err
}

// What some stores of boards have, or boards of theirs.
type (
	migrator interface {
		Migrate(ctx context.Context, spec board.Spec) (*board.Board, error)
	}
	eraser interface {
		Erase(ctx context.Context, member string, a board.Action) (board.Receipt, error)
	}
	unions interface {
		Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
		StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
		StoredUnion(name string) (board.Ranking, error)
		StoredUnions() ([]board.StoredUnion, error)
		DropUnion(name string) error
	}
	groups interface {
		DefineGroups(kind string) (*board.Groups, error)
		Groups(kind string) (*board.Groups, error)
		GroupKinds() []string
	}
	feeds interface {
		Feed(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
		Events(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
		FeedEnd() (board.Position, error)
	}

	versioned interface{ Version() int }
	baselines interface {
		SaveBaseline(ctx context.Context, window, name string) error
		Baseline(window, name string) (board.Ranking, error)
		Baselines(window string) ([]string, error)
		DropBaseline(window, name string) error
	}
	moderated interface {
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
	reverter interface {
		Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
		Journal(q board.JournalQuery) iter.Seq2[board.JournalRow, error]
		Jobs() ([]board.Job, error)
	}
	watcher interface {
		Watch(member string) error
		Unwatch(member string) error
	}
	awarder interface {
		Awards(window, period string) iter.Seq2[board.Award, error]
		AwardsOf(member string) ([]board.Award, error)
		Claimable(member string) ([]board.Award, error)
		Claim(member, id string) (board.Award, error)
		Withhold(id, reason string) error
		Release(id string) error
		Settlements(window string) ([]board.Settlement, error)
		Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)
	}
	leagues interface {
		League(member string) (board.League, error)
		LeagueOf(period, member string) (board.League, error)
		Promotions(period string) iter.Seq2[board.Promotion, error]
		Tier(member string) (string, error)
		SetTier(member, tier string, a board.Action) (uint64, error)
	}
	histories interface {
		NextChange(window, member string) (at time.Time, ok bool, err error)
		BestRank(window, member string) (rank int, ok bool, err error)
	}
	rebuilder interface {
		Rebuild(ctx context.Context) (corrected int, err error)
	}
)
