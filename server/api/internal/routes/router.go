package routes

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/internal/live"
)

// Options are for New. All are needed but Tickets.
type Options struct {
	Boards  board.Store
	Tickets *access.Tickets // nil: there are no tickets
	Logger  *slog.Logger
	Clock   func() time.Time
	Random  io.Reader       // random bytes for the ids of pinned rankings
	Opening [16]byte        // random, part of all ETags: those of another Router are others
	Version string          // of zrank, for the document
	Life    context.Context // ends the streams

	StreamTimeout time.Duration // how long a client of a stream may take for each write

	MaxRows int           // the most rows of an answer, and names of a request
	MaxBody int64         // the most bytes of a request
	MaxPins int           // the most pinned rankings at a time
	PinRows int           // the most members that they have together
	PinTime time.Duration // how long a pinned ranking stays after its last use
}

// Router is the operations of the API.
type Router struct {
	Options
	api  huma.API
	pins *pins
	keys *retries
	tops *live.Tops

	drops *drops // nil without tickets
}

// OpenAPI returns the document that describes the operations.
func (r *Router) OpenAPI() *huma.OpenAPI { return r.api.OpenAPI() }

// route is an operation of HTTP.
type route struct {
	huma.Operation
	inputs []reflect.Type // structs of arguments: see ops.ParamsOf and ops.Body
	result reflect.Type   // nil: none, or what fn writes itself
	trusts bool           // fn checks the body

	// fn does the operation: in points to structs of the types of inputs. A result of the type func() writes the response.
	fn func(ctx context.Context, w http.ResponseWriter, q *http.Request, in []any) (any, error)
}
