package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/api/internal/routes"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// Handler is the API: an http.Handler for all paths that begin with /v1/. A program that mounts it below another path strips that. Any goroutine may use it.
type Handler struct {
	http.Handler
	document []byte
	end      context.CancelFunc
}

// New returns the API of boards, of whichever home. Errors: ErrOptions; those of Options.Registerer and Options.Random.
func New(boards board.Store, o Options) (*Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	guard, err := access.New(o.access())
	if err != nil {
		return nil, err
	}
	var opening [16]byte
	if _, err := io.ReadFull(o.Random, opening[:]); err != nil {
		return nil, fmt.Errorf("api: no random bytes: %w", err)
	}
	life, end := context.WithCancel(context.Background())
	h := &Handler{end: end}
	mux := http.NewServeMux()
	router := routes.New(mux, routes.Options{Boards: boards, Tickets: guard.Tickets(), Logger: o.Logger, Clock: o.Clock, Random: o.Random, Opening: opening, Version: version(), Life: life,
		MaxRows: o.MaxRows, MaxBody: o.MaxBody, MaxPins: o.MaxPins, PinRows: o.MaxPinRows, PinTime: o.PinTime, StreamTimeout: o.StreamTimeout})
	if h.document, err = json.Marshal(router.OpenAPI()); err != nil {
		return nil, err
	}
	mux.HandleFunc("GET "+documentPath, h.openAPI)
	mux.Handle("/", noRoute{mux})
	h.Handler, err = middleware.Wrap(mux, middleware.Options{
		Route: func(r *http.Request) middleware.Route { return routeOf(mux, r) }, Client: guard.Client, Limiter: o.Limiter, Origins: o.Origins, MaxBody: o.MaxBody, Body: routes.Body,
		Timeout: o.Timeout, MaxStreams: o.MaxStreams, StreamTimeout: o.StreamTimeout, Registerer: o.Registerer, Logger: o.Logger, Clock: o.Clock, Random: o.Random,
		Authenticate: func(next http.Handler) http.Handler { return authenticate(guard, next) },
	})
	return h, err
}

// Close ends all streams of events, so that http.Server.Shutdown need not wait for them: server.RegisterOnShutdown(func() { h.Close() }). Other requests go
// on. It closes no boards.
func (h *Handler) Close() error {
	h.end()
	return nil
}

// OpenAPI returns the document that describes the API, as GET /v1/openapi.json does: OpenAPI 3.1 as JSON. The caller must not change it.
func (h *Handler) OpenAPI() []byte { return h.document }

const documentPath = "/v1/openapi.json"

func (h *Handler) openAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/vnd.oai.openapi+json;version=3.1")
	_, _ = w.Write(h.document)
}

// noRoute answers requests that no operation takes.
type noRoute struct{ mux *http.ServeMux }

// ServeHTTP implements http.Handler.
func (n noRoute) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete} {
		other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := n.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		problem.Write(w, *problem.New(http.StatusNotFound, "no_route", "there is no "+r.URL.Path+": see "+documentPath))
		return
	}
	p := problem.New(http.StatusMethodNotAllowed, "no_method", r.Method+" is not one of "+strings.Join(allowed, ", "))
	p.Header = http.Header{"Allow": allowed}
	problem.Write(w, *p)
}

// routeOf says how the middleware treats a request.
func routeOf(mux *http.ServeMux, r *http.Request) middleware.Route {
	_, pattern := mux.Handler(r)
	_, path, _ := strings.Cut(pattern, " ")
	route := middleware.Route{Pattern: path, Unlimited: path == documentPath}
	switch {
	case path == "/v1/events" || strings.HasSuffix(path, "/stream"):
		route.Kind = middleware.Events
	case strings.HasSuffix(path, "/export"):
		route.Kind = middleware.Export
	}
	return route
}

// authenticate passes on the requests of callers whom the guard knows.
func authenticate(guard *access.Guard, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, err := guard.Authenticate(r)
		if err != nil {
			problem.Write(w, *refusal(err))
			return
		}
		caller := middleware.Caller{ID: who.ID(), Label: who.ID()}
		if who.IsPlayer() {
			caller.Label, caller.MaxStreams = "player", MaxPlayerStreams // names of members must not be in logs, which no erasure reaches
		} else if !who.IsKey() {
			caller.ID = "" // everybody: by address
		}
		middleware.SetCaller(r.Context(), caller)
		next.ServeHTTP(w, r.WithContext(access.NewContext(r.Context(), who)))
	})
}

// refusal returns the problem of a request whose caller is not let in.
func refusal(err error) *problem.Problem {
	throttled := new(access.ThrottledError)
	switch {
	case errors.As(err, &throttled):
		p := problem.New(http.StatusTooManyRequests, "throttled", err.Error())
		p.RetryAfter = problem.Seconds(throttled.RetryAfter)
		return p
	case errors.Is(err, access.ErrForbidden):
		return problem.New(http.StatusForbidden, "forbidden", err.Error())
	}
	p := problem.New(http.StatusUnauthorized, "unauthorized", err.Error())
	p.Header = http.Header{"Www-Authenticate": {access.Challenge}}
	return p
}

// version returns the version of the module that has this package.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/zrankdb/zrank" {
				return cmp.Or(m.Version, "(devel)")
			}
		}
	}
	return "(devel)"
}
