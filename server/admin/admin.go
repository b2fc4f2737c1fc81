package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
	"github.com/zrankdb/zrank/server/admin/internal/pages"
	"github.com/zrankdb/zrank/server/admin/internal/session"
	"github.com/zrankdb/zrank/server/admin/internal/view"
	"github.com/zrankdb/zrank/server/internal/live"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// New returns the pages of boards, of whichever home. Close ends it. Errors: ErrOptions.
func New(boards board.Store, o Options) (*Handler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	guard, err := access.New(o.guard())
	if err != nil {
		return nil, err
	}
	views, err := view.New()
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	h := &Handler{o: o, views: views, guard: guard, sessions: session.New(o.Clock, o.Random), life: life, end: end,
		tops: live.NewTops(life, o.Refresh, nil), budget: figures.NewBudget(time.Now)}
	var limits []pages.Limiter
	for _, l := range o.Limits {
		limits = append(limits, pages.Limiter(l))
	}
	h.site = &pages.Site{Boards: boards, Local: o.Local, Queues: o.Queues, Limits: limits, Backups: o.Backups, Clock: o.Clock, Rates: figures.NewRates(time.Now)}
	if o.Local != nil {
		h.site.Engine = o.Local.Engine()
	}
	h.site.History = figures.NewHistory(life, h.site.Engine, time.Now)
	mux := h.routes()
	around := o.middleware()
	around.Route = func(r *http.Request) middleware.Route { return routeOf(mux, r) }
	around.Client, around.Authenticate = guard.Client, h.authenticate
	inner, err := middleware.Wrap(mux, around)
	if err != nil {
		end()
		return nil, err
	}
	h.Handler = secure(inner)
	return h, nil
}

const livePath = "/live/"

// routes returns the paths of the handler.
func (h *Handler) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { redirect(w, "overview") })
	mux.HandleFunc("GET /assets/", view.ServeAsset)
	mux.HandleFunc("GET /figures", h.figures)
	mux.HandleFunc("GET /signin", h.showSignIn)
	mux.HandleFunc("POST /signin", h.signIn)
	mux.HandleFunc("POST /signout", h.signOut)
	mux.HandleFunc("POST /act", h.act)
	mux.HandleFunc("POST /spec", h.migrate)
	for _, p := range pages.All() {
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, r *http.Request) { h.show(w, r, p) })
		if p.Live {
			mux.HandleFunc("GET "+livePath+p.Name, func(w http.ResponseWriter, r *http.Request) { h.follow(w, r, p) })
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.problem(w, r, http.StatusNotFound, "There is no such page.")
	})
	return mux
}

// routeOf says how the middleware treats a request.
func routeOf(mux *http.ServeMux, r *http.Request) middleware.Route {
	_, pattern := mux.Handler(r)
	route := middleware.Route{Pattern: pattern}
	if len(r.URL.Path) > len(livePath) && r.URL.Path[:len(livePath)] == livePath {
		route.Kind = middleware.Events
	}
	return route
}
