package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/boardjson"
	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/internal/wire"
)

// ErrURL is returned by New for a URL that is no http or https URL of a server.
var ErrURL = errors.New("remote: not the URL of a server")

// Options are for New.
type Options struct {
	// Key is a server key, or the token of a player. "": the server is open.
	Key string
	// HTTP makes the requests. nil: http.DefaultClient.
	HTTP *http.Client
}

// client makes requests.
type client struct {
	base string // of the URL, without a slash at the end
	o    Options
}

// request is a request that is to be made.
type request struct {
	method string
	path   string
	query  url.Values
	header http.Header
	body   any  // nil: none
	reads  bool // it changes nothing, though its method may
}

// requestOf returns the request of an operation with arguments. place is its path below /v1, or begins that of a read.
func requestOf(op *ops.Op, place string, query url.Values, args any) request {
	q := request{method: op.Method(), path: place, query: query, body: ops.Body(args), reads: !op.Changes()}
	if q.query == nil {
		q.query = url.Values{}
	}
	q.path = q.set(q.path, args)
	return q
}

// set sets the parameters of arguments, and returns a path with its own.
func (q *request) set(path string, args any) string {
	params := ops.ParamsOf(reflect.TypeOf(args).Elem())
	for i := range params {
		p := &params[i]
		text := p.Text(args)
		switch {
		case p.In == ops.InPath:
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(text), 1)
		case text == "":
		case p.In == ops.InQuery:
			q.query.Set(p.Name, text)
		default:
			q.header = http.Header{p.Name: {text}}
		}
	}
	return path
}

// call does an operation.
func call[A, R any](ctx context.Context, c *client, op ops.Typed[A, R], args A) (out R, err error) {
	err = c.do(ctx, requestOf(op.Op, op.Path(), nil, &args), &out)
	return out, err
}

// do does an operation that answers nothing.
func do[A any](ctx context.Context, c *client, op ops.Typed[A, ops.None], args A) error {
	_, err := call(ctx, c, op, args)
	return err
}

// lost returns the error of a request whose answer has not come. Whatever it changes may have been changed, unless there was no connection.
func (q request) lost(err error) error {
	dial := new(net.OpError)
	if q.reads || errors.As(err, &dial) && dial.Op == "dial" {
		return fmt.Errorf("remote: %s %s: %w", q.method, q.path, err)
	}
	return fmt.Errorf("remote: %s %s: %w: %w", q.method, q.path, board.ErrUndecided, err)
}

// start makes a request and returns its response. Errors: *Error; those of the connection.
func (c *client) start(ctx context.Context, q request, accept string) (*http.Response, error) {
	var body io.Reader
	if q.body != nil {
		text, err := boardjson.AppendFields(nil, q.body)
		if err != nil {
			return nil, fmt.Errorf("remote: %w", err)
		}
		body = bytes.NewReader(text)
	}
	address := c.base + "/v1" + q.path
	if len(q.query) > 0 {
		address += "?" + q.query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, q.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	if q.header != nil {
		r.Header = q.header
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", accept)
	if c.o.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	response, err := c.o.HTTP.Do(r)
	if err != nil {
		return nil, q.lost(err)
	}
	if response.StatusCode >= 400 {
		defer response.Body.Close()
		return nil, errorOf(response)
	}
	return response, nil
}

// do makes a request and reads the body of its response, if it has one, into out.
func (c *client) do(ctx context.Context, q request, out any) error {
	response, err := c.start(ctx, q, "application/json")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && len(text) > 0 {
		err = boardjson.ReadAny(text, out)
	}
	if err != nil {
		return q.lost(err)
	}
	return nil
}

// maxError is the most bytes of a problem that are read.
const maxError = 1 << 20

// errorOf reads the problem of a response.
func errorOf(r *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(r.Body, maxError))
	if err != nil {
		return fmt.Errorf("remote: %s: %w", r.Status, err)
	}
	return problemOf(r.StatusCode, r.Status, text)
}

// problemOf returns a problem as an error. otherwise is its detail if it is none.
func problemOf(status int, otherwise string, text []byte) error {
	e := &Error{Status: status, Detail: otherwise}
	var p struct {
		problem.Problem
		Details *wire.Details `json:"details"`
	}
	if json.Unmarshal(text, &p) != nil || p.Code == "" {
		return e
	}
	e.Status, e.Code, e.Detail, e.RequestID = p.Status, p.Code, p.Problem.Error(), p.RequestID
	for _, field := range p.Errors {
		e.Detail += "; " + field.Location + ": " + field.Message
	}
	if known := wire.ErrorOf(p.Code); known != nil {
		e.wrapped = append(p.Details.Errors(known), known)
	}
	return e
}
