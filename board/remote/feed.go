package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// ErrFilter is returned by feeds for a filter with more than one member: a server takes one.
var ErrFilter = errors.New("remote: the filter of a feed has more than one member")

// Feed is board.Store.Feed. A caller that goes on after an error of the connection begins after the Position of the last event that it has had.
func (b *Boards) Feed(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return b.events(ctx, begin(after), filter, true)
}

// Events is board.Store.Events.
func (b *Boards) Events(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return b.events(ctx, begin(after), filter, false)
}

// FeedNew is Feed from now on: of what happens after the server has answered.
func (b *Boards) FeedNew(ctx context.Context, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return b.events(ctx, "", filter, true)
}

// begin returns a position as a parameter.
func begin(after feed.Position) string {
	if after == (feed.Position{}) {
		return "oldest"
	}
	return after.String()
}

// eventParams returns the parameters of a stream of events: of those from now on if after is "".
func eventParams(after string, f feed.Filter, wait bool) (url.Values, error) {
	q := url.Values{"wait": {fmt.Sprint(wait)}}
	set(q, "after", after)
	set(q, "boards", strings.Join(f.Boards, ","))
	set(q, "windows", strings.Join(f.Windows, ","))
	kinds := make([]string, len(f.Kinds))
	for i, k := range f.Kinds {
		kinds[i] = k.String()
	}
	set(q, "kinds", strings.Join(kinds, ","))
	if len(f.Members) > 1 {
		return nil, ErrFilter
	}
	for _, name := range f.Members {
		q.Set("member", boardjson.Text(name).String())
	}
	return q, nil
}

// set sets a parameter unless it is empty.
func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

func (b *Boards) events(ctx context.Context, after string, filter feed.Filter, wait bool) iter.Seq2[feed.Event, error] {
	return func(yield func(feed.Event, error) bool) {
		q, err := eventParams(after, filter, wait)
		if err != nil {
			yield(feed.Event{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		response, err := b.c.start(ctx, request{method: http.MethodGet, path: "/events", query: q, reads: true}, "text/event-stream")
		if err != nil {
			yield(feed.Event{}, err)
			return
		}
		defer response.Body.Close()
		err = readEvents(response.Body, func(name string, data []byte) (bool, error) {
			if name == "error" {
				return false, problemOf(http.StatusOK, "the stream has ended", data)
			}
			var e feed.Event
			if err := json.Unmarshal(data, &e); err != nil {
				return false, fmt.Errorf("remote: event: %w", err)
			}
			return yield(e, nil), nil
		})
		if err == nil && wait && ctx.Err() == nil {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			yield(feed.Event{}, err)
		}
	}
}

// maxEvent is the most bytes of a line of a stream.
const maxEvent = 1 << 20

// readEvents reads server-sent events and calls each with their names and their data, until that returns false or an error.
func readEvents(r io.Reader, each func(name string, data []byte) (bool, error)) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	name, data := "", []byte(nil)
	for lines.Scan() {
		line := lines.Bytes()
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0:
			if data != nil {
				if more, err := each(name, data); !more || err != nil {
					return err
				}
			}
			name, data = "", nil
		case string(field) == "event":
			name = string(value)
		case string(field) == "data":
			data = append(data, value...)
		}
	}
	return lines.Err()
}
