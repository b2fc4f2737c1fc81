package routes

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// reply is a response with a body.
type reply[O any] struct {
	ETag string `header:"ETag" doc:"Of a read of a live or closed ranking: changes whenever the answer may have changed."`
	Body O
}

// empty is a response without a body.
type empty struct{}

// operation describes an operation: its name as getTop, METHOD PATH, the heading that it stands under, and what it does.
func operation(id, route, tag, summary string) huma.Operation {
	method, path, _ := strings.Cut(route, " ")
	return huma.Operation{OperationID: id, Method: method, Path: path, Tags: []string{tag}, Summary: summary, Security: security, Errors: errorStatuses}
}

// limit limits the body of an operation. The body has been read when huma gets it: see package middleware.
func (r *Router) limit(op *huma.Operation) { op.MaxBodyBytes, op.BodyReadTimeout = r.MaxBody, -1 }

// add registers an operation. fn returns the body of the response.
func add[I, O any](r *Router, op huma.Operation, w who, fn func(ctx context.Context, in *I) (O, error)) {
	r.limit(&op)
	huma.Register(r.api, op, func(ctx context.Context, in *I) (*reply[O], error) {
		if err := w.check(ctx, in); err != nil {
			return nil, r.problem(err)
		}
		var out reply[O]
		c, conditional := any(in).(conditional)
		if conditional {
			tag, same := r.tag(ctx, c)
			if same {
				return nil, huma.ErrorWithHeaders(huma.Status304NotModified(), http.Header{"ETag": {tag}})
			}
			out.ETag = tag
		}
		body, err := fn(ctx, in)
		if err != nil {
			return nil, r.problem(err)
		}
		out.Body = body
		return &out, nil
	})
}

// do registers an operation whose response has no body.
func do[I any](r *Router, op huma.Operation, w who, fn func(ctx context.Context, in *I) error) {
	op.DefaultStatus = http.StatusNoContent
	r.limit(&op)
	huma.Register(r.api, op, func(ctx context.Context, in *I) (*empty, error) {
		err := w.check(ctx, in)
		if err == nil {
			err = fn(ctx, in)
		}
		if err != nil {
			return nil, r.problem(err)
		}
		return nil, nil
	})
}

// security is what every operation asks for: see package access.
var security = []map[string][]string{{"key": {}}}

// errorStatuses are the statuses of problems that every operation may answer with; those of rare ones are the default of the document.
var errorStatuses = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge,
	http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusServiceUnavailable}
