// Package recovery opens and creates stores.
//
// It promises that no file except the lock changes before all checks have passed. It also promises to report missing durable data. It
// detects that by the chain of groups (P3, P4), by the high-water mark (P11, P12), and by groups behind the point where Pebble stopped
// reading its log.
//
// # Where things are
//
//	open.go        locking, creating, opening for writing, upgrading
//	preflight.go   the checks of a database that is open for reading only
//	walscan.go     the search for groups in the raw bytes of Pebble's log
package recovery
