package middleware

import (
	"context"
	"encoding/hex"
	"io"
	"net/http"

	"github.com/zrankdb/zrank/internal/problem"
)

const (
	requestIDHeader = problem.RequestIDHeader
	maxRequestID    = 64
)

// identify makes what the middleware knows of each request, and gives it an ID.
func identify(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &request{id: requestID(o, r), route: o.Route(r), from: o.Client(r)}
		if q.id != "" {
			w.Header().Set(requestIDHeader, q.id)
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, q)))
	})
}

// requestID returns the ID that the client, or a proxy, has given a request, if it is one that can stand in a log; else 128 random bits in hex, and ""
// if there are none.
func requestID(o Options, r *http.Request) string {
	if id := r.Header.Get(requestIDHeader); isID(id) {
		return id
	}
	var b [16]byte
	if _, err := io.ReadFull(o.Random, b[:]); err != nil {
		return ""
	}
	return hex.EncodeToString(b[:])
}

// isID reports whether a text is 1 to maxRequestID letters, digits, dots, dashes and underscores.
func isID(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return s != "" && len(s) <= maxRequestID
}
