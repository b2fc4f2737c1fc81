package routes

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/zrankdb/zrank/server/internal/live"
)

// New registers all operations.
func New(mux *http.ServeMux, o Options) *Router {
	r := &Router{Options: o, pins: newPins(o.Clock, o.Random, o.MaxPins, o.PinRows, o.PinTime), keys: newRetries(), tops: live.NewTops(o.Life, live.Interval, nil)}
	if o.Tickets != nil {
		r.drops = newDrops(o.Tickets.MaxLife())
	}
	r.api = humago.New(mux, config(o.Version))
	registerTable(r)
	registerPins(r)
	registerExport(r)
	registerTickets(r)
	registerEvents(r)
	describeFields(r.api.OpenAPI().Components.Schemas)
	if all, err := readExamples(examplesJSON); err == nil { // a test reads them too
		addExamples(r.api.OpenAPI(), all)
	}
	return r
}
