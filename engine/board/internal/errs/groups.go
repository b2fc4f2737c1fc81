package errs

import "errors"

// The errors of groups and derived boards, which package board exports too.
var (
	ErrGroups      = errors.New("board: impossible groups")
	ErrNoGroups    = errors.New("board: no such kind of groups")
	ErrNoGroup     = errors.New("board: no such group")
	ErrGroupExists = errors.New("board: the group exists already")
	ErrInGroup     = errors.New("board: member is in a group already")
	ErrNotInGroup  = errors.New("board: member is in no group")
	ErrCircle      = errors.New("board: groups contain each other")
	ErrDerived     = errors.New("board: its scores follow those of another board")
	ErrNotDerived  = errors.New("board: follows no other board")
	ErrFollowed    = errors.New("board: other boards follow it")
)
