package ratelimit

import "errors"

var (
	// ErrSpec is returned when a spec has an impossible value; the error names every one.
	ErrSpec = errors.New("ratelimit: impossible spec")
	// ErrKey is returned when a key is longer than MaxKey bytes.
	ErrKey = errors.New("ratelimit: key is longer than 1 KiB")
	// ErrCost is returned when a cost is less than 1.
	ErrCost = errors.New("ratelimit: cost is less than 1")
	// ErrNever is returned when a cost is more than a limit allows in one window: such a call would always be refused.
	ErrNever = errors.New("ratelimit: cost is more than a limit ever allows")
	// ErrTime is returned when the engine's clock shows a time before 1970 or after 2155.
	ErrTime = errors.New("ratelimit: clock is outside the years 1970 to 2155")
	// ErrEngines is returned by AllowAll when its limiters are on different engines, or one is nil.
	ErrEngines = errors.New("ratelimit: limiters are on different engines")
)
