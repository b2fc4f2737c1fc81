// Package live is zrank import redis://…: the keys of a running Redis, and what changes until one switches over.
//
// # Where things are
//
//	live.go    Import
//	screen.go  how far it is
//	report.go  what was copied, what was left out, what differs
package live
