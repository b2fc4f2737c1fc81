package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/codes"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
	"github.com/zrankdb/zrank/server/admin/internal/pages"
	"github.com/zrankdb/zrank/server/admin/internal/session"
	"github.com/zrankdb/zrank/server/admin/internal/view"
	"github.com/zrankdb/zrank/server/internal/live"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// streamTimeout is how long a browser may take nothing of a stream before it is dropped.
const streamTimeout = 30 * time.Second

// request returns what a page must know of a request.
func request(r *http.Request) pages.Request {
	return pages.Request{Context: r.Context(), Who: viewerOf(r).who, Query: r.URL.Query()}
}

// show answers with a page.
func (h *Handler) show(w http.ResponseWriter, r *http.Request, p pages.Page) {
	q := request(r)
	data, err := read(h.site, q, p)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	x := h.page(r, p.Name, p.Title, data)
	x.Board = q.Query.Get("board")
	if titled, ok := data.(interface{ Title() string }); ok {
		x.Title = titled.Title()
	}
	if p.Live {
		x.Live = "live/" + p.Name + "?" + r.URL.RawQuery
	}
	h.write(w, r, http.StatusOK, x)
}

// read reads what a page shows. Error: ErrHidden, if the reader may read nothing at all.
func read(s *pages.Site, q pages.Request, p pages.Page) (any, error) {
	if q.Who.Rights() == 0 {
		return nil, pages.ErrHidden
	}
	return p.Read(s, q)
}

// page returns what every page shows of a request.
func (h *Handler) page(r *http.Request, name, title string, data any) view.Page {
	v := viewerOf(r)
	x := view.Page{Name: name, Title: title, Data: data, Site: h.o.Title, Keys: len(h.o.Keys) > 0, Here: here(r)}
	if v.session == nil {
		return x
	}
	x.SignedIn, x.Hidden = v.who.Name, map[string]bool{}
	for _, p := range pages.All() {
		x.Hidden[p.Name] = !p.Serves(v.who)
	}
	x.CanAct = v.who.Can(access.Moderate, r.URL.Query().Get("board"))
	if name == "spec" { // a migration is about all boards: others may follow the one
		x.CanAct = v.who.Can(access.All, "")
	}
	return x
}

// here returns the URL of a request, relative to the folder of the pages, to come back to.
func here(r *http.Request) string {
	if r.Method != http.MethodGet || len(r.URL.Path) < 2 {
		return "overview"
	}
	if r.URL.Path == "/signin" {
		return inside(r.URL.Query().Get("back"))
	}
	at := r.URL.Path[1:]
	if r.URL.RawQuery != "" {
		at += "?" + r.URL.RawQuery
	}
	return at
}

// inside returns a URL that is one of the pages: the one given, or the first.
func inside(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || u.Path == "" || strings.ContainsAny(back, "\\\r\n") || strings.Contains(u.Path, "/") {
		return "overview"
	}
	return back
}

// write writes a page.
func (h *Handler) write(w http.ResponseWriter, r *http.Request, status int, x view.Page) {
	var err error
	if s := viewerOf(r).session; s != nil {
		x.Message = h.sessions.Said(s)
		x.Token, err = h.sessions.Token(s)
	}
	var text []byte
	if err == nil {
		text, err = h.views.Write(x)
	}
	if err != nil {
		h.o.Logger.Error("page", "name", x.Name, "err", err)
		http.Error(w, "The page cannot be written.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// problemData is what the page of a problem shows.
type problemData struct {
	Text   string
	SignIn bool
}

// problem answers with a page that says what is wrong.
func (h *Handler) problem(w http.ResponseWriter, r *http.Request, status int, text string) {
	signIn := len(h.o.Keys) > 0 && viewerOf(r).session == nil
	h.write(w, r, status, h.page(r, "problem", http.StatusText(status), problemData{text, signIn}))
}

// fail answers with the page of an error.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	if status == http.StatusForbidden && viewerOf(r).session == nil && len(h.o.Keys) > 0 {
		redirect(w, "signin?"+url.Values{"back": {here(r)}}.Encode())
		return
	}
	if status == http.StatusInternalServerError {
		h.o.Logger.Error("page", "path", r.URL.Path, "err", err)
	}
	h.problem(w, r, status, err.Error())
}

// statusOf returns the status of an error.
func statusOf(err error) int {
	switch {
	case errors.Is(err, pages.ErrHidden), errors.Is(err, access.ErrForbidden):
		return http.StatusForbidden
	case errors.Is(err, pages.ErrInput):
		return http.StatusBadRequest
	case errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	}
	if row, ok := codes.Of(err); ok {
		return row.Status
	}
	return http.StatusInternalServerError
}

// figures answers with the figures of the engine over the last hour, for charts.
func (h *Handler) figures(w http.ResponseWriter, r *http.Request) {
	if !viewerOf(r).who.Can(access.Read, "") {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(figures.ColumnsOf(h.site.History.Samples()))
}

// follow answers with the moving part of a page, again and again: all who look at the same with the same rights get the same.
func (h *Handler) follow(w http.ResponseWriter, r *http.Request, p pages.Page) {
	q := request(r)
	q.Context, q.Again = h.life, true
	// The first read says whether the reader may have it; the others are for all who look.
	if _, err := read(h.site, q, p); err != nil {
		w.WriteHeader(statusOf(err))
		return
	}
	again := func() (any, error) { return p.Read(h.site, q) }
	if p.Open != nil {
		opened, err := p.Open(h.site, q)
		if err != nil {
			w.WriteHeader(statusOf(err))
			return
		}
		again = opened
	}
	html := func() ([]byte, error) {
		data, err := again()
		if err != nil {
			return nil, err
		}
		text, err := h.views.WriteLive(p.Name, data)
		if err != nil {
			return nil, err
		}
		return quoted(string(text))
	}
	key := p.Name + "\x00" + q.Who.ID() + "\x00" + q.Query.Encode()
	current, leave := h.tops.Watch(key, h.budget.Again(html))
	top, err := current(r.Context())
	if err == nil {
		err = top.Err
	}
	if err != nil { // a stream that has begun could not tell it
		leave()
		w.WriteHeader(statusOf(err))
		return
	}
	in := viewerOf(r).session
	if !middleware.ServeEvents(w, r, h.life, streamTimeout, func(ctx context.Context, s *live.Stream) {
		defer leave() // the stream may go on when this request is over
		h.send(ctx, s, in, current)
	}) {
		leave()
	}
}

// quoted returns a text as JSON, in one line.
func quoted(text string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // it is no part of a page
	err := enc.Encode(text)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// send sends the moving part of a page until it cannot be read, the browser has gone, or the session has ended in which it was asked for: nil for none.
func (h *Handler) send(ctx context.Context, s *live.Stream, in *session.Session, current func(context.Context) (*live.Top, error)) {
	sent := ""
	for {
		top, err := current(ctx)
		if err != nil || top.Err != nil || in != nil && !h.sessions.Lasts(in) {
			return // the browser asks again, and gets the status of the error: see follow
		}
		if top.ID != sent {
			if s.Send("page", top.ID, top.Data) != nil {
				return
			}
			sent = top.ID
		}
		select {
		case <-top.Next():
		case <-ctx.Done():
			return
		}
	}
}
