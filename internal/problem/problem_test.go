package problem

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func written(t *testing.T, p Problem, before func(h http.Header)) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	if before != nil {
		before(w.Header())
	}
	Write(w, p)
	require.Equal(t, MediaType, w.Header().Get("Content-Type"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	return w
}

// TestWrite: the body has the fields of RFC 9457 and ours, and nothing for those that are empty.
func TestWrite(t *testing.T) {
	w := written(t, Problem{Status: 404, Code: "no_board", Detail: `no board "arena"`}, nil)
	require.Equal(t, 404, w.Code)
	require.JSONEq(t, `{"type": "urn:zrank:problem:no_board", "title": "Not Found", "status": 404, "detail": "no board \"arena\"", "code": "no_board"}`, w.Body.String())
	require.Empty(t, w.Header().Get("Retry-After"))

	w = written(t, Problem{Status: 429, Code: "rate_limited", Title: "Slower", Type: "about:blank", RetryAfter: 7, Details: map[string]int{"limit": 3},
		Errors: []FieldError{{"body.member", "empty"}}, Header: http.Header{"www-authenticate": {"Bearer"}}}, nil)
	require.JSONEq(t, `{"type": "about:blank", "title": "Slower", "status": 429, "code": "rate_limited", "retryAfter": 7, "details": {"limit": 3},
		"errors": [{"location": "body.member", "message": "empty"}]}`, w.Body.String())
	require.Equal(t, "7", w.Header().Get("Retry-After"))
	require.Equal(t, "Bearer", w.Header().Get("WWW-Authenticate"))
}

// TestWriteReplacesAnAnswer: headers of the answer that the handler had begun are gone, others stay, and the request is named.
func TestWriteReplacesAnAnswer(t *testing.T) {
	w := written(t, Problem{Status: 500, Code: "internal"}, func(h http.Header) {
		for _, name := range []string{"Content-Length", "Content-Encoding", "ETag", "Last-Modified", "Content-Type", RequestIDHeader, "Vary"} {
			h.Set(name, "7")
		}
	})
	for _, name := range []string{"Content-Length", "Content-Encoding", "ETag", "Last-Modified"} {
		require.NotContains(t, w.Header(), http.CanonicalHeaderKey(name))
	}
	require.Equal(t, "7", w.Header().Get("Vary"))
	require.Contains(t, w.Body.String(), `"requestId":"7"`)
	w = written(t, Problem{Status: 500, RequestID: "own"}, func(h http.Header) { h.Set(RequestIDHeader, "7") })
	require.Contains(t, w.Body.String(), `"requestId":"own"`)
}

// TestWriteAlwaysAnswers: impossible statuses and details without JSON still give a problem.
func TestWriteAlwaysAnswers(t *testing.T) {
	for _, status := range []int{-1, 0, 100, 200, 304, 399, 600, 10000} {
		w := written(t, Problem{Status: status}, nil)
		require.Equal(t, 500, w.Code)
		require.JSONEq(t, `{"type": "urn:zrank:problem:internal", "title": "Internal Server Error", "status": 500, "code": "internal"}`, w.Body.String())
	}
	for _, details := range []any{math.NaN(), make(chan int), map[string]any{"f": func() {}}} {
		w := written(t, Problem{Status: 409, Code: "closed", Detail: "d", Details: details}, nil)
		require.JSONEq(t, `{"type": "urn:zrank:problem:closed", "title": "Conflict", "status": 409, "detail": "d", "code": "closed"}`, w.Body.String())
	}
}

// TestError: a *Problem is what huma wants of an error.
func TestError(t *testing.T) {
	var err error = fmt.Errorf("wrapped: %w", New(403, "forbidden", "only its own card"))
	var status interface {
		GetStatus() int
		Error() string
	}
	require.True(t, errors.As(err, &status))
	require.Equal(t, 403, status.GetStatus())
	require.Equal(t, "only its own card", status.Error())
	var headers interface {
		GetHeaders() http.Header
		Error() string
	}
	require.True(t, errors.As(err, &headers))
	require.Empty(t, headers.GetHeaders())
	p := New(429, "rate_limited", "")
	require.Equal(t, "Too Many Requests", p.Error())
	require.Equal(t, "urn:zrank:problem:rate_limited", p.Type)
	require.Equal(t, 500, (&Problem{}).GetStatus())
	require.Equal(t, "Internal Server Error", (&Problem{}).Error())
	p.RetryAfter = 3
	require.Equal(t, http.Header{"Retry-After": {"3"}}, p.GetHeaders())
	require.Nil(t, p.Header, "GetHeaders changes nothing")
	require.Equal(t, MediaType, p.ContentType("application/json"))
	require.Equal(t, "application/cbor", p.ContentType("application/cbor"))
}

// TestSeconds: durations are rounded up to whole seconds, and are 1 at least.
func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]int64{
		-time.Hour: 1, -1: 1, 0: 1, 1: 1, time.Second - 1: 1, time.Second: 1, time.Second + 1: 2, 90 * time.Second: 90,
		math.MinInt64 + 1: 1, math.MaxInt64: math.MaxInt64/int64(time.Second) + 1,
	} {
		require.Equal(t, want, Seconds(d), "%v", d)
	}
}
