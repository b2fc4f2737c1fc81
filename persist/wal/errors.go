package wal

import (
	"errors"
	"fmt"
)

// Test for these with errors.Is: each is a type that says more.
var (
	// ErrCorrupt is returned when stored bytes are not what was written. The error is a *CorruptError.
	ErrCorrupt = errors.New("persist: stored data is damaged")

	// ErrDataLoss is returned by Open when durable commits are missing, and nothing else is wrong: the end of the log was cut off, or
	// some files are older than others. The error is a *DataLossError. Nothing is changed.
	ErrDataLoss = errors.New("persist: durable data is missing")

	// ErrFellBehind is returned to a follower that asks for commits that are gone. The error is a *FellBehindError.
	ErrFellBehind = errors.New("persist: fell behind the log")
)

// DataLossError says how many durable commits are missing. errors.Is(err, ErrDataLoss) holds.
type DataLossError struct {
	Have     uint64 // the last commit in the store
	Want     uint64 // the last commit that is known to have been durable
	Evidence string // which file or record names Want
}

// Error implements error.
func (e *DataLossError) Error() string {
	return fmt.Sprintf("%v: the log ends at commit %d, commit %d was durable (%s)", ErrDataLoss, e.Have, e.Want, e.Evidence)
}

// Is makes every DataLossError an ErrDataLoss.
func (e *DataLossError) Is(target error) bool { return target == ErrDataLoss }

// FellBehindError says that commits are gone that a follower still wants. errors.Is(err, ErrFellBehind) holds.
type FellBehindError struct {
	From   uint64 // the last commit that the follower has
	Oldest uint64 // the first commit that can still be read
}

// Error implements error.
func (e *FellBehindError) Error() string {
	return fmt.Sprintf("%v: commit %d is wanted, the oldest one is %d", ErrFellBehind, e.From+1, e.Oldest)
}

// Is makes every FellBehindError an ErrFellBehind.
func (e *FellBehindError) Is(target error) bool { return target == ErrFellBehind }

// CorruptError says which stored bytes are wrong. errors.Is(err, ErrCorrupt) holds.
type CorruptError struct {
	Key    string // the record, as a person would write it: "l/17", "s/\"daily\"", "p/3/0/12", or a file name
	Offset int    // of the damage in the record's value, in bytes
	Reason string // one line for people
}

// Error implements error.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%v: %s at byte %d: %s", ErrCorrupt, e.Key, e.Offset, e.Reason)
}

// Is makes every CorruptError an ErrCorrupt.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }
