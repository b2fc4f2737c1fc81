package zset

import "errors"

var (
	// ErrNaN is returned when a score, a weight or the result of an increment is not a number. Nothing changes.
	ErrNaN = errors.New("zset: score is not a number")
	// ErrOverflow is returned when an int64 score would leave its range. Nothing changes.
	ErrOverflow = errors.New("zset: score is out of the range of int64")
	// ErrMemberTooLong is returned when a member has more than MaxMember bytes. Nothing changes.
	ErrMemberTooLong = errors.New("zset: member is longer than 16 MiB")
	// ErrTieWidth is returned when a tie does not have the set's width. Nothing changes.
	ErrTieWidth = errors.New("zset: tie does not have the set's width")
	// ErrFull is returned when a set has no space for a new member: after about 32 GiB of members, or half a million members of
	// more than 8 KiB. Nothing changes.
	ErrFull = errors.New("zset: set is full")
	// ErrXXAndNX is returned for a Condition with both. Nothing changes.
	ErrXXAndNX = errors.New("zset: XX and NX at the same time are not compatible")
	// ErrGTLTNX is returned for a Condition with two of GT, LT and NX. Nothing changes.
	ErrGTLTNX = errors.New("zset: GT, LT and NX at the same time are not compatible")
	// ErrWeights is returned when a set operation is given another number of weights than of sets.
	ErrWeights = errors.New("zset: not one weight for each set")
	// ErrCorruptPage is returned when LoadPage is given bytes that AppendPage did not write for such a set.
	ErrCorruptPage = errors.New("zset: corrupt page")
)
