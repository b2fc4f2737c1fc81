// Package periods finds the periods of a board and returns their rankings.
//
// Such a ranking reads the board's set in the engine. It returns ErrMigrating once the board has been migrated. The evictor evicts a closed
// period that was read once it is idle.
//
// # Where things are
//
//	period.go    Live, At, Named, LastClosed: rankings of periods; NextReset, Deadline
//	rankings.go  the rankings of periods and baselines
//	sources.go   the sources of these rankings: sets in the engine
//	rolling.go   copies of the rankings of rolling windows
//	tail.go      rankings of the best members; the others in their buckets
//	live.go      the live period of a window
//	in_tx.go     LiveIn, AtIn, NamedIn: rankings in transactions of callers
//	read_keys.go AppendKeys: the keys that they need
//	usage.go     the memory and disk space of periods
//	baseline.go  baselines: copies of rankings to compare with
//	rules_of.go  RulesOf: the rules of a set by its key
package periods
