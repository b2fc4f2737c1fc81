package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"runtime/debug"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/server/api/internal/access"
	"github.com/zrankdb/zrank/server/api/internal/problem"
	"github.com/zrankdb/zrank/server/api/internal/routes"
)

// Handler is the API. Any goroutine may use it.
type Handler struct {
	o        Options
	guard    *access.Guard
	router   *routes.Router
	mux      *http.ServeMux
	document []byte
	life     context.Context // of the streams
	end      context.CancelFunc
}

// New returns the API of boards: those of an engine, board.StoreOf(boards), or those of a cluster. Errors: ErrOptions.
func New(boards board.Store, o Options) (*Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	guard, err := access.New(o.access())
	if err != nil {
		return nil, err
	}
	h := &Handler{o: o, guard: guard, mux: http.NewServeMux()}
	h.life, h.end = context.WithCancel(context.Background())
	h.router = routes.New(h.mux, routes.Options{Boards: boards, Tickets: guard.Tickets(), Logger: o.Logger, Clock: o.Clock, Random: o.Random, Version: version(), Life: h.life, MaxRows: o.MaxRows, MaxBody: o.MaxBody,
		MaxPins: o.MaxPins, PinTime: o.PinTime})
	if h.document, err = json.Marshal(h.router.OpenAPI()); err != nil {
		return nil, err
	}
	h.mux.HandleFunc("GET /v1/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.oai.openapi+json")
		_, _ = w.Write(h.document)
	})
	return h, nil
}

// Close ends all streams of events: http.Server.RegisterOnShutdown calls it, so that Shutdown does not wait for them. Other requests go on. It closes no
// boards.
func (h *Handler) Close() error {
	h.end()
	return nil
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who, err := h.guard.Authenticate(r)
	if err != nil {
		p := problem.New(http.StatusUnauthorized, "unauthorized", err.Error())
		p.Header = http.Header{"Www-Authenticate": {access.Challenge}}
		problem.Write(w, *p)
		return
	}
	h.mux.ServeHTTP(w, r.WithContext(access.NewContext(r.Context(), who)))
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
