package problem

import (
	"net/http"
	"strconv"
	"time"
)

const (
	// MediaType is the Content-Type of a problem.
	MediaType = "application/problem+json"
	// TypePrefix and a code are the type of a problem.
	TypePrefix = "urn:zrank:problem:"
)

// Problem is one error as the API answers it. *Problem is an error, and what huma calls a StatusError, a ContentTypeFilter and a HeadersError.
type Problem struct {
	Type       string       `json:"type" doc:"The kind of the problem: urn:zrank:problem: and the code." example:"urn:zrank:problem:no_board"`
	Title      string       `json:"title" doc:"What the status means, in English." example:"Not Found"`
	Status     int          `json:"status" doc:"The status of the response." example:"404"`
	Detail     string       `json:"detail,omitempty" doc:"What is wrong with this request, in English. The words may change." example:"no board \"arena\""`
	Code       string       `json:"code" doc:"The kind of the problem, for programs. It does not change." example:"no_board"`
	RetryAfter int64        `json:"retryAfter,omitempty" doc:"Seconds after which the same request may succeed, as in the header Retry-After." example:"7"`
	RequestID  string       `json:"requestId,omitempty" doc:"The request, as in the header X-Request-Id and in the log of the server."`
	Errors     []FieldError `json:"errors,omitempty" doc:"What is wrong with each part of the request."`
	Details    any          `json:"details,omitempty" doc:"Values that belong to the kind of the problem."`
	// Header are further headers of the response, such as WWW-Authenticate. Write sets them.
	Header http.Header `json:"-"`
}

// FieldError says what is wrong with one part of a request.
type FieldError struct {
	Location string `json:"location" doc:"The part: path, query, header or body, and the name in it." example:"body.member"`
	Message  string `json:"message" doc:"What is wrong with it, in English." example:"expected length >= 1"`
}

// New returns a problem with a status, a code and a detail. Type and Title follow from them.
func New(status int, code, detail string) *Problem {
	p := Problem{Status: status, Code: code, Detail: detail}
	p = p.complete()
	return &p
}

// Error returns the detail, or the title if there is none.
func (p *Problem) Error() string {
	if p.Detail != "" {
		return p.Detail
	}
	return p.complete().Title
}

// GetStatus returns the status of the response.
func (p *Problem) GetStatus() int { return p.complete().Status }

// ContentType returns the Content-Type of a response whose body would else have this one: JSON becomes problem+json.
func (p *Problem) ContentType(other string) string {
	if other == "application/json" {
		return MediaType
	}
	return other
}

// GetHeaders returns the headers of the response: Header, and Retry-After if the problem has one.
func (p *Problem) GetHeaders() http.Header {
	h := p.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(p.RetryAfter, 10))
	}
	return h
}

// complete returns the problem with what follows from other fields. A status that is no error becomes 500.
func (p Problem) complete() Problem {
	if p.Status < 400 || p.Status > 599 {
		p.Status = http.StatusInternalServerError
	}
	if p.Code == "" {
		p.Code = "internal"
	}
	if p.Type == "" {
		p.Type = TypePrefix + p.Code
	}
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	return p
}

// Seconds returns a duration in whole seconds, rounded up, and at least 1: a client that waits as long as Retry-After says does not come too
// early.
func Seconds(d time.Duration) int64 { return max(1, int64((d-1)/time.Second)+1) }
