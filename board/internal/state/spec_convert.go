package state

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Convert returns the functions that convert entries from one valid spec to another: those of open periods, and those of rankings that are closed or
// baselines. See rules.Convert and rules.ConvertFrozen. Error: one that wraps ErrSpec and
// names every window that has the same name but other periods, and every difference that kept results do not allow.
func ConvertSpec(from, to board.Spec) (open, frozen func(rules.Entry) (rules.Entry, error), err error) {
	var problems []error
	for _, w := range to.Windows {
		i := slices.IndexFunc(from.Windows, func(old window.Window) bool { return old.Label() == w.Label() })
		if i < 0 {
			continue
		}
		if diff := periodDifferences(from.Windows[i], w); diff != nil {
			problems = append(problems, fmt.Errorf("%w %q: window %s has other periods, give it another name: %s",
				board.ErrSpec, to.Name, w.Label(), strings.Join(diff, "; ")))
		}
	}
	problems = append(problems, rollingProblems(from, to)...)
	problems = append(problems, keptProblems(from, to)...)
	if err := from.Leagues.CanFollow(to.Leagues); err != nil {
		problems = append(problems, err)
	}
	if problems != nil {
		return nil, nil, errors.Join(problems...)
	}
	old, err := from.Rules()
	if err != nil {
		return nil, nil, err
	}
	next, err := to.Rules()
	if err != nil {
		return nil, nil, err
	}
	return rules.Convert(old, next), rules.ConvertFrozen(old, next), nil
}

// rollingProblems returns an error for each difference of two specs that a rolling window of both does not allow: its results stay as they are.
func rollingProblems(from, to board.Spec) (problems []error) {
	both := func(w window.Window) bool {
		return w.Kind == window.Rolling && slices.ContainsFunc(from.Windows, func(old window.Window) bool { return old.Label() == w.Label() })
	}
	i := slices.IndexFunc(to.Windows, both)
	if i < 0 {
		return nil
	}
	diffs := ruleDifferences(from, to)
	if from.Journal > 0 && to.Journal == 0 { // arrivals without one may be less than those with it
		diffs = append(diffs, "journal is 0, want at least 1: the order of arrival counts its rows")
	}
	for _, diff := range diffs {
		problems = append(problems, fmt.Errorf("%w %q: window %s keeps its results as they are, give it another name: %s",
			board.ErrSpec, to.Name, to.Windows[i].Label(), diff))
	}
	return problems
}

// ruleDifferences returns the differences of what the scores of two specs mean.
func ruleDifferences(from, to board.Spec) []string {
	from.Windows, from.MaxMeta, from.BestRanks, from.OnceFor, from.Awards, from.Journal = to.Windows, to.MaxMeta, to.BestRanks, to.OnceFor, to.Awards, to.Journal
	from.Feed, from.Leagues = to.Feed, to.Leagues
	return to.Differences(from)
}

// keptProblems returns an error for each difference of two specs that the results of an operator that keeps some do not allow: entries without
// results cannot get any, and results of other rules say nothing about the new ones.
func keptProblems(from, to board.Spec) (problems []error) {
	if from.K == 0 && to.K == 0 {
		return nil
	}
	for _, diff := range ruleDifferences(from, to) {
		problems = append(problems, fmt.Errorf("%w %q: kept results stay as they are, define another board: %s", board.ErrSpec, to.Name, diff))
	}
	return problems
}

// periodDifferences returns the differences of two windows that change their periods. It ignores Grace, Keep, and seasons added at the end.
func periodDifferences(from, to window.Window) []string {
	to.Grace, to.Keep = from.Grace, from.Keep
	to.Seasons = to.Seasons[:min(len(to.Seasons), len(from.Seasons))]
	return to.Differences(from)
}
