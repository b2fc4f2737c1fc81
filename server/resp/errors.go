package resp

import "errors"

var (
	// ErrClosed is returned by Serve and Listen after Close.
	ErrClosed = errors.New("resp: server closed")
	// ErrNoPassword is returned by Bind, Serve and Listen for an address that other machines can reach, if there are no users.
	ErrNoPassword = errors.New("resp: will not listen where other machines can reach it without a password")
)
