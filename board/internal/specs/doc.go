// Package specs is what the homes of boards do with a board.Spec: they store it, make one follow another, and convert entries from one to another. It
// is pure: it knows no engine and no clock. A stored spec has its defaults filled in.
//
// # Where things are
//
//	complete.go  specs of derived boards, which follow those of their sources
//	extras.go    what some boards have beside rankings
//	file.go      stored specs
//	convert.go   the conversion of entries by a migration
package specs
