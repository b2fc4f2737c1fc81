package main

import (
	"fmt"
	"time"
)

// timed is a run that was made.
type timed struct {
	task
	seconds float64
}

// pace is how long the runs took so far.
type pace []timed

// What a run is taken to cost before any of its size was made: loops that end by their budgets, and passes over the members.
const (
	secondsARun    = 5
	secondsAMember = 20e-6
)

// left estimates how long the rest takes.
func (p pace) left(rest []task) string {
	seconds := 0.0
	for _, t := range rest {
		seconds += p.guess(t)
	}
	if d := time.Duration(seconds) * time.Second; d >= 2*time.Minute {
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f s", seconds)
}

// guess returns the mean of the peer's runs of this size, or of all peers' if it had none.
func (p pace) guess(t task) float64 {
	var own, all, ownRuns, allRuns float64
	for _, done := range p {
		if done.n != t.n {
			continue
		}
		all += done.seconds
		allRuns++
		if done.peer.Name == t.peer.Name {
			own += done.seconds
			ownRuns++
		}
	}
	switch {
	case ownRuns > 0:
		return own / ownRuns
	case allRuns > 0:
		return all / allRuns
	}
	return secondsARun + secondsAMember*float64(t.n)
}
