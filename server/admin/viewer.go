package admin

import (
	"context"
	"net/http"
	"net/netip"
	"slices"

	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/session"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// viewer is who looks.
type viewer struct {
	who     access.Principal
	session *session.Session // nil: nobody is signed in
}

type viewerKey struct{}

// viewerOf returns who sends a request.
func viewerOf(r *http.Request) viewer {
	v, _ := r.Context().Value(viewerKey{}).(viewer)
	return v
}

// authenticate finds out who sends a request. It refuses nobody: pages that need more say so.
func (h *Handler) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := viewer{session: h.sessions.Of(r)}
		switch {
		case v.session != nil:
			v.who = v.session.Who
		case h.o.Open:
			if err := access.CheckHost(r, h.o.Hosts); err != nil {
				http.Error(w, "This server does not know itself by that name.", http.StatusForbidden)
				return
			}
			v.who = access.Anybody(access.Read)
			if len(h.o.Keys) == 0 {
				v.who = access.Anybody(access.Moderate)
			}
		}
		if v.session != nil {
			middleware.SetCaller(r.Context(), middleware.Caller{ID: v.who.ID(), Label: v.who.ID()})
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), viewerKey{}, v)))
	})
}

// isSecure reports whether the browser has sent the request over TLS, to us or to a proxy that we trust.
func (h *Handler) isSecure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	trusted := err == nil && slices.ContainsFunc(h.o.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(from.Addr().Unmap()) })
	return trusted && r.Header.Get("X-Forwarded-Proto") == "https"
}
