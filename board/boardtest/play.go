package boardtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
)

// Play runs a scenario on a new backend, and closes the backend. The error names each answer that differs from the scenario's. Play stops
// after a command that fails and has no answer. board.ErrUnsupported says that these boards do not support the scenario.
func (s *Scenario) Play(open Open) (n Counts, err error) {
	p := &player{pins: map[string]board.Ranking{}, kept: map[string]board.Ranking{}, cursors: map[string]string{}}
	if p.b, err = open(p.clock.now); err != nil {
		return n, err
	}
	defer func() {
		n = p.counts
		err = errors.Join(err, p.b.Close())
	}()
	var errs []error
	for _, l := range s.lines {
		err := p.play(l)
		if errors.Is(err, board.ErrUnsupported) && errs != nil {
			break // the differences so far are more important than board.ErrUnsupported
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", s.Name, l.number, err))
		}
		if errors.Is(err, errStop) || errors.Is(err, board.ErrUnsupported) {
			break
		}
	}
	return p.counts, errors.Join(errs...)
}

// play runs one line and compares its answer.
func (p *player) play(l line) error {
	p.counts.Lines++
	before, err := p.dumpBefore(l)
	if err != nil {
		return fmt.Errorf("%w: %w", errStop, err)
	}
	got, err := l.run(p)
	if errors.Is(err, board.ErrUnsupported) || errors.Is(err, errStop) {
		return err
	}
	if err != nil && !l.answered {
		return fmt.Errorf("%w: %s: %w", errStop, l.text, err)
	}
	if err != nil {
		got = errorText(err)
		if diff := p.checkUnchanged(l, before); diff != nil {
			return diff
		}
	}
	if !l.answered {
		return nil
	}
	p.counts.Answers++
	return compare(l, got, err)
}

// compare returns an error if an answer differs from the scenario's. If the scenario's answer is an error, it may end with "with" and words
// that the text of the error must contain.
func compare(l line, got string, err error) error {
	want, words, found := strings.Cut(l.want, " with ")
	if !found || err == nil || !strings.HasPrefix(want, "error ") {
		want, words = l.want, ""
	}
	got = strings.Join(strings.Fields(got), " ")
	if got != want {
		return fmt.Errorf("%s\n\twant -> %s\n\tgot  -> %s", strings.TrimSpace(strings.SplitN(l.text, "->", 2)[0]), l.want, got)
	}
	if words == "" {
		return nil
	}
	a, bad := split(words)
	if bad != nil {
		return bad
	}
	for _, word := range a.words {
		if !strings.Contains(err.Error(), word) {
			return fmt.Errorf("the error has no %q in it: %w", word, err)
		}
	}
	return nil
}

// dumpBefore returns the board's contents before a command that writes and should fail, and "" for other commands.
func (p *player) dumpBefore(l line) (string, error) {
	if l.command.writes && strings.HasPrefix(l.want, "error") {
		return p.dump()
	}
	return "", nil
}

// checkUnchanged compares the board's contents, after such a command has failed, with those that dumpBefore returned.
func (p *player) checkUnchanged(l line, before string) error {
	if !l.command.writes || !strings.HasPrefix(l.want, "error") {
		return nil
	}
	after, err := p.dump()
	if err != nil {
		return err
	}
	p.counts.Refusals++
	if after != before {
		return fmt.Errorf("%s: was refused, and something has changed\n\tbefore %s\n\tafter  %s", l.text, before, after)
	}
	return nil
}

// dump writes the spec and all rankings of the present board. It does not write whether a period is closed, which may change with time.
func (p *player) dump() (string, error) {
	ctx := context.Background()
	b, err := p.b.Board(context.Background(), p.board)
	if err != nil {
		return "", nil // there is no board
	}
	spec, err := json.Marshal(b.Spec())
	if err != nil {
		return "", err
	}
	text := string(spec)
	awards, err := p.dumpAwards(b)
	if err != nil {
		return "", err
	}
	text += awards
	for _, w := range b.Spec().Windows {
		periods, err := b.Periods(ctx, w.Label())
		if err != nil {
			return "", err
		}
		for _, period := range periods {
			r, err := b.Period(ctx, w.Label(), period.Period)
			if err != nil {
				return "", err
			}
			rows, err := r.Top(ctx, 1<<20)
			if err != nil {
				return "", err
			}
			text += fmt.Sprintf("; %s %s: %s", w.Label(), period.Period,
				list(rows, func(row board.Row) string { return rowText(row, true) }))
		}
	}
	return text, nil
}

// dumpAwards writes the awards of a board, once what is due is delivered: else the goroutine of the boards may deliver it meanwhile.
func (p *player) dumpAwards(b board.Board) (text string, err error) {
	for _, plan := range b.Spec().Awards {
		if err := p.settle(); err != nil {
			return "", err
		}
		settlements, err := b.Settlements(context.Background(), plan.Window)
		if err != nil {
			return "", err
		}
		for _, s := range settlements {
			all, err := awardsOf(b, plan.Window, s.Period)
			if err != nil {
				return "", err
			}
			text += "; " + settlementText(s) + ": " + list(all, awardText)
		}
	}
	return text, nil
}
