package delayqueue

import "errors"

var (
	// ErrSpec is returned when a spec has an impossible value; the error names every one.
	ErrSpec = errors.New("delayqueue: impossible spec")
	// ErrID is returned when an item's ID is empty or longer than MaxID bytes.
	ErrID = errors.New("delayqueue: ID is empty or longer than 1 KiB")
	// ErrPayload is returned when a payload is longer than Spec.MaxPayload.
	ErrPayload = errors.New("delayqueue: payload is too long")
	// ErrExists is returned when an item that must be new has the ID of another. Nothing has changed.
	ErrExists = errors.New("delayqueue: item exists")
	// ErrStale is returned when a lease is not the last one given for its item: it has run out and the item has been delivered
	// again or died, or the item has been acknowledged, returned, replaced or removed.
	ErrStale = errors.New("delayqueue: lease is stale")
	// ErrCount is returned when fewer than 1 item is asked for.
	ErrCount = errors.New("delayqueue: asked for fewer than 1 item")
	// ErrDuration is returned for a lease of 0 or less, or a negative delay.
	ErrDuration = errors.New("delayqueue: impossible duration")
	// ErrTime is returned when a time, or the engine's clock, is outside the years 1685 to 2255.
	ErrTime = errors.New("delayqueue: time is outside the years 1685 to 2255")
)
