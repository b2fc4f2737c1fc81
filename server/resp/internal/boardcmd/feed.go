package boardcmd

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// feedCount is the most events of a reply unless COUNT says another number.
const feedCount = 100

// feedQuery says what BOARD.FEED answers.
type feedQuery struct {
	after  feed.Position
	end    bool // after is the end
	filter feed.Filter
	count  int
	block  bool
	wait   time.Duration // 0: for ever
}

// parseFeedQuery reads a position, 0 for the oldest event and $ for the end, and then [COUNT n] [BLOCK ms] [BOARD b] [WINDOW w] [MEMBER m] [KIND k], in any order;
// the last four may be there several times.
func parseFeedQuery(words [][]byte) (q feedQuery, err error) {
	q.count = feedCount
	switch text := string(words[0]); text {
	case "$":
		q.end = true
	case "0":
	default:
		if q.after, err = feed.ParsePosition(text); err != nil || text == "" {
			return q, errors.Join(err, feed.ErrPosition)
		}
	}
	for words = words[1:]; len(words) > 1; words = words[2:] {
		switch word := string(words[1]); command.Upper(string(words[0])) {
		case "COUNT":
			q.count, err = parseEvents(words[1])
		case "BLOCK":
			var ms int64
			if ms, err = command.ParseInt[int64](words[1]); ms < 0 && err == nil {
				err = command.ErrPositive
			}
			q.block, q.wait = true, time.Duration(min(ms, int64(maxBlock/time.Millisecond)))*time.Millisecond
		case "BOARD":
			q.filter.Boards = append(q.filter.Boards, word)
		case "WINDOW":
			q.filter.Windows = append(q.filter.Windows, word)
		case "MEMBER":
			q.filter.Members = append(q.filter.Members, word)
		case "KIND":
			var k feed.Kind
			k, err = feed.ParseKind(word)
			q.filter.Kinds = append(q.filter.Kinds, k)
		default:
			err = command.ErrSyntax
		}
		if err != nil {
			return q, err
		}
	}
	if len(words) > 0 {
		return q, command.ErrSyntax
	}
	return q, nil
}

// maxEvents is the most events of a reply: each names two members at most.
const maxEvents = maxRows / 2

// parseEvents reads a number of events. Errors: a refusal.
func parseEvents(word []byte) (int, error) {
	n, err := command.ParseInt[int](word)
	switch {
	case err != nil:
		return 0, err
	case n < 1:
		return 0, command.ErrPositive
	case n > maxEvents:
		return 0, command.Refusal(fmt.Sprintf("ERR a reply has at most %d events", maxEvents))
	}
	return n, nil
}

// maxBlock is the longest BLOCK.
const maxBlock = 100 * 365 * 24 * time.Hour

// feed is BOARD.FEED position [COUNT n] [BLOCK ms] [BOARD b] [WINDOW w] [MEMBER m] [KIND k].
func (b *commands) feed(c *session.Client, a [][]byte) error {
	q, err := parseFeedQuery(a[1:])
	if err != nil {
		return err
	}
	if b.boards == nil {
		return command.Refusal("ERR there are no boards")
	}
	if q.end {
		if q.after, err = b.boards.FeedEnd(c.Host.Work); err != nil {
			return err
		}
	}
	w := b.reply(c)
	list, err := takeEvents(nil, b.boards.Events(c.Host.Ctx, q.after, q.filter), q.count)
	if err != nil {
		return err
	}
	if len(list) > 0 || !q.block {
		w.events(list)
		return nil
	}
	if c.Flush() != nil {
		c.Closing = true
		return nil
	}
	err = c.Block(q.wait, func(ctx context.Context) (err error) {
		if list, err = takeEvents(nil, b.boards.Feed(ctx, q.after, q.filter), 1); err == nil {
			list, err = takeEvents(list, b.boards.Events(ctx, list[0].Position, q.filter), q.count)
		}
		return err
	})
	if err != nil {
		return c.Unserved(err, c.Out.NullArray)
	}
	w.events(list)
	return nil
}

// takeEvents appends events until there are n.
func takeEvents(list []feed.Event, all iter.Seq2[feed.Event, error], n int) ([]feed.Event, error) {
	if len(list) >= n {
		return list, nil
	}
	for e, err := range all {
		if err != nil {
			return nil, err
		}
		if list = append(list, e); len(list) == n {
			break
		}
	}
	return list, nil
}

// events writes events, each as a map of the fields that it has.
func (w *reply) events(list []feed.Event) {
	w.Array(len(list))
	for i := 0; i < len(list) && w.Over() == nil; i++ {
		w.event(&list[i])
	}
}
