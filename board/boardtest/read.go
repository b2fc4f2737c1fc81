package boardtest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board"
)

// selector is a RANKING of the language: see the package's doc.
type selector struct {
	window string
	source string // where the ranking is from: pin, kept, union, last, base or period; "" for the live one
	name   string // of the pin, the kept ranking, the stored union, the baseline or the period
	at     moment // to which the ranking goes back, else nil
	row    string // of the journal, to which the ranking of a period goes back; "": the present one
	mode   board.Mode
}

// selector takes a RANKING, and the option mode.
func (a *args) selector() (s selector) {
	word := a.word("the ranking")
	if text, ok := a.option("mode"); ok {
		mode, err := board.ParseMode(text)
		if err != nil {
			a.fail("%w", err)
		}
		s.mode = mode
	}
	for _, source := range []string{"pin", "kept", "union"} {
		if name, ok := strings.CutPrefix(word, source+":"); ok {
			s.source, s.name = source, name
			return s
		}
	}
	if before, text, ok := strings.Cut(word, "@"); ok {
		if s.at = a.parseMoment("the moment", text); !strings.ContainsAny(before, "/:") {
			s.source, s.window = "past", before
			return s
		}
	}
	word, s.row, _ = strings.Cut(word, "#")
	i := strings.IndexAny(word+"/", "/:")
	s.window = word[:i]
	switch rest := word[i:]; {
	case rest == "":
	case rest == ":last":
		s.source = "last"
	case strings.HasPrefix(rest, ":base="):
		s.source, s.name = "base", rest[len(":base="):]
	case rest[0] == '/':
		s.source, s.name = "period", rest[1:]
	default:
		a.fail("ranking is %q, want WINDOW, WINDOW/PERIOD, WINDOW/PERIOD#ROW, WINDOW@TIME, WINDOW:last, WINDOW:base=NAME, pin:NAME, kept:NAME or union:NAME", word)
	}
	return s
}

// ranking returns the selected ranking, in the selector's mode.
func (s selector) ranking(p *player, b board.Board) (r board.Ranking, err error) {
	ctx := context.Background()
	switch s.source {
	case "pin":
		if r = p.pins[s.name]; r == nil {
			return nil, fmt.Errorf("%w: nothing is pinned as %q", errStop, s.name)
		}
	case "kept":
		switch r = p.kept[s.name]; {
		case r == nil && p.restarted:
			return nil, fmt.Errorf("%w: kept rankings end with a restart", board.ErrUnsupported)
		case r == nil:
			return nil, fmt.Errorf("%w: nothing is kept as %q", errStop, s.name)
		}
	case "union":
		r, err = p.b.StoredUnion(ctx, s.name)
	case "last":
		r, err = b.LastClosed(ctx, s.window)
	case "base":
		r, err = b.Baseline(ctx, s.window, s.name)
	case "past":
		r, err = b.AsOf(ctx, s.window, s.at(p.clock.now()))
	case "period":
		if s.row == "" {
			r, err = b.Period(ctx, s.window, s.name)
			break
		}
		row, bad := strconv.ParseUint(s.row, 10, 64)
		if bad != nil {
			return nil, fmt.Errorf("%w: row %q", errStop, s.row)
		}
		r, err = b.AsOfRow(ctx, s.window, s.name, row)
	default:
		r, err = b.Live(ctx, s.window)
	}
	if err != nil {
		return nil, err
	}
	return r.By(s.mode), nil
}

// view reads something from a ranking and returns the answer. It can be repeated.
type view func(p *player, r board.Ranking) (string, error)

// parseRead returns the parser of a command that reads a ranking. Its action reads three times, on the ranking, in a View and on a pinned
// copy, and fails unless the answers are equal. An answer about a member beyond the best ones is read on the ranking alone, as is one of a board
// with segments, whose members are counted first.
func parseRead(parse func(a *args) view) func(a *args) action {
	ctx := context.Background()
	return func(a *args) action {
		sel := a.selector()
		read := parse(a)
		return onBoard(func(p *player, b board.Board) (string, error) {
			r, err := sel.ranking(p, b)
			if err != nil {
				return "", err
			}
			got, err := read(p, r)
			if top := b.Spec().Top; err == nil && top != nil && top.Segments > 0 { // views and pins have the best members alone
				if err := p.countDue(ctx); err != nil {
					return "", err
				}
				return read(p, r)
			}
			if strings.Contains(got, beyond) { // as above
				return got, err
			}
			inView := func(v board.Ranking) error { return p.expectSame(read, v, got, err, "in a View") }
			if bad := r.View(ctx, inView); bad != nil {
				return "", bad
			}
			pinned, bad := r.Pin(ctx)
			if bad != nil {
				return "", bad
			}
			if bad := p.expectSame(read, pinned, got, err, "pinned"); bad != nil {
				return "", bad
			}
			return got, err
		})
	}
}

