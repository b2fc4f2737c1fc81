package routes

import (
	"context"
	"errors"
	"net/http"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/internal/wire"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// own is the errors of this package with their codes.
var own = []struct {
	code   string
	status int
	err    error
}{
	{"invalid_request", http.StatusUnprocessableEntity, ops.ErrSelect},
	{"invalid_request", http.StatusUnprocessableEntity, ops.ErrExpect},
	{"no_pin", http.StatusNotFound, errPin},
	{"too_many_pins", http.StatusTooManyRequests, errPins},
	{"idempotency_key_reused", http.StatusUnprocessableEntity, errKeyReused},
	{"closed", http.StatusServiceUnavailable, middleware.ErrClosing},
	{"score_moved", http.StatusConflict, ops.ErrMoved},
	{"forbidden", http.StatusForbidden, access.ErrForbidden},
	{"ticket", http.StatusUnprocessableEntity, access.ErrTicket},
	{"timeout", http.StatusServiceUnavailable, context.DeadlineExceeded},
	{"canceled", 499, context.Canceled},
}

// problem returns an error as the API answers it. One that has no code is internal: the log has its text, and the caller does not.
func (r *Router) problem(err error) error {
	var p *problem.Problem
	if errors.As(err, &p) {
		return p
	}
	for _, known := range own {
		if errors.Is(err, known.err) {
			return problem.New(known.status, known.code, err.Error())
		}
	}
	code, status, ok := wire.Code(err)
	if !ok {
		r.Logger.Error("request failed", "error", err)
		return problem.New(http.StatusInternalServerError, "internal", "an error that is none of the caller's; the log of the server has it")
	}
	p = problem.New(status, code, err.Error())
	if d := wire.DetailsOf(err); d != nil {
		p.Details = d
	}
	if status == http.StatusServiceUnavailable && !errors.Is(err, engine.ErrPersistence) { // a failed disk needs a new Open
		p.RetryAfter = 1
	}
	return p
}

// fail answers with the problem of an error.
func (r *Router) fail(w http.ResponseWriter, err error) {
	p := new(problem.Problem)
	if errors.As(r.problem(err), &p) {
		problem.Write(w, *p)
	}
}
