package boardtest

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

func parsePercentile(a *args) view {
	member := a.word("the member")
	return func(p *player, r board.Ranking) (string, error) {
		percentile, ok, err := r.Percentile(context.Background(), member)
		if !ok {
			return "not ranked", err
		}
		return fmt.Sprintf("top %d %%, ahead of %s %%", percentile.Top, strconv.FormatFloat(percentile.Ahead, 'f', -1, 64)), err
	}
}

func parseAtPercentile(a *args) view {
	word := a.word("the percentage")
	percent, err := strconv.ParseFloat(word, 64)
	if err != nil {
		a.fail("percentage is %q", word)
	}
	return func(p *player, r board.Ranking) (string, error) {
		row, ok, err := r.AtPercentile(context.Background(), percent)
		return rowOr(row, ok, "nobody"), err
	}
}

func parseHistogram(a *args) view {
	bins := a.number("the number of bins")
	return func(p *player, r board.Ranking) (string, error) {
		all, err := r.Histogram(context.Background(), bins)
		return list(all, func(b board.Bin) string { return fmt.Sprintf("%v..%v: %d", b.Best, b.Worst, b.Members) }), err
	}
}

func parseGap(a *args) view {
	member, above := a.word("the member"), a.number("how many places above")
	return func(p *player, r board.Ranking) (string, error) {
		gap, ok, err := r.Gap(context.Background(), member, above)
		switch {
		case !ok:
			return "none", err
		case gap.Column < 0:
			return "equal to " + plainRow(gap.To), err
		}
		return fmt.Sprintf("%v in column %d to %s", gap.By, gap.Column+1, plainRow(gap.To)), err
	}
}

func parseCard(a *args) view {
	member, top, each := a.word("the member"), a.count("top", 3), a.count("each", 1)
	return func(p *player, r board.Ranking) (string, error) {
		c, err := r.Card(context.Background(), member, top, each)
		return fmt.Sprintf("top %s; own %s; around %s; of %d", list(c.Top, plainRow), rowOr(c.Own, c.Ranked, "none"),
			list(c.Around, plainRow), c.Len), err
	}
}

// parsePage reads the next page of a named cursor, and stores the new cursor as text. A new name starts at the first page.
func parsePage(a *args) action {
	name, next := "", ""
	page := parseRead(func(a *args) view {
		name = a.word("the cursor's name")
		return pageView(name, a.count("n", 10), &next)
	})(a)
	return func(p *player) (string, error) {
		text, err := page(p)
		if err == nil {
			p.cursors[name] = next
		}
		return text, err
	}
}

// pageView reads the page that starts at the named cursor, and sets *next to the cursor after that page.
func pageView(name string, n int, next *string) view {
	return func(p *player, r board.Ranking) (string, error) {
		after, err := board.ParseCursor(p.cursors[name])
		if err != nil {
			return "", err
		}
		rows, cursor, err := r.Page(context.Background(), after, n)
		if err != nil {
			return "", err
		}
		*next = cursor.String()
		text := list(rows, plainRow)
		if cursor.Done() {
			text += "; done"
		}
		return text, nil
	}
}

func parseArrows(a *args) action {
	sel, base, members := a.selector(), a.selector(), a.rest()
	base.mode = sel.mode
	return onBoard(func(p *player, b board.Board) (string, error) {
		now, err := sel.ranking(p, b)
		if err != nil {
			return "", err
		}
		was, err := base.ranking(p, b)
		if err != nil {
			return "", err
		}
		arrows, err := now.Arrows(context.Background(), was, members...)
		return list(arrows, arrowText), err
	})
}

func arrowText(a board.Arrow) string {
	switch {
	case !a.Ranked && !a.WasRanked:
		return a.Member + " never"
	case !a.Ranked:
		return fmt.Sprintf("%s gone from %d", a.Member, a.Was)
	case !a.WasRanked:
		return fmt.Sprintf("%s new at %d", a.Member, a.Rank)
	}
	return fmt.Sprintf("%s %d from %d (%+d)", a.Member, a.Rank, a.Was, a.Up)
}

func parseInfo(a *args) action {
	sel := a.selector()
	return onBoard(func(p *player, b board.Board) (string, error) {
		r, err := sel.ranking(p, b)
		if err != nil {
			return "", err
		}
		i, err := r.Info(context.Background())
		if err != nil {
			return "", err
		}
		text := i.Period + " " + spanText(i)
		if i.Closed && !i.ClosedAt.IsZero() {
			text += ", closed " + i.ClosedAt.UTC().Format(time.RFC3339Nano)
		}
		return text, nil
	})
}

// spanText writes the start, the end and the length of a period.
func spanText(i board.Info) string {
	if i.End.IsZero() {
		return "without end"
	}
	return fmt.Sprintf("%s..%s %v", i.Start.Format(time.RFC3339), i.End.Format(time.RFC3339), window.Duration(i.End.Sub(i.Start)))
}

func parsePeriods(a *args) action {
	window := a.word("the window")
	return onBoard(func(p *player, b board.Board) (string, error) {
		all, err := b.Periods(context.Background(), window)
		return list(all, func(u board.Usage) string {
			state := "live"
			switch {
			case u.Closed:
				state = "closed"
			case !u.End.IsZero() && !p.clock.now().Before(u.End):
				state = "late"
			}
			return fmt.Sprintf("%s %s %d", u.Period, state, u.Members)
		}), err
	})
}

func parseReset(a *args) action {
	window := a.word("the window")
	return onBoard(func(p *player, b board.Board) (string, error) {
		at, ok, err := b.NextReset(context.Background(), window)
		return timeText(at, ok, "never"), err
	})
}

func parseNextChange(a *args) action {
	window, member := a.word("the window"), a.word("the member")
	return onBoard(func(p *player, b board.Board) (string, error) {
		at, ok, err := b.NextChange(context.Background(), window, member)
		return timeText(at, ok, "never"), err
	})
}

func parseDeadline(a *args) action {
	at, ok := a.moment()
	if !ok {
		a.fail("the time is missing")
	}
	return onBoard(func(p *player, b board.Board) (string, error) {
		until, ok, err := b.Deadline(context.Background(), at(p.clock.now()))
		return timeText(until.UTC(), ok, "never"), err
	})
}

func parseBest(a *args) action {
	window, member := a.word("the window"), a.word("the member")
	return onBoard(func(p *player, b board.Board) (string, error) {
		rank, ok, err := b.BestRank(context.Background(), window, member)
		if !ok {
			return "none", err
		}
		return strconv.Itoa(rank), err
	})
}

func parseBaselines(a *args) action {
	window := a.word("the window")
	return onBoard(func(p *player, b board.Board) (string, error) {
		names, err := b.Baselines(context.Background(), window)
		return list(names, func(name string) string { return name }), err
	})
}
