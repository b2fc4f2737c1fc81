package routes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/internal/live"
	"github.com/zrankdb/zrank/server/internal/middleware"
)

// EventsOf selects events of the feed.
type EventsOf struct {
	Boards  []string `query:"boards" doc:"Names of boards, with commas between them; absent: all."`
	Windows []string `query:"windows" doc:"Names of windows; absent: all."`
	Member  string   `query:"member,text" doc:"Whom the events are about; absent: anybody. A player must name itself."`
	Kinds   []string `query:"kinds" doc:"Kinds of events, such as overtaken; absent: all."`
	After   string   `query:"after" doc:"The position behind which to begin: that of the last event that was seen, or oldest. Absent: now."`
	Wait    bool     `query:"wait" default:"true" doc:"false: end the stream behind the last event that is there."`
	LastID  string   `header:"Last-Event-ID" doc:"As after; browsers send it when they connect again."`
}

// TopStreamOf is the rows that a client watches.
type TopStreamOf struct {
	ops.OnWindow
	ops.Moded
	N      int    `query:"n" default:"10" minimum:"1" doc:"How many rows at most."`
	LastID string `header:"Last-Event-ID" doc:"The id of the rows that the client has: they are not sent again."`
}

// registerEvents registers streams of server-sent events.
func registerEvents(r *Router) {
	stream(r, operation("streamEvents", "GET /v1/events", "Feed", "The feed as server-sent events: each has its kind as its name, and its position as its id. A stream that fell behind what the server keeps ends with an event error"),
		someOwn, func(ctx context.Context, in *EventsOf) (func(context.Context, *live.Stream) error, error) {
			after, read, err := r.events(ctx, in)
			return func(ctx context.Context, s *live.Stream) error {
				if after != (feed.Position{}) {
					if err := s.Mark(after.String()); err != nil {
						return err
					}
				}
				return sendEvents(s, read(ctx))
			}, err
		})
	stream(r, operation("streamTop", "GET /v1/boards/{board}/windows/{window}/top/stream", "Feed", "The first rows of the live ranking as server-sent events, whenever they change, and at most five times a second: each event top has what GET top answers"),
		everybody, func(ctx context.Context, in *TopStreamOf) (func(context.Context, *live.Stream) error, error) {
			read, err := r.topRows(ctx, in)
			return func(ctx context.Context, s *live.Stream) error { return r.sendTops(ctx, s, in, read) }, err
		})
}

// stream registers an operation that answers with server-sent events. open checks the request before the response begins, and returns what sends.
func stream[I any](r *Router, op huma.Operation, w who, open func(ctx context.Context, in *I) (func(context.Context, *live.Stream) error, error)) {
	op.Responses = map[string]*huma.Response{"200": {Description: "A stream of events", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	raw(r, op, w, func(ctx context.Context, rw http.ResponseWriter, request *http.Request, in *I) (func(), error) {
		send, err := open(ctx, in)
		return func() {
			path := request.URL.Path
			middleware.ServeEvents(rw, request, r.Life, r.StreamTimeout, func(ctx context.Context, s *live.Stream) { r.sendAll(ctx, path, s, send) })
		}, err
	})
}

// sendAll sends events until there are no more or the stream ends, and says why it ends.
func (r *Router) sendAll(ctx context.Context, path string, s *live.Stream, send func(context.Context, *live.Stream) error) {
	err := send(ctx, s)
	if r.Life.Err() != nil {
		err = middleware.ErrClosing
	}
	if err == nil || live.IsGone(ctx) || errors.Is(err, context.Canceled) {
		return
	}
	r.Logger.Info("stream ended", "path", path, "reason", err)
	if text, bad := json.Marshal(r.problem(err)); bad == nil {
		_ = s.Send("error", "", text) // in vain if the client does not read
	}
}

// events returns where the selected events begin, and what reads them.
func (r *Router) events(ctx context.Context, in *EventsOf) (after feed.Position, read func(context.Context) iter.Seq2[feed.Event, error], err error) {
	end, err := r.Boards.FeedEnd(ctx)
	if err == nil {
		err = in.allowed(ctx)
	}
	if err != nil {
		return after, nil, err
	}
	filter := feed.Filter{Boards: in.Boards, Windows: in.Windows}
	if in.Member != "" {
		filter.Members = []string{in.Member}
	}
	for _, name := range in.Kinds {
		kind, err := feed.ParseKind(name)
		if err != nil {
			return after, nil, err
		}
		filter.Kinds = append(filter.Kinds, kind)
	}
	if after, err = in.position(end); err != nil {
		return after, nil, err
	}
	return after, func(ctx context.Context) iter.Seq2[feed.Event, error] {
		if in.Wait {
			return r.Boards.Feed(ctx, after, filter)
		}
		return r.Boards.Events(ctx, after, filter)
	}, nil
}

// allowed returns ErrForbidden for events that the caller may not see.
func (in *EventsOf) allowed(ctx context.Context) error {
	p := access.FromContext(ctx)
	if p.IsPlayer() && !p.Is(in.Member) {
		return fmt.Errorf("%w: players may read events about themselves", access.ErrForbidden)
	}
	for _, name := range in.Boards {
		if err := p.Need(access.Read, name); err != nil {
			return err
		}
	}
	if len(in.Boards) == 0 {
		return p.Need(access.Read, "")
	}
	return nil
}

// position returns where the stream begins, at the end unless the caller says otherwise.
func (in *EventsOf) position(end feed.Position) (feed.Position, error) {
	text := in.After
	if in.LastID != "" { // the client has gone on since it asked with after
		text = in.LastID
	}
	switch text {
	case "":
		return end, nil
	case "oldest":
		return feed.Position{}, nil
	}
	return feed.ParsePosition(text)
}

// sendEvents sends events until there are no more, or an error.
func sendEvents(s *live.Stream, all iter.Seq2[feed.Event, error]) error {
	for e, err := range all {
		if err != nil {
			return err
		}
		text, err := json.Marshal(e)
		if err == nil {
			err = s.Send(e.Kind.String(), e.Position.String(), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// topRows returns what reads the rows of a request, for all who watch them. Errors: those of a first read.
func (r *Router) topRows(ctx context.Context, in *TopStreamOf) (func() ([]byte, error), error) {
	read := func(ctx context.Context) ([]byte, error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return nil, err
		}
		k, err := b.Live(ctx, in.Window)
		if errors.Is(err, board.ErrOutside) { // between two seasons
			return boardjson.AppendAny(nil, ops.Rows{})
		}
		if err != nil {
			return nil, err
		}
		var rows ops.Rows
		if err := ops.Top.Read(ctx, r.env(ctx), k.By(in.Mode), &ops.TopArgs{N: in.N}, &rows); err != nil {
			return nil, err
		}
		return boardjson.AppendAny(nil, rows)
	}
	_, err := read(ctx)
	return func() ([]byte, error) { return read(r.Life) }, err
}

// sendTops sends the rows of a request whenever they are others.
func (r *Router) sendTops(ctx context.Context, s *live.Stream, in *TopStreamOf, read func() ([]byte, error)) error {
	current, leave := r.tops.Watch(strings.Join([]string{in.Board, in.Window, in.Mode.String(), fmt.Sprint(in.N)}, "\x00"), read)
	defer leave()
	last := in.LastID
	for {
		top, err := current(ctx)
		if err == nil {
			err = top.Err
		}
		if err != nil {
			return err
		}
		if top.ID != last {
			if err := s.Send("top", top.ID, top.Data); err != nil {
				return err
			}
			last = top.ID
		}
		select {
		case <-top.Next():
		case <-ctx.Done():
			return nil
		}
	}
}
