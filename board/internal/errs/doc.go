// Package errs has the errors of the homes of boards that package board does not have: ErrAgain and ErrMoved, which no caller gets, and ErrEngineClosed.
package errs
