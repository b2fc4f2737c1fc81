package routes

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/access"
)

// rights are the rights of callers that operations want.
var rights = map[ops.Right]access.Rights{ops.ToRead: access.Read, ops.ToSubmit: access.Submit, ops.ToModerate: access.Moderate, ops.ToAdminister: access.All}

// registerTable registers the operations of the table: reads for rankings of windows, pinned ones and stored unions.
func registerTable(r *Router) {
	for _, op := range ops.All() {
		if !op.IsRead() {
			registerOp(r, op)
			continue
		}
		w := who{rights: access.Read, player: op.Own}
		at[ops.Locator](r, op, "Window", "/v1/boards/{board}/windows/{window}/", "Rankings", w)
		at[InPin](r, op, "Pin", "/v1/pins/{pin}/", pinned, someone) // who has pinned it might read the board
		at[ops.UnionLocator](r, op, "Union", "/v1/unions/{union}/", stored, everybody)
	}
}

// registerOp registers an operation that is no read.
func registerOp(r *Router, op *ops.Op) {
	w := who{rights: rights[op.Right], player: op.Own}
	after := r.after()[op]
	r.register(route{Operation: operation(op.ID, op.Method()+" /v1"+op.Path(), op.Heading, op.Summary), inputs: []reflect.Type{op.Args()},
		result: op.Result(), trusts: op.Trusts,
		fn: func(ctx context.Context, _ http.ResponseWriter, _ *http.Request, in []any) (any, error) {
			if err := w.check(ctx, in[0]); err != nil {
				return nil, err
			}
			result := op.NewResult()
			err := op.Do(ctx, r.env(ctx), in[0], result)
			if err == nil && after != nil {
				err = after(in[0], result)
			}
			return result, err
		}})
}

// after returns what this door does after operations that have succeeded.
func (r *Router) after() map[*ops.Op]func(args, result any) error {
	return map[*ops.Op]func(args, result any) error{
		ops.DropBoard.Op: func(args, _ any) error {
			if r.drops != nil {
				r.drops.note(args.(*ops.OnBoard).Board, r.Clock())
			}
			return nil
		},
		ops.Submit.Op: func(args, result any) error {
			return r.keys.check(args.(*ops.SubmitArgs), result.(*ops.Submitted).Duplicate)
		},
	}
}

// locator is the input of a read that names the ranking.
type locator interface {
	Ranking(ctx context.Context, e *ops.Env) (board.Ranking, error)
}

// at registers a read of rankings that L names.
func at[L any](r *Router, op *ops.Op, name, path, heading string, w who) {
	prefix := "get"
	if op.Method() == http.MethodPost {
		prefix = "post"
	}
	o := operation(prefix+name+op.ID, op.Method()+" "+path+op.Path(), heading, op.Summary)
	inputs := []reflect.Type{reflect.TypeFor[L](), op.Args()}
	_, tags := any(new(L)).(*ops.Locator)
	if tags = tags && prefix == "get"; tags {
		inputs = append(inputs, reflect.TypeFor[Match]())
	}
	x := route{Operation: o, inputs: inputs, result: op.Result()}
	x.fn = func(ctx context.Context, rw http.ResponseWriter, _ *http.Request, in []any) (any, error) {
		if err := w.check(ctx, in[:2]...); err != nil {
			return nil, err
		}
		if tags {
			if tag, same := r.tag(ctx, in[0].(*ops.Locator), in[2].(*Match).IfNoneMatch); tag != "" {
				rw.Header().Set("ETag", tag)
				if same {
					return func() { rw.WriteHeader(http.StatusNotModified) }, nil
				}
			}
		}
		e := r.env(ctx)
		k, err := in[0].(locator).Ranking(ctx, e)
		if err != nil {
			return nil, err
		}
		result := op.NewResult()
		return result, op.Read(ctx, e, k, in[1], result)
	}
	if tags {
		x.Responses = map[string]*huma.Response{"304": {Description: "The answer is the one with the ETag of If-None-Match", Headers: tagHeader}}
	}
	r.register(x)
}
