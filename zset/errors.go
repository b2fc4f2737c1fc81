package zset

import "errors"

var (
	// ErrNaN is returned when a score, or the result of an increment, is not a number. Nothing changes.
	ErrNaN = errors.New("zset: score is not a number")
	// ErrMemberTooLong is returned when a member has more than MaxMember bytes. Nothing changes.
	ErrMemberTooLong = errors.New("zset: member is longer than 16 MiB")
	// ErrTieWidth is returned when a tie does not have the set's width. Nothing changes.
	ErrTieWidth = errors.New("zset: tie does not have the set's width")
	// ErrFull is returned when a set has no room for a new member: after about 32 GiB of members. Nothing changes.
	ErrFull = errors.New("zset: set is full")
	// ErrCorruptPage is returned when LoadPage is given bytes that AppendPage did not write.
	ErrCorruptPage = errors.New("zset: corrupt page")
)
