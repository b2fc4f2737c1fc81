package routes

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/zrankdb/zrank/internal/problem"
)

// operation describes an operation: its name as getTop, METHOD PATH, the heading that it stands under, and what it does.
func operation(id, at, heading, summary string) huma.Operation {
	method, path, _ := strings.Cut(at, " ")
	return huma.Operation{OperationID: id, Method: method, Path: path, Tags: []string{heading}, Summary: summary, Security: security}
}

// add registers an operation with arguments I. fn returns the body of the response.
func add[I, O any](r *Router, op huma.Operation, w who, fn func(ctx context.Context, in *I) (O, error)) {
	r.register(route{Operation: op, inputs: []reflect.Type{reflect.TypeFor[I]()}, result: reflect.TypeFor[O](),
		fn: func(ctx context.Context, _ http.ResponseWriter, _ *http.Request, in []any) (any, error) {
			if err := w.check(ctx, in[0]); err != nil {
				return nil, err
			}
			return fn(ctx, in[0].(*I))
		}})
}

// raw registers an operation with arguments I whose response fn writes, after it has checked the request.
func raw[I any](r *Router, op huma.Operation, w who, fn func(ctx context.Context, w http.ResponseWriter, q *http.Request, in *I) (func(), error)) {
	r.register(route{Operation: op, inputs: []reflect.Type{reflect.TypeFor[I]()},
		fn: func(ctx context.Context, rw http.ResponseWriter, q *http.Request, in []any) (any, error) {
			if err := w.check(ctx, in[0]); err != nil {
				return nil, err
			}
			return fn(ctx, rw, q, in[0].(*I))
		}})
}

// register registers an operation.
func (r *Router) register(x route) {
	reads := r.reader(&x)
	r.describe(&x, reads)
	op := &x.Operation
	r.api.OpenAPI().AddOperation(op)
	r.api.Adapter().Handle(op, func(c huma.Context) {
		q, w := humago.Unwrap(c)
		in, err := reads.read(c, q)
		var result any
		if err == nil {
			result, err = x.fn(q.Context(), w, q, in)
		}
		write, isFunc := result.(func())
		switch {
		case err != nil:
			r.fail(w, err)
		case isFunc:
			write()
		case x.result == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			r.answer(c, w, result)
		}
	})
}

// answer writes the body of a response.
func (r *Router) answer(c huma.Context, w http.ResponseWriter, result any) {
	kind, err := r.api.Negotiate(c.Header("Accept"))
	if err != nil {
		r.fail(w, problem.New(http.StatusNotAcceptable, "not_acceptable", "the answers are JSON"))
		return
	}
	w.Header().Set("Content-Type", kind)
	_ = r.api.Marshal(w, kind, result) // in vain if the client has gone
}

// security is what every operation asks for: see package access.
var security = []map[string][]string{{"key": {}}}
