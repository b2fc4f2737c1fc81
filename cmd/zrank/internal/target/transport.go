package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/zrankdb/zrank/board/remote"
)

// transport makes the requests of a command. They end with the command's context, and the first one that the server has not answered is remembered.
type transport struct {
	ctx  context.Context
	base *http.Transport

	mu    sync.Mutex
	first error
}

// notOurs is the error for an answer that is not from the API.
type notOurs struct{ status string }

func (e *notOurs) Error() string { return "what answers is no zrank server: " + e.status }

// answers are the types of what the API answers.
var answers = []string{"application/json", "application/problem+json", "text/event-stream"}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })
	response, err := t.base.RoundTrip(r.WithContext(ctx))
	if err != nil {
		_ = t.failed(&url.Error{Op: r.Method, URL: r.URL.String(), Err: err})
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	redirect := response.StatusCode >= 300 && response.StatusCode < 400
	if response.StatusCode != http.StatusNoContent && !redirect && !slices.Contains(answers, kind) {
		_ = response.Body.Close()
		return nil, t.failed(&notOurs{response.Status})
	}
	if s := response.StatusCode; s == http.StatusUnauthorized || s == http.StatusTooManyRequests || s >= 500 {
		_ = t.failed(errors.New("the server answers " + response.Status))
	}
	return response, nil
}

// failed remembers the first error.
func (t *transport) failed(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.first = cmp.Or(t.first, err)
	return err
}

// failure returns the first error, unless the command was interrupted.
func (t *transport) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return nil
	}
	return t.first
}

// isFromServer reports whether an error says that the server has not answered, or that it has refused.
func isFromServer(err error) bool {
	return errors.As(err, new(*notOurs)) || errors.As(err, new(*url.Error)) || errors.As(err, new(*remote.Error))
}

// explain returns an error of a server in words of the command line.
func explain(addr, key string, err error) error {
	if other := new(notOurs); errors.As(err, &other) {
		return fmt.Errorf("--addr %s: %w", addr, other)
	}
	if sent := new(url.Error); errors.As(err, &sent) {
		return fmt.Errorf("no server answers at %s: %w", addr, sent.Err)
	}
	answer := new(remote.Error)
	if !errors.As(err, &answer) {
		return err
	}
	switch {
	case answer.Code == "":
		return fmt.Errorf("--addr %s: %w", addr, &notOurs{answer.Detail})
	case answer.Status == http.StatusUnauthorized && key == "":
		return fmt.Errorf("the server at %s wants a key: see --key-file and %s", addr, KeyEnv)
	case answer.Status == http.StatusUnauthorized:
		return fmt.Errorf("the server at %s does not know the key", addr)
	case answer.Code == "forbidden":
		return fmt.Errorf("the server at %s refuses: %w", addr, err)
	}
	return err
}