// expectSame repeats a read on another ranking of the same moment, and compares the answer.
func (p *player) expectSame(read view, r board.Ranking, want string, wantErr error, where string) error {
	p.counts.Views++
	got, err := read(p, r)
	if (err == nil) != (wantErr == nil) || err != nil && errorText(err) != errorText(wantErr) {
		return fmt.Errorf("%w: %s: error %w, and else %w", errStop, where, err, wantErr)
	}
	if got != want {
		return fmt.Errorf("%w: %s it says %s, and else %s", errStop, where, got, want)
	}
	return nil
}

func parseTop(a *args) view {
	n := a.count("n", 1<<20)
	times := len(a.words) > 0 && a.words[0] == "times"
	if times {
		a.words = a.words[1:]
	}
	return func(p *player, r board.Ranking) (string, error) {
		rows, err := r.Top(context.Background(), n)
		if err != nil {
			return "", err
		}
		write := func(row board.Row) string { return rowText(row, times) }
		return list(rows, write), checkWalk(r, rows, write)
	}
}

// checkWalk reads the rows again, one by one with At and in a walk with All, and returns an error if they differ.
func checkWalk(r board.Ranking, rows []board.Row, write func(board.Row) string) error {
	ctx := context.Background()
	i := 0
	for row, err := range r.All(ctx) {
		if i == len(rows) || err != nil {
			return err
		}
		at, ok, err := r.At(ctx, i+1)
		if err != nil || !ok || write(at) != write(rows[i]) || write(row) != write(rows[i]) {
			return fmt.Errorf("%w: %s in the list, %s in a walk, and at %d stands %s: %w", errStop, write(rows[i]), write(row), i+1, write(at), err)
		}
		i++
	}
	if n, err := r.Len(ctx); err != nil || i != n || i != len(rows) {
		return fmt.Errorf("%w: %d rows in the list, %d in a walk, %d counted: %w", errStop, len(rows), i, n, err)
	}
	return nil
}

func parseRank(a *args) view {
	member := a.word("the member")
	return func(p *player, r board.Ranking) (string, error) {
		row, ok, err := r.Rank(context.Background(), member)
		return rowOr(row, ok, "not ranked"), err
	}
}

func parseScore(a *args) view {
	member := a.word("the member")
	return func(p *player, r board.Ranking) (string, error) {
		score, ok, err := r.Score(context.Background(), member)
		if !ok {
			return "not ranked", err
		}
		return score.String(), err
	}
}

func parsePlaces(a *args) view {
	first, last := a.number("the first place"), a.number("the last place")
	return func(p *player, r board.Ranking) (string, error) {
		rows, err := r.Places(context.Background(), first, last)
		return list(rows, plainRow), err
	}
}

func parseAround(a *args) view {
	member, each := a.word("the member"), a.number("how many before and after")
	return func(p *player, r board.Ranking) (string, error) {
		rows, ok, err := r.Around(context.Background(), member, each)
		if !ok {
			return "not ranked", err
		}
		return list(rows, plainRow), err
	}
}

func parseAroundScore(a *args) view {
	score, each := a.score(a.rest()), a.count("each", 1)
	return func(p *player, r board.Ranking) (string, error) {
		rows, err := r.AroundScore(context.Background(), score, each)
		return list(rows, plainRow), err
	}
}

// bound takes an option that is a score, or nil if the line does not have it.
func (a *args) bound(key string) *board.Score {
	text, ok := a.option(key)
	if !ok {
		return nil
	}
	score := a.score(strings.Fields(text))
	return &score
}

func parseBetween(a *args) view {
	best, worst, skip, limit := a.bound("best"), a.bound("worst"), a.count("skip", 0), a.count("limit", -1)
	return func(p *player, r board.Ranking) (string, error) {
		rows, err := r.Between(context.Background(), best, worst, skip, limit)
		return list(rows, plainRow), err
	}
}

func parseCount(a *args) view {
	best, worst := a.bound("best"), a.bound("worst")
	return func(p *player, r board.Ranking) (string, error) {
		n, err := r.Count(context.Background(), best, worst)
		return strconv.Itoa(n), err
	}
}

func parseRankOf(a *args) view {
	score := a.score(a.rest())
	return func(p *player, r board.Ranking) (string, error) {
		rank, err := r.RankOf(context.Background(), score)
		return strconv.Itoa(rank), err
	}
}

func parseAmong(a *args) view {
	members := a.rest()
	return func(p *player, r board.Ranking) (string, error) {
		all, err := r.Among(context.Background(), slices.Clone(members)...)
		return list(all, func(s board.AmongRow) string { return fmt.Sprintf("%d/%s", s.Local, plainRow(s.Row)) }), err
	}
}
