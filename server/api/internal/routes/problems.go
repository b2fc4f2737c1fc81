package routes

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

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
	{"invalid_request", http.StatusUnprocessableEntity, errRequest},
	{"no_pin", http.StatusNotFound, errPin},
	{"too_many_pins", http.StatusTooManyRequests, errPins},
	{"idempotency_key_reused", http.StatusUnprocessableEntity, errKeyReused},
	{"closed", http.StatusServiceUnavailable, middleware.ErrClosing},
	{"score_moved", http.StatusConflict, errScoreMoved},
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

// asProblem is a transformer of huma: it makes errors of huma problems with a code, and gives problems the id of their request.
func asProblem(c huma.Context, _ string, v any) (any, error) {
	p, ok := v.(*problem.Problem)
	if e, is := v.(*huma.ErrorModel); is {
		p, ok = problemOf(e), true
	}
	if !ok {
		return v, nil
	}
	if _, w := humago.Unwrap(c); p.RequestID == "" {
		p.RequestID = w.Header().Get(problem.RequestIDHeader)
	}
	return p, nil
}

func problemOf(e *huma.ErrorModel) *problem.Problem {
	code := map[int]string{
		http.StatusUnprocessableEntity: "invalid_request", http.StatusBadRequest: "invalid_request", http.StatusRequestEntityTooLarge: "body_too_large",
		http.StatusUnsupportedMediaType: "media_type", http.StatusNotAcceptable: "not_acceptable", http.StatusRequestTimeout: "timeout",
	}[e.Status]
	p := problem.New(e.Status, code, e.Detail)
	for _, x := range e.Errors {
		p.Errors = append(p.Errors, problem.FieldError{Location: x.Location, Message: x.Message})
	}
	return p
}
