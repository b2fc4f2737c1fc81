// Package errs has the errors of package board, which exports them.
//
// # Where things are
//
//	errors.go  the errors; ErrAgain, which no caller of package board gets
package errs
