// Package specs has Spec, which says what a board's scores mean and how the board is cut in time.
//
// It validates specs, reads spec files, encodes specs for the store, compares two specs, and converts entries from one spec to another. It
// is pure: it knows no engine and no clock. A stored spec has its defaults filled in.
//
// # Where things are
//
//	spec.go         Spec: validation, defaults
//	top.go          Top: rankings of the best members
//	feed.go         Feed: which events the board writes
//	leagues.go      Leagues: cohorts and tiers
//	derived.go      Derived: boards of groups
//	complete.go     what such boards have from their sources: columns, windows
//	awards.go       what plans of awards must have
//	extras.go       what some boards have beside rankings
//	file.go         spec files; stored specs
//	differences.go  the differences of two specs
//	convert.go      the conversion of entries by a migration
package specs
