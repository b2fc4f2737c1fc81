// Package state holds a board under one spec: its compiled rules and, for each window, the open and the closed periods.
//
// A State does not change, except for its Timelines; a migration makes another State. Timelines may be used from any goroutine. The package
// makes no transactions: its callers commit a change first and then note it here.
//
// # Specs
//
// The homes of boards store a board.Spec, make one follow another, and convert entries from one to another. A stored spec has its defaults filled in.
//
// # Where things are
//
//	state.go     State: a board under one spec
//	closed.go    closed periods of a Timeline, and which periods accept results
//	timeline.go  Timeline: the periods of one window; how a period closes; open periods; tails
//	parts.go     Parts: the sets of a ranking in parts
//	roll.go      Roll: when results leave a rolling window
//	sets.go      the keys of the sets of a period
//	lines.go     the windows and the periods that a result goes to
//	slot.go      Slot: a period with its key and its times; LivePeriod
//	errors.go    errors by which a call begins again
//	record.go    Record: the description of a closed period
//	stored.go    the stored form of a Record
//	parse.go     a fast parser of that form
//	settlement.go   Settlement: the awards of a closed period, and its stored state
//	settlements.go  the settlements of a Timeline
//	promoting.go    Promoting: a closed period whose cohorts are not settled, and its stored state
//	promotions.go   those of a Timeline
//	union.go     Union: the description of a stored union
//	spec_complete.go  specs of derived boards, which follow those of their sources
//	spec_extras.go    what some boards have beside rankings
//	spec_file.go      stored specs
//	spec_convert.go   the conversion of entries by a migration
package state
