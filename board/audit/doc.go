// Package audit has the entries of the audit log of a board: who changed what of which member, when and why.
// Each is written by the commit that makes its change, or begins it: see B11 and "Moderation" in package board.
//
//	for e, err := range arena.Audit(ctx, audit.Filter{Kind: audit.Ban}) { ... }
//
// # Where things are
//
//	entry.go  Entry, Filter, Trace
//	kind.go   Kind: what an entry is about
//	json.go   their JSON
package audit
