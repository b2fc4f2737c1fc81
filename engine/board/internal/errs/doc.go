// Package errs has the errors of package board, which exports them.
//
// # Where things are
//
//	feed.go    the errors of feeds
//	errors.go  the errors; ErrAgain, which no caller of package board gets
//	groups.go  those of groups
package errs
