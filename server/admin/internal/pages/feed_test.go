package pages

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
)

// newSite returns a site of one board in memory.
func newSite(t *testing.T) (*Site, board.Board) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()) })
	b, err := boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Feed: &board.Feed{Top: -1}})
	require.NoError(t, err)
	return &Site{Boards: boards, Local: boards, Engine: e, Clock: time.Now, History: figures.NewHistory(t.Context(), nil, time.Now), Rates: figures.NewRates(time.Now)}, b
}

// unhurriedStore has a feed whose readers have all the time that they need, on a busy machine too.
type unhurriedStore struct{ board.Store }

func (s unhurriedStore) Events(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return s.Store.Events(context.WithoutCancel(ctx), after, filter)
}

// TestFeed reads the feed again and again: what has happened since, the newest first, and where there is too much of it, how much was left out.
func TestFeed(t *testing.T) {
	s, b := newSite(t)
	s.Boards = unhurriedStore{s.Boards}
	read, err := s.feed(Request{Context: context.Background(), Who: access.Anybody(access.Read), Query: url.Values{"kind": {"submitted"}}})
	require.NoError(t, err)
	page := func() Feed {
		x, err := read()
		require.NoError(t, err)
		return x.(Feed)
	}
	require.Empty(t, page().Events)
	submit := func(from, to int) {
		for i := from; i < to; i++ {
			_, err := b.Apply(t.Context(), board.Submission{Member: fmt.Sprint(i), Score: board.Ints(1)})
			require.NoError(t, err)
		}
	}
	submit(0, 3)
	require.Eventually(t, func() bool { return len(page().Events) == 3 }, time.Minute, time.Millisecond)
	for range 2 {
		p := page()
		require.Len(t, p.Events, 3, "once each")
		require.Equal(t, []string{"2", "1", "0"}, []string{p.Events[0].Member, p.Events[1].Member, p.Events[2].Member})
	}
	submit(3, 3+eventsRead+50)
	p := page()
	require.NotZero(t, p.Skipped)
	require.LessOrEqual(t, len(p.Events), eventsShown)
	submit(1000, 1001)
	require.Eventually(t, func() bool { p = page(); return p.Events[0].Member == "1000" }, time.Minute, time.Millisecond)
}

// slowFeed has one event, after each position, before the time of its reader is up.
type slowFeed struct{ board.Feeder }

func (s slowFeed) Events(ctx context.Context, after feed.Position, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return func(yield func(feed.Event, error) bool) {
		for event, err := range s.Feeder.Events(context.WithoutCancel(ctx), after, filter) {
			if !yield(event, err) {
				return
			}
			<-ctx.Done()
			yield(feed.Event{}, ctx.Err())
			return
		}
	}
}

// TestFeedSlow: what a page had no time to read it reads the next time, and leaves nothing out.
func TestFeedSlow(t *testing.T) {
	s, b := newSite(t)
	end, err := s.Boards.FeedEnd(t.Context())
	require.NoError(t, err)
	x := &feedReader{feed: slowFeed{s.Boards}, filter: feed.Filter{Kinds: []feed.Kind{feed.Submitted}}, at: end}
	for i := range 5 {
		_, err := b.Apply(t.Context(), board.Submission{Member: fmt.Sprint(i), Score: board.Ints(1)})
		require.NoError(t, err)
	}
	for i := range 5 {
		require.NoError(t, x.follow(t.Context()))
		require.Len(t, x.page.Events, i+1)
		require.Equal(t, fmt.Sprint(i), x.page.Events[0].Member)
	}
	require.Zero(t, x.page.Skipped)
}

// TestMemberOf reads back what the pages show.
func TestMemberOf(t *testing.T) {
	for text, name := range map[string]string{`ada`: "ada", `a\\b`: `a\b`, `\xff`: "\xff", `a\u202eb`: "a\u202eb", `a\nb`: "a\nb", `a\q`: `a\q`, `\`: `\`, "�": "�", "\xff": "\xff"} {
		require.Equal(t, name, MemberOf(text), text)
	}
}
