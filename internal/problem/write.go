package problem

import (
	"encoding/json"
	"net/http"
)

// RequestIDHeader is the header of a response that names its request.
const RequestIDHeader = "X-Request-Id"

// ofSuccess are headers that a handler may have set for the response that it could not give.
var ofSuccess = []string{"Content-Length", "Content-Encoding", "Content-Disposition", "Content-Range", "Etag", "Last-Modified"}

// Write answers a request with a problem, as http.Error does with a text. Fields that are empty and follow from others are filled; RequestID is
// taken from the response's header X-Request-Id if it is empty. Nothing of the response may have been written before. It must not be cached.
// If Details has no JSON, it is left out.
func Write(w http.ResponseWriter, p Problem) {
	p = p.complete()
	h := w.Header()
	for _, name := range ofSuccess {
		h.Del(name)
	}
	for name, values := range p.GetHeaders() {
		h[http.CanonicalHeaderKey(name)] = values
	}
	h.Set("Content-Type", MediaType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if p.RequestID == "" {
		p.RequestID = h.Get(RequestIDHeader)
	}
	body, err := json.Marshal(p)
	if err != nil {
		p.Details = nil
		body, _ = json.Marshal(p) // the other fields always have JSON
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // a client that has gone needs no answer
}
