package boardtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board"
)

// parseNow reads TIME [unnoticed]: the action moves the clock and, unless unnoticed, closes the periods that are due.
func parseNow(a *args) action {
	unnoticed := false
	if n := len(a.words); n > 0 && a.words[n-1] == "unnoticed" {
		a.words, unnoticed = a.words[:n-1], true
	}
	at, ok := a.moment()
	if !ok {
		a.fail("the time is missing")
	}
	return func(p *player) (string, error) {
		p.clock.set(at(p.clock.now()))
		if unnoticed {
			return "", nil
		}
		_, err := p.b.CloseDue(context.Background())
		return "", err
	}
}

// parseRestart returns the parser of reopen or kill. The action restarts the backend, and moves the clock meanwhile if the line has a time.
func parseRestart(restart func(b Backend, meanwhile func()) error) func(a *args) action {
	return func(a *args) action {
		at, ok := a.moment()
		return func(p *player) (string, error) {
			p.restarted = true
			clear(p.kept)
			err := restart(p.b, func() {
				if ok {
					p.clock.set(at(p.clock.now()))
				}
			})
			if err == nil {
				err = p.deliverAgain()
			}
			return "", err
		}
	}
}

func parseBoard(a *args) action {
	spec := a.spec()
	return func(p *player) (string, error) {
		_, err := p.b.Define(context.Background(), spec)
		if err == nil {
			p.board = spec.Name
		}
		return "", err
	}
}

func parseUse(a *args) action {
	name := a.word("the board's name")
	return func(p *player) (string, error) {
		_, err := p.b.Board(context.Background(), name)
		if err == nil {
			p.board = name
		}
		return "", err
	}
}

func parseMigrate(a *args) action {
	spec := a.spec()
	return func(p *player) (string, error) {
		_, err := p.b.Migrate(context.Background(), spec)
		return "", err
	}
}

func parseDrop(a *args) action {
	name := a.word("the board's name")
	return func(p *player) (string, error) { return "", p.b.Drop(context.Background(), name) }
}

func parseSubmit(a *args) action {
	sub := a.submission(true)
	return onBoard(func(p *player, b board.Board) (string, error) {
		c, err := b.Submit(context.Background(), sub.resolve(p.clock.now()))
		return changeText(c), err
	})
}

// parseMultiply reads MEMBER FACTOR. The action multiplies the member's score by the factor and submits it, with SubmitFunc.
func parseMultiply(a *args) action {
	sub := a.submission(false)
	factor := int64(a.number("the factor"))
	return onBoard(func(p *player, b board.Board) (string, error) {
		c, err := b.SubmitFunc(context.Background(), sub.resolve(p.clock.now()), func(was board.Row, ranked bool) (board.Score, bool) {
			values := make([]board.Value, was.Score.Len())
			for i := range values {
				values[i] = board.Int(was.Score.Int(i) * factor)
			}
			return board.Values(values...), ranked
		})
		return changeText(c), err
	})
}

// submissions takes submissions with semicolons between them.
func (a *args) submissions() func(now time.Time) []board.Submission {
	var subs []submission
	for _, part := range a.parts() {
		subs = append(subs, part.submission(true))
		if err := part.done(); err != nil {
			a.fail("%w", err)
		}
	}
	return func(now time.Time) []board.Submission {
		all := make([]board.Submission, len(subs))
		for i, sub := range subs {
			all[i] = sub.resolve(now)
		}
		return all
	}
}

func parseBatch(a *args) action {
	subs := a.submissions()
	return onBoard(func(p *player, b board.Board) (string, error) {
		changes, err := b.SubmitAll(context.Background(), subs(p.clock.now()))
		texts := make([]string, len(changes))
		for i, c := range changes {
			texts[i] = changeText(c)
		}
		return strings.Join(texts, "; "), err
	})
}

// parseAtOnce reads submissions. The action submits each from another goroutine.
func parseAtOnce(a *args) action {
	submissions := a.submissions()
	return onBoard(func(p *player, b board.Board) (string, error) {
		subs := submissions(p.clock.now())
		var duplicates, skipped atomic.Int64
		errs := make([]error, len(subs))
		var wg sync.WaitGroup
		for i, sub := range subs {
			wg.Go(func() {
				c, err := b.Submit(context.Background(), sub)
				if errs[i] = err; c.Duplicate {
					duplicates.Add(1)
				} else if c.Skipped {
					skipped.Add(1)
				}
			})
		}
		wg.Wait()
		counted := int64(len(subs)) - duplicates.Load() - skipped.Load()
		return fmt.Sprintf("%d counted, %d duplicate, %d skipped", counted, duplicates.Load(), skipped.Load()), errors.Join(errs...)
	})
}

func parseRemove(a *args) action {
	member := a.word("the member")
	return onBoard(func(p *player, b board.Board) (string, error) {
		removed, err := b.Remove(context.Background(), member)
		return list(removed, func(r board.Removed) string {
			return fmt.Sprintf("%s/%s %s", r.Window, r.Period, plainRow(r.Row))
		}), err
	})
}

func parseMeta(a *args) action {
	window, member, meta := a.word("the window"), a.word("the member"), a.word("the metadata")
	return onBoard(func(p *player, b board.Board) (string, error) {
		return "", b.SetMeta(context.Background(), window, member, []byte(meta))
	})
}

func parseClose(a *args) action {
	window := a.word("the window")
	return onBoard(func(p *player, b board.Board) (string, error) {
		info, err := b.CloseNow(context.Background(), window)
		return info.Period, err
	})
}

func parseBaseline(a *args) action {
	window, name := a.word("the window"), a.word("the baseline")
	return onBoard(func(p *player, b board.Board) (string, error) {
		return "", b.SaveBaseline(context.Background(), window, name)
	})
}

func parseDropBaseline(a *args) action {
	window, name := a.word("the window"), a.word("the baseline")
	return onBoard(func(p *player, b board.Board) (string, error) {
		return "", b.DropBaseline(context.Background(), window, name)
	})
}

func parseKeep(a *args) action {
	name, sel := a.word("the name"), a.selector()
	return onBoard(func(p *player, b board.Board) (string, error) {
		r, err := sel.ranking(p, b)
		if err == nil {
			p.kept[name] = r
		}
		return "", err
	})
}

func parsePin(a *args) action {
	name, sel := a.word("the pin's name"), a.selector()
	return onBoard(func(p *player, b board.Board) (string, error) {
		r, err := sel.ranking(p, b)
		if err == nil {
			p.pins[name], err = r.Pin(context.Background())
		}
		return "", err
	})
}
