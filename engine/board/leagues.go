package board

import (
	"iter"

	"github.com/zrankdb/zrank/engine/board/internal/leagues"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// Leagues puts the members of each period of a window into cohorts, as they arrive. When the period is closed, the best of each cohort are promoted to the next
// tier, and the last are relegated: see "Leagues".
//
//	Window  string    a window whose periods close, without a grace
//	Tiers   []string  the names of the tiers, the lowest first: 1 to MaxTiers
//	Size    int       the most members of a cohort: 2 to MaxCohort
//	Up      int       how many of the best of a cohort are promoted
//	Down    int       how many of the last are relegated; Up + Down is at most Size
//	Bands   []int64   limits of Submission.Skill, in ascending order: members between the same two limits are put together; none: all of a tier are
type Leagues = specs.Leagues

const (
	// MaxTiers is the most tiers that Leagues may have.
	MaxTiers = specs.MaxTiers
	// MaxBands is the most that Leagues.Bands may be.
	MaxBands = specs.MaxBands
	// MaxCohort is the most that Leagues.Size may be.
	MaxCohort = specs.MaxCohort
)

// League is the cohort of a member in a period.
//
//	Board    string
//	Window   string
//	Period   string
//	Ends     time.Time    the first moment after the period
//	Settled  bool         its members have been promoted and relegated
//	Tier     string
//	Band     int          the band of skill, from 0
//	Cohort   uint64       from 1, among those of its tier and band
//	Rows     []LeagueRow  its members: the ranked ones, best first, and then those that are not ranked
type League = leagues.League

// LeagueRow is a member of a cohort: its Row, with the place in the cohort as Rank, from 1, which is 0 if the member is not ranked; and its Zone: what becomes of
// it if the period ends like this or, of a cohort that is settled, has become of it.
type LeagueRow = leagues.Row

// Zone says whether a member of a cohort goes up or down, or stays in its tier. Its String is "up", "down" or "stay".
type Zone = leagues.Outcome

// The zones of a cohort.
const (
	ZoneStay = leagues.Stays
	ZoneUp   = leagues.Promoted
	ZoneDown = leagues.Relegated
)

// Promotion is a member that has been promoted or relegated.
//
//	Member  string
//	Zone    Zone    ZoneUp or ZoneDown
//	From    string  the tier of its cohort
//	To      string  the tier above or below
//	Cohort  uint64  from 1, among those of its tier and band
type Promotion = leagues.Promotion

// League returns the cohort of a member in the live period. O(size log members). Errors: ErrNoLeagues; ErrNoCohort if the member has not submitted in the period;
// an *OutsideError if no period is live; ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) League(member string) (League, error) { return leagues.Live(b.core(), member) }

// LeagueOf returns the cohort of a member in a period by its name. O(size log members). Errors: those of League, ErrPeriodName.
func (b *Board) LeagueOf(period, member string) (League, error) {
	return leagues.Of(b.core(), period, member)
}

// Promotions iterates over the members that a closed period has promoted and relegated, by cohort: the lowest tier first. O(members). It yields at most one error,
// at the end: ErrNoLeagues, ErrPeriodName, ErrPeriodOpen, ErrNoPeriod; ErrUnsettled while its cohorts are being settled; ErrClosed, ErrNoBoard, engine.ErrInTx,
// those of the engine.
func (b *Board) Promotions(period string) iter.Seq2[Promotion, error] {
	return leagues.Promotions(b.core(), period)
}

// Tier returns the name of the tier that a member is in: the one in which its next period begins, as far as periods are settled. It is the lowest one for a member
// that was never promoted. O(1). Errors: ErrNoLeagues, ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) Tier(member string) (name string, err error) { return leagues.Tier(b.core(), member) }

// SetTier gives a member a tier, with an entry in the audit log, whose number it returns; 0 in a dry run. A cohort that the member is in stays as it is; when it is
// settled, the member goes up or down from the tier that it has then. O(1). Errors: ErrNoLeagues, ErrTier, ErrMember, ErrAction, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) SetTier(member, tier string, a Action) (entry uint64, err error) {
	return leagues.SetTier(b.core(), member, tier, a)
}
