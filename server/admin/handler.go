package admin

import (
	"context"
	"net/http"

	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
	"github.com/zrankdb/zrank/server/admin/internal/pages"
	"github.com/zrankdb/zrank/server/admin/internal/session"
	"github.com/zrankdb/zrank/server/admin/internal/view"
	"github.com/zrankdb/zrank/server/internal/live"
)

// Handler is the pages: an http.Handler for all paths below the root. A program that mounts it below another path strips that: see http.StripPrefix. Any
// goroutine may use it.
type Handler struct {
	http.Handler
	o        Options
	site     *pages.Site
	views    *view.Views
	sessions *session.Store
	guard    *access.Guard
	tops     *live.Tops
	budget   *figures.Budget
	life     context.Context
	end      context.CancelFunc
}

// Close ends the streams of pages that are open, so that http.Server.Shutdown need not wait for them: server.RegisterOnShutdown(func() { h.Close() }). It
// closes no boards.
func (h *Handler) Close() error {
	h.end()
	return nil
}
