package adminpages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/admin"
)

const (
	maxOps   = 1 << 18
	maxScore = 1_000_000
	batch    = 500
)

// site is boards with their pages.
type site struct {
	e      *engine.Engine
	boards *local.Boards
	arena  board.Board
	pages  *admin.Handler
	server *http.Server
	url    string
}

// start opens boards and pages, and inserts all members.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	members, others := o.N, o.Sets
	if o.System == small {
		members, others = smallMembers, 0
	}
	s, err := open()
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x61646d))
	players := workload.NewStream(members, func(i int) int { return i }, func() float64 { return float64(r.Int64N(maxScore)) })
	if err := errors.Join(s.fill(&players, members), s.define(others)); err != nil {
		return nil, errors.Join(err, s.close())
	}
	t := &bench.Turns{For: o.For, Finish: func(int) error { return s.close() }}
	if o.Case == painting {
		for _, p := range shown {
			path := strings.NewReplacer("middle", fmt.Sprint(members/2+1), "player", url.QueryEscape(players.Key(members/2).Name)).Replace(p.path)
			t.Spots = append(t.Spots, s.pageSpot(pageLine(p.name), path))
		}
		return t, nil
	}
	calls := workload.NewStream(maxOps, func(int) int { return r.IntN(members) }, func() float64 { return float64(r.IntN(maxScore)) })
	cursors := make([]workload.Cursor, callers)
	for i := range cursors {
		cursors[i] = workload.NewCursor(&calls, i, callers, 1)
	}
	if o.System == watched {
		if err := s.look(ctx, o.Callers); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	t.Spots = []bench.Spot{{Line: submitLine, Callers: callers, Clocked: true, Call: func(id int) (int, error) {
		i, _ := cursors[id].Next()
		_, err := s.arena.Submit(ctx, board.Submission{Member: calls.Key(i).Name, Score: board.Ints(int64(calls.Score(i)))})
		return 1, err
	}}}
	return t, nil
}

// open opens boards and serves their pages.
func open() (s *site, err error) {
	s = &site{}
	if s.e, err = engine.New(engine.Options{}); err != nil {
		return nil, err
	}
	if s.boards, err = local.Open(s.e, local.Options{}); err != nil {
		return nil, errors.Join(err, s.e.Close())
	}
	s.arena, err = s.boards.Define(context.Background(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Month, board.Week}, Feed: &board.Feed{}})
	if err == nil {
		s.pages, err = admin.New(s.boards, admin.Options{Local: s.boards, Open: true})
	}
	if err != nil {
		return nil, errors.Join(err, s.boards.Close(), s.e.Close())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, s.pages.Close(), s.boards.Close(), s.e.Close())
	}
	s.url, s.server = "http://"+l.Addr().String(), &http.Server{Handler: s.pages, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(l) }()
	return s, nil
}

func (s *site) close() error {
	return errors.Join(s.pages.Close(), s.server.Close(), s.boards.Close(), s.e.Close())
}

// fill inserts the members of the arena.
func (s *site) fill(players *workload.Stream, n int) error {
	for first := 0; first < n; first += batch {
		var subs []board.Submission
		for i := first; i < min(n, first+batch); i++ {
			subs = append(subs, board.Submission{Member: players.Key(i).Name, Score: board.Ints(int64(players.Score(i)))})
		}
		if _, err := s.arena.SubmitAll(context.Background(), subs); err != nil {
			return err
		}
	}
	return nil
}

// define makes other boards, with a member each.
func (s *site) define(n int) error {
	for i := range n {
		b, err := s.boards.Define(context.Background(), board.Spec{Name: fmt.Sprintf("room-%06d", i), Windows: []board.Window{board.All, board.Week}})
		if err == nil {
			_, err = b.Apply(context.Background(), board.Submission{Member: "ada", Score: board.Ints(1)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pageSpot asks for a page again and again.
func (s *site) pageSpot(line, path string) bench.Spot {
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	return bench.Spot{Line: line, Callers: 1, Clocked: true, Call: func(int) (int, error) {
		answer, err := client.Get(s.url + path)
		if err != nil {
			return 0, err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return 0, fmt.Errorf("%s: %s", path, answer.Status)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		return 1, err
	}}
}

// look opens pages and reads what comes until the site is closed.
func (s *site) look(ctx context.Context, n int) error {
	kinds := []string{"/live/board?board=arena&window=week", "/live/board?board=arena&window=week", "/live/board?board=arena&window=week", "/live/board?board=arena&window=week",
		"/live/board?board=arena&window=week", "/live/board?board=arena&window=all&from=%d", "/live/board?board=arena&window=month&from=%d", "/live/overview?from=%d", "/live/feed?board=arena", "/live/health"}
	client := &http.Client{Transport: &http.Transport{}}
	for i := range n {
		path := kinds[i%len(kinds)]
		if strings.Contains(path, "%d") {
			path = fmt.Sprintf(path, i+1)
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
		if err != nil {
			return err
		}
		answer, err := client.Do(r)
		if err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			return errors.Join(fmt.Errorf("%s: %s", path, answer.Status), answer.Body.Close())
		}
		go func() {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}()
	}
	return nil
}
