// Package recovery opens and creates stores.
//
// It promises that no file changes before everything is found in order, the lock aside, and that what was durable and is missing is
// reported: by the chain of groups (P3, P4), the high-water mark (P11, P12), and groups behind the place where Pebble stopped to
// read its log.
//
// # Where things are
//
//	open.go        locking, creating, opening for writing, upgrading
//	preflight.go   the checks of a database that is open for reading only
//	walscan.go     the search for groups in the raw bytes of Pebble's log
package recovery
