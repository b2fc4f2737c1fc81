package routes

import (
	"errors"
	"fmt"
)

var (
	errRequest    = errors.New("api: impossible request")
	errPin        = errors.New("api: no such pinned ranking, or it has expired")
	errPins       = errors.New("api: too many pinned rankings")
	errKeyReused  = errors.New("api: the Idempotency-Key has been used with another body")
	errScoreMoved = errors.New("api: the member's score is not the expected one")
)

// errSelect is returned for a request that names two rankings.
var errSelect = fmt.Errorf("%w: only one of period, which, at, baseline, asOf may be given, and row with period", errRequest)
