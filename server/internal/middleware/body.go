package middleware

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/problem"
)

// expectBody gives the body of a request its deadline, before anything else looks at the request: to refuse one, the server first reads what is left
// of its body, and would wait for that for ever.
func expectBody(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hasBody(r) {
			// Sockets go by the real clock. The server removes the deadline once the body is there. An error: a recorder of tests, or a server of
			// another kind, without deadlines.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(o.Timeout))
		}
		next.ServeHTTP(w, r)
	})
}

// hasBody reports whether a request has a body, or may have one.
func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// bound reads the body of a request, which must be there within Options.Timeout, and gives the handler as long as the deadline of its context, unless
// the route is a stream. A handler gets whole bodies only: no client holds one up by sending slowly. Memory follows what a client has sent, not what
// it announces.
func bound(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route := of(r.Context()).route
		if hasBody(r) {
			body, p := readBody(w, r, cmp.Or(route.MaxBody, o.MaxBody))
			if p == nil && o.Body != nil {
				body, p = o.Body(body)
			}
			if p != nil {
				problem.Write(w, *p)
				return
			}
			r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		}
		if route.Kind == Answer {
			ctx, cancel := context.WithTimeout(r.Context(), o.Timeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}

// readBody returns the body of a request, or what is wrong with it.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *problem.Problem) {
	if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return nil, problem.New(http.StatusUnsupportedMediaType, CodeEncoding, "a body must not be compressed")
	}
	if r.ContentLength > limit {
		return nil, tooLarge(w, r, limit)
	}
	var b bytes.Buffer
	b.Grow(int(min(max(r.ContentLength, 0), 16<<10)))
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	var timeout net.Error
	switch {
	case err == nil:
		return b.Bytes(), nil
	case errors.As(err, &large):
		return nil, tooLarge(w, r, limit)
	case errors.As(err, &timeout) && timeout.Timeout():
		closeAfter(w, r)
		return nil, problem.New(http.StatusRequestTimeout, CodeBodyTimeout, "the body has not arrived in time")
	default:
		closeAfter(w, r)
		return nil, problem.New(http.StatusBadRequest, CodeBody, "the body has ended early, or is malformed")
	}
}

// closeAfter has the connection closed after the answer, so that the server neither reads what is left of the body nor takes it for a request. Over
// HTTP/2 only the stream ends.
func closeAfter(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
}

// tooLarge returns the problem of a body of more than limit bytes.
func tooLarge(w http.ResponseWriter, r *http.Request, limit int64) *problem.Problem {
	closeAfter(w, r)
	return problem.New(http.StatusRequestEntityTooLarge, CodeBodyTooLarge, fmt.Sprintf("a body has at most %d bytes here", limit))
}
