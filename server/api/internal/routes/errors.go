package routes

import "errors"

var (
	errPin       = errors.New("api: no such pinned ranking, or it has expired")
	errPins      = errors.New("api: too many pinned rankings")
	errKeyReused = errors.New("api: the Idempotency-Key has been used with another body")
)
