package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/api"
	"github.com/zrankdb/zrank/server/resp"
)

// noon is the time at which every measurement begins: far from the end of a day and of a week.
var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// system is a board and how callers reach it.
type system struct {
	e      *engine.Engine
	boards *local.Boards
	arena  board.Board
	addr   string // of the server; "": there is none
	call   func(id int, c call, member string, score int64) error
	stop   func() error
}

// key is the server key of the API.
var key = strings.Repeat("k", 32)

// open opens a board, and the server of a system.
func open(o bench.Options) (s *system, err error) {
	begin := time.Now()
	s = &system{stop: func() error { return nil }}
	if s.e, err = engine.New(engine.Options{Clock: func() time.Time { return noon.Add(time.Since(begin)) }}); err != nil {
		return nil, err
	}
	if s.boards, err = local.Open(s.e, local.Options{}); err != nil {
		return nil, errors.Join(err, s.e.Close())
	}
	s.arena, err = s.boards.Define(context.Background(), board.Spec{Name: "arena", Windows: []board.Window{board.All, board.Day, board.Week}, Feed: &board.Feed{}})
	if err == nil {
		switch o.System {
		case overRESP:
			err = s.serveRESP()
		case overHTTP:
			err = s.serveHTTP(o.Callers)
		default:
			err = s.inProcess()
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *system) close() error { return errors.Join(s.stop(), s.boards.Close(), s.e.Close()) }

func (s *system) inProcess() error {
	ctx := context.Background()
	week, err := s.arena.Live(ctx, "week")
	s.call = func(_ int, c call, member string, score int64) error {
		var err error
		switch c {
		case submit:
			_, err = s.arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(score)})
		case top:
			_, err = week.Top(ctx, 10)
		}
		return err
	}
	return err
}

func (s *system) serveRESP() error {
	server, err := resp.New(context.Background(), s.e, resp.Options{Boards: s.boards})
	if err != nil {
		return err
	}
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	s.addr, s.stop = addr.String(), server.Close
	send := dial(maxCallers, s.addr, readReply)
	s.call = func(id int, c call, member string, score int64) error {
		if c == submit {
			return send(id, appendCommand(nil, "BOARD.SUBMIT", "arena", member, strconv.FormatInt(score, 10)))
		}
		return send(id, appendCommand(nil, "BOARD.TOP", "arena", "week", "10"))
	}
	return nil
}

func (s *system) serveHTTP(streams int) error {
	h, err := api.New(s.boards, api.Options{MaxStreams: max(streams, 1), Access: access.Options{Keys: []access.Key{{Name: "bench", Secret: key, Rights: access.All}}}})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }()
	s.addr, s.stop = l.Addr().String(), func() error { return errors.Join(h.Close(), server.Close()) }
	send := dial(maxCallers, s.addr, readResponse)
	s.call = func(id int, c call, member string, score int64) error {
		switch c {
		case submit:
			body := fmt.Sprintf(`{"member":%q,"score":[%d]}`, member, score)
			return send(id, fmt.Appendf(nil, "POST /v1/boards/arena/scores HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body))
		case same:
			return send(id, get("/v1/boards/arena/windows/week/top?n=10", "If-None-Match: *\r\n"))
		default:
			return send(id, get("/v1/boards/arena/windows/week/top?n=10", ""))
		}
	}
	return nil
}

// get returns a request GET.
func get(path, headers string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n%s\r\n", path, key, headers)
}
