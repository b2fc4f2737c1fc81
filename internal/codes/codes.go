package codes

import (
	"errors"
	"net/http"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// Row is an error of the library with its code and status.
type Row struct {
	Code   string
	Status int
	Err    error
}

// Known is the errors of the library that have a code. An error may wrap several: the first row counts, so that the more special come first.
var Known = []Row{
	{"period_over", http.StatusConflict, board.ErrPeriodOver},
	{"plan", http.StatusUnprocessableEntity, awards.ErrPlan},
	{"no_union", http.StatusNotFound, board.ErrNoUnion},
	{"union", http.StatusUnprocessableEntity, board.ErrUnion},
	{"circle", http.StatusUnprocessableEntity, board.ErrCircle},
	{"columns", http.StatusUnprocessableEntity, board.ErrColumns},
	{"period_name", http.StatusNotFound, board.ErrPeriodName},
	{"closed", http.StatusServiceUnavailable, board.ErrClosed},
	{"no_board", http.StatusNotFound, board.ErrNoBoard},
	{"spec", http.StatusUnprocessableEntity, board.ErrSpec},
	{"spec_changed", http.StatusConflict, board.ErrSpecChanged},
	{"relocated", http.StatusMisdirectedRequest, board.ErrRelocated},
	{"incoming", http.StatusConflict, board.ErrIncoming},
	{"immovable", http.StatusConflict, board.ErrImmovable},
	{"migrating", http.StatusServiceUnavailable, board.ErrMigrating},
	{"no_window", http.StatusNotFound, board.ErrNoWindow},
	{"no_period", http.StatusNotFound, board.ErrNoPeriod},
	{"period_closed", http.StatusConflict, board.ErrPeriodClosed},
	{"no_end", http.StatusConflict, board.ErrNoEnd},
	{"member", http.StatusUnprocessableEntity, board.ErrMember},
	{"time", http.StatusUnprocessableEntity, board.ErrTime},
	{"once", http.StatusUnprocessableEntity, board.ErrOnce},
	{"meta", http.StatusUnprocessableEntity, board.ErrMeta},
	{"condition", http.StatusUnprocessableEntity, board.ErrCondition},
	{"not_ranked", http.StatusNotFound, board.ErrNotRanked},
	{"count", http.StatusUnprocessableEntity, board.ErrCount},
	{"cursor", http.StatusUnprocessableEntity, board.ErrCursor},
	{"mode", http.StatusUnprocessableEntity, board.ErrMode},
	{"baseline", http.StatusUnprocessableEntity, board.ErrBaseline},
	{"award", http.StatusNotFound, awards.ErrNoAward},
	{"not_yours", http.StatusForbidden, awards.ErrNotYours},
	{"granted", http.StatusConflict, awards.ErrGranted},
	{"withheld", http.StatusConflict, awards.ErrWithheld},
	{"expired", http.StatusConflict, awards.ErrExpired},
	{"settling", http.StatusServiceUnavailable, awards.ErrSettling},
	{"undelivered", http.StatusConflict, awards.ErrUndelivered},
	{"no_journal", http.StatusConflict, board.ErrNoJournal},
	{"no_leagues", http.StatusConflict, board.ErrNoLeagues},
	{"zone", http.StatusUnprocessableEntity, board.ErrZone},
	{"no_cohort", http.StatusNotFound, board.ErrNoCohort},
	{"tier", http.StatusNotFound, board.ErrTier},
	{"unsettled", http.StatusServiceUnavailable, board.ErrUnsettled},
	{"before_journal", http.StatusConflict, board.ErrBeforeJournal},
	{"undo", http.StatusConflict, board.ErrUndo},
	{"not_in_journal", http.StatusConflict, board.ErrNotInJournal},
	{"reverted", http.StatusConflict, board.ErrReverted},
	{"period_open", http.StatusConflict, board.ErrPeriodOpen},
	{"action", http.StatusUnprocessableEntity, board.ErrAction},
	{"audit_kind", http.StatusUnprocessableEntity, audit.ErrKind},
	{"banned", http.StatusForbidden, board.ErrBanned},
	{"exists", http.StatusConflict, board.ErrExists},
	{"board_exists", http.StatusConflict, board.ErrBoardExists},
	{"busy", http.StatusServiceUnavailable, board.ErrBusy},
	{"not_banned", http.StatusConflict, board.ErrNotBanned},
	{"hidden", http.StatusConflict, board.ErrHidden},
	{"not_hidden", http.StatusConflict, board.ErrNotHidden},
	{"event_kind", http.StatusUnprocessableEntity, feed.ErrKind},
	{"position", http.StatusUnprocessableEntity, feed.ErrPosition},
	{"future", http.StatusUnprocessableEntity, feed.ErrFuture},
	{"groups", http.StatusUnprocessableEntity, board.ErrGroups},
	{"no_groups", http.StatusNotFound, board.ErrNoGroups},
	{"no_group", http.StatusNotFound, board.ErrNoGroup},
	{"group_exists", http.StatusConflict, board.ErrGroupExists},
	{"in_group", http.StatusConflict, board.ErrInGroup},
	{"not_in_group", http.StatusConflict, board.ErrNotInGroup},
	{"derived", http.StatusConflict, board.ErrDerived},
	{"not_derived", http.StatusConflict, board.ErrNotDerived},
	{"followed", http.StatusConflict, board.ErrFollowed},
	{"kind", http.StatusUnprocessableEntity, board.ErrKind},
	{"not_finite", http.StatusUnprocessableEntity, board.ErrNotFinite},
	{"bounds", http.StatusUnprocessableEntity, board.ErrBounds},
	{"absent", http.StatusUnprocessableEntity, board.ErrAbsent},
	{"overflow", http.StatusUnprocessableEntity, board.ErrOverflow},
	{"outside", http.StatusNotFound, board.ErrOutside},
	{"unsupported", http.StatusNotImplemented, board.ErrUnsupported},
	{"undecided", http.StatusBadGateway, board.ErrUndecided},
	{"no_ranks", http.StatusBadGateway, board.ErrNoRanks},
	{"time", http.StatusUnprocessableEntity, window.ErrTime},
	{"window", http.StatusUnprocessableEntity, window.ErrWindow},
	{"fell_behind", http.StatusGone, feed.ErrBehind},
	{"disk_full", http.StatusInsufficientStorage, engine.ErrDiskFull},
	{"persistence", http.StatusServiceUnavailable, engine.ErrPersistence},
	{"stalled", http.StatusServiceUnavailable, engine.ErrStalled},
	{"memory_limit", http.StatusInsufficientStorage, engine.ErrMemoryLimit},
	{"too_large", http.StatusRequestEntityTooLarge, engine.ErrTooLarge},
	{"corrupt", http.StatusInternalServerError, engine.ErrCorrupt},
	{"closed", http.StatusServiceUnavailable, engine.ErrClosed},
}

// Of returns the row of an error, and false for one that has none. O(rows).
func Of(err error) (row Row, ok bool) { return In(Known, err) }

// In is Of with other rows.
func In(rows []Row, err error) (row Row, ok bool) {
	for _, k := range rows {
		if errors.Is(err, k.Err) {
			return k, true
		}
	}
	return row, false
}
