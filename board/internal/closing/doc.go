// Package closing closes periods and drops those that are not kept.
//
// It keeps B5 and B6 of package board: one commit closes a period, after every commit that changed it, and periods close in the order of
// time. Type state.Timeline describes the steps. A period that cannot be closed accepts no results, and the scheduler tries again.
//
// # Where things are
//
//	scheduler.go  Scheduler: the goroutine that calls CloseDue and evicts idle sets
//	due.go        CloseDue: all periods whose time is up
//	close.go      CloseNow; closing one period
//	follow.go    periods of derived boards, which close after those that they follow
//	retention.go  dropping the oldest closed periods
package closing
