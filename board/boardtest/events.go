package boardtest

import (
	"context"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

// parseEvents reads [kinds=KIND,…] [windows=NAME,…] [members=MEMBER,…]. The action lists the events since the last action of the player that did, of any kind.
func parseEvents(a *args) action {
	var filter feed.Filter
	for name, list := range map[string]*[]string{"windows": &filter.Windows, "members": &filter.Members} {
		if text, ok := a.option(name); ok {
			*list = strings.Split(text, ",")
		}
	}
	if text, ok := a.option("kinds"); ok {
		for name := range strings.SplitSeq(text, ",") {
			k, err := feed.ParseKind(name)
			if err != nil {
				a.fail("%w", err)
			}
			filter.Kinds = append(filter.Kinds, k)
		}
	}
	return func(p *player) (string, error) {
		before, end := p.heard, p.heard
		for e, err := range p.b.Events(context.Background(), before, feed.Filter{}) {
			if err != nil {
				return "", err
			}
			end = e.Position
		}
		var all []feed.Event
		for e, err := range p.b.Events(context.Background(), before, filter) {
			if err != nil {
				return "", err
			}
			if e.Position.Commit > end.Commit || e.Position.Commit == end.Commit && e.Position.Index > end.Index {
				break // it has come since: the next command events tells it
			}
			all = append(all, e)
		}
		p.heard = end
		return list(all, eventText), nil
	}
}

// parseWatch reads MEMBER.
func parseWatch(is bool) func(a *args) action {
	return func(a *args) action {
		member := a.word("the member")
		return onBoard(func(_ *player, b board.Board) (string, error) {
			if is {
				return "", b.Watch(context.Background(), member)
			}
			return "", b.Unwatch(context.Background(), member)
		})
	}
}

// eventText writes an event.
func eventText(e feed.Event) string {
	text := e.Kind.String()
	add := func(is bool, format string, x any) {
		if is {
			text += fmt.Sprintf(format, x)
		}
	}
	add(e.Window != "", " %s", e.Window)
	add(e.Period != "" && e.Period != e.Window, "/%s", e.Period)
	add(e.Member != "", " %s", quote(e.Member))
	add(e.By != "", " by %s", quote(e.By))
	add(e.Other != "", " other %s", quote(e.Other))
	add(e.Groups != "", " %s", e.Groups)
	add(e.Group != "", " %s", quote(e.Group))
	add(e.Rank > 0, " at %d", e.Rank)
	add(e.Before > 0, " was %d", e.Before)
	add(e.Score.Len() > 0, " with %v", e.Score)
	add(e.Was.Len() > 0, " from %v", e.Was)
	add(e.Award != "", " award %s", e.Award)
	add(e.Count > 0, " count %d", e.Count)
	add(e.Audit > 0, " entry %d", e.Audit)
	return text
}
