package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Passes is the number of turns of a spot.
const Passes = 5

// warmup is the divisor of For that gives the time of the warm-up.
const warmup = 4

// Spot is one line, measured in some turns: callers in a closed loop.
type Spot struct {
	Line    string
	Callers int
	// Call makes the next calls of one caller and returns their number; nil: the system skips the turn.
	Call func(id int) (calls int, err error)
	// Timed means that each turn also times single calls, in a second loop of the same length. The counted loop reads no clock.
	Timed bool
	// Clocked means that the counted calls are timed, where a look at the clock is nothing beside a call.
	Clocked bool
	// CPU returns the CPU time of another process that does the work; nil: it has no figure.
	CPU func() (time.Duration, error)
	// Run measures one turn in a way of its own, in place of Call. It gets the number of calls that the last other turn made. Figures then
	// returns the figures of all turns.
	Run     func(calls int) error
	Figures func() figure.Figures
	// Units is the number of units of the rate in a call; 0: 1.
	Units int
}

// Turns is a session whose spots take one turn after the other.
type Turns struct {
	Spots []Spot
	For   time.Duration // of a spot, in all its turns
	// Halt and Resume stop and continue another process of the system; nil: there is none.
	Halt, Resume func() error
	// Finish checks and closes the system. It gets the number of calls, warm-up included.
	Finish func(calls int) error
	More   []Sample // besides those of the spots; Finish may add some

	turn  int
	calls int
	last  int // calls of the last turn
	found []tally
}

type tally struct {
	calls     int
	took, cpu time.Duration
	times     []*crew.Recorder // of each caller
}

// Turn measures the next spot. After the last spot comes the first.
func (s *Turns) Turn() (err error) {
	if s.found == nil {
		s.found = make([]tally, len(s.Spots))
	}
	at, first := s.turn%len(s.Spots), s.turn < len(s.Spots)
	if s.turn++; s.Spots[at].Call == nil && s.Spots[at].Run == nil {
		return nil
	}
	if s.Resume != nil {
		err = s.Resume()
	}
	if err == nil {
		if run := s.Spots[at].Run; run != nil {
			err = run(s.last)
		} else {
			err = s.measure(s.Spots[at], &s.found[at], first)
		}
	}
	if s.Halt != nil {
		err = errors.Join(err, s.Halt())
	}
	return err
}

func (s *Turns) measure(spot Spot, t *tally, first bool) error {
	if first {
		for range spot.Callers {
			t.times = append(t.times, crew.NewRecorder())
		}
		calls, _, err := crew.Loop(spot.Callers, s.For/warmup, spot.Call)
		s.calls += calls
		if err != nil {
			return err
		}
	}
	timed := func(id int) (int, error) {
		start := time.Now()
		n, err := spot.Call(id)
		t.times[id].Record(time.Since(start))
		return n, err
	}
	if err := s.count(spot, t, timed); err != nil || !spot.Timed {
		return err
	}
	calls, _, err := crew.Loop(spot.Callers, s.For/Passes, timed)
	s.calls += calls
	return err
}

// count counts the calls of a turn.
func (s *Turns) count(spot Spot, t *tally, timed func(id int) (int, error)) error {
	call, cpu := spot.Call, spot.CPU
	if spot.Clocked {
		call = timed
	}
	if cpu == nil {
		cpu = func() (time.Duration, error) { return 0, nil }
	}
	before, err := cpu()
	if err != nil {
		return err
	}
	calls, took, err := crew.Loop(spot.Callers, s.For/Passes, call)
	t.calls, t.took, s.calls, s.last = t.calls+calls, t.took+took, s.calls+calls, calls
	after, failed := cpu()
	t.cpu += after - before
	return errors.Join(err, failed)
}

// End closes the system and returns a sample for each spot that had a turn.
func (s *Turns) End() (found []Sample, err error) {
	if s.Resume != nil {
		err = s.Resume()
	}
	if err = errors.Join(err, s.Finish(s.calls)); err != nil {
		return nil, err
	}
	found = s.More
	for i, spot := range s.Spots[:min(s.turn, len(s.Spots))] {
		switch {
		case spot.Run != nil:
			found = append(found, Sample{Line: spot.Line, Figures: spot.Figures()})
		case spot.Call != nil:
			found = append(found, Sample{Line: spot.Line, Figures: s.found[i].figures(max(1, spot.Units))})
		}
	}
	return found, nil
}

// figures returns the rate, in units, and the percentiles of all callers.
func (t *tally) figures(units int) figure.Figures {
	f := figure.Figures{figure.Rate: float64(t.calls*units) / t.took.Seconds()}
	if t.cpu > 0 {
		f[figure.CPUCall] = float64(t.cpu) / float64(t.calls)
	}
	crew.Merge(t.times).Into(f)
	return f
}

// Want returns an error if a count is not the expected one.
func Want(what string, found, want int) error {
	if found != want {
		return fmt.Errorf("%d %s at the end, want %d", found, what, want)
	}
	return nil
}

// Milliseconds converts a duration for a figure.
func Milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
