package middleware

import (
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// compressFrom is how many bytes an answer must have to be compressed: less fits in one packet.
const compressFrom = 1024

// compress compresses answers with text for clients that take gzip, and never server-sent events.
//
// The tag of an answer tells its content, and not its bytes: a strong ETag becomes a weak one where the answer is compressed, as nginx does it, and a
// handler compares If-None-Match weakly, as RFC 9110 section 13.1.2 says. So a client gets 304 for either form. (The suffix that package gzhttp can
// append would have to be removed again from If-None-Match.)
//
// The length of an answer is not blurred against BREACH: no page of another site can make a browser send a request with a key, which is in no cookie.
func compress(next http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ContentTypeFilter(isText),
		gzhttp.EnableZstd(false)) // an encoder of zstd holds megabytes
	if err != nil {
		return nil, err
	}
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if of(r.Context()).route.Kind == Events {
			next.ServeHTTP(w, r)
			return
		}
		compressed.ServeHTTP(&weakTagger{ResponseWriter: w}, r)
	}), nil
}

// isText reports whether answers of a Content-Type are worth compressing.
func isText(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil || t == "text/event-stream" {
		return false
	}
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "json") || t == "application/openmetrics-text"
}

// weakTagger is a ResponseWriter that makes the tags of compressed answers weak.
type weakTagger struct {
	http.ResponseWriter
	begun bool
}

// begin changes the headers before they are written.
func (t *weakTagger) begin() {
	if t.begun {
		return
	}
	t.begun = true
	h := t.Header()
	if tag := h.Get("Etag"); h.Get("Content-Encoding") == "gzip" && strings.HasPrefix(tag, `"`) {
		h.Set("Etag", "W/"+tag)
	}
}

// WriteHeader implements http.ResponseWriter.
func (t *weakTagger) WriteHeader(status int) {
	if status >= 200 {
		t.begin()
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (t *weakTagger) Write(b []byte) (int, error) {
	t.begin()
	return t.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (t *weakTagger) Flush() { _ = t.FlushError() }

// FlushError is for http.ResponseController.
func (t *weakTagger) FlushError() error {
	t.begin()
	return http.NewResponseController(t.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (t *weakTagger) Unwrap() http.ResponseWriter { return t.ResponseWriter }
