package pages

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/server/access"
)

const (
	eventsShown  = 100
	eventsRead   = 300                   // of the feed, at a time
	commitsBack  = 1000                  // where a page begins at most, and how far it may fall behind
	feedReadTime = 10 * time.Millisecond // for one read
)

// Feed is the page of what happens.
type Feed struct {
	Board, Member, Kind string
	Kinds               []string
	Events              []feed.Event // the newest first
	Skipped             uint64       // commits
	None                string       // why there is no feed
}

// feedReader reads the feed for a page, from where it has stopped.
type feedReader struct {
	feed   board.Feeder
	filter feed.Filter
	at     feed.Position
	page   Feed
}

// feed returns what reads the page of the feed again and again: each time what has happened since.
func (s *Site) feed(r Request) (read func() (any, error), err error) {
	p := Feed{Board: r.Query.Get("board"), Member: MemberOf(r.Query.Get("member")), Kind: r.Query.Get("kind")}
	for _, kind := range feed.Kinds() {
		p.Kinds = append(p.Kinds, kind.String())
	}
	end, err := s.Boards.FeedEnd(r.Context)
	if errors.Is(err, board.ErrUnsupported) {
		p.None = "Boards on a cluster have no feed."
		return func() (any, error) { return p, nil }, nil
	}
	if err != nil {
		return nil, err
	}
	x := &feedReader{feed: s.Boards, page: p, at: end}
	if x.filter, err = s.feedFilter(r, &p); err != nil {
		return nil, err
	}
	err = x.begin(r.Context)
	return func() (any, error) {
		if err == nil {
			err = x.follow(r.Context)
		}
		return x.page, err
	}, nil
}

// begin reads the newest of what has happened before: it goes back less far if that is too much for one read.
func (x *feedReader) begin(ctx context.Context) error {
	end, page := x.at, x.page
	for back := uint64(commitsBack); end.Commit > 0 && back > 0; back /= 4 {
		x.at, x.page = feed.Position{Store: end.Store, Commit: max(1, end.Commit-min(end.Commit, back))}, page
		if r, err := x.read(ctx); err != nil || r == readAll {
			return err
		}
	}
	x.at, x.page = end, page
	return nil
}

// follow reads what has happened since. What there was no time for is for the next time, unless that is too much.
func (x *feedReader) follow(ctx context.Context) error {
	r, err := x.read(ctx)
	if err != nil || r == readAll {
		return err
	}
	end, err := x.feed.FeedEnd(ctx)
	if err != nil {
		return err
	}
	if behind := end.Commit - min(x.at.Commit, end.Commit); r == readTooMuch || behind > commitsBack {
		x.page.Skipped += behind
		x.at = end
	}
	return nil
}

// feedFilter returns the filter of a page.
func (s *Site) feedFilter(r Request, p *Feed) (f feed.Filter, err error) {
	if p.Kind != "" {
		kind, err := feed.ParseKind(p.Kind)
		if err != nil {
			return f, err
		}
		f.Kinds = []feed.Kind{kind}
	}
	if p.Member != "" {
		f.Members = []string{p.Member}
	}
	switch {
	case p.Board != "":
		f.Boards = []string{p.Board}
		return f, r.sees(p.Board)
	case !r.Who.Can(access.Read, ""):
		f.Boards, err = s.names(r)
		if len(f.Boards) == 0 {
			err = ErrHidden
		}
	}
	return f, err
}

// How far a read has come.
type howFar int

const (
	readAll     howFar = iota // to the end of the feed
	readSome                  // as far as there was time
	readTooMuch               // there is more than a page shows, or more than the log still has
)

// read reads what has happened since, for feedReadTime at most.
func (x *feedReader) read(ctx context.Context) (howFar, error) {
	ctx, cancel := context.WithTimeout(ctx, feedReadTime)
	defer cancel()
	n := 0
	for event, err := range x.feed.Events(ctx, x.at, x.filter) {
		switch {
		case errors.Is(err, feed.ErrBehind):
			return readTooMuch, nil
		case errors.Is(err, context.DeadlineExceeded):
			return readSome, nil
		case err != nil:
			return readAll, err
		}
		x.at = event.Position
		x.page.Events = slices.Insert(x.page.Events, 0, event)
		x.page.Events = x.page.Events[:min(len(x.page.Events), eventsShown)]
		if n++; n == eventsRead {
			return readTooMuch, nil
		}
	}
	return readAll, nil
}
