package crew

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

const (
	// Writers is the number of writers. It is large, so that a slow flush does not make a writer late for its next call.
	Writers = 64
	// Each is the time between two calls of one writer in its timetable: 4,000 calls a second in all.
	Each = 16 * time.Millisecond
)

// Call is one call of a writer: when it was due, when it began and when it ended, by the crew's clock.
type Call struct{ Due, Begin, End time.Duration }

// Window is a time by the crew's clock.
type Window struct{ From, To time.Duration }

// Crew is the writers at work.
type Crew struct {
	start time.Time
	stop  atomic.Bool
	all   sync.WaitGroup
	calls [Writers][]Call
	errs  [Writers]error

	windows []Window      // in which calls count
	took    time.Duration // of the event of Watch; 0: there was none
}

// Hire starts the writers. train returns the function that makes the i-th call of writer id. Each writer has a goroutine.
func Hire(train func(id int) func(i int) error) *Crew {
	c := &Crew{start: time.Now()}
	for id := range Writers {
		write := train(id)
		c.all.Go(func() { c.work(id, write) })
	}
	return c
}

// work makes the calls of one writer at fixed times.
func (c *Crew) work(id int, write func(i int) error) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for i := 0; !c.stop.Load(); i++ {
		due := time.Duration(i)*Each + time.Duration(id)*Each/Writers
		if early := due - c.Now(); early > 0 {
			timer.Reset(early)
			<-timer.C
		}
		begin := c.Now()
		if err := write(i); err != nil {
			c.errs[id] = err
			return
		}
		c.calls[id] = append(c.calls[id], Call{due, begin, c.Now()})
	}
}

// Now returns the time since the crew was hired.
func (c *Crew) Now() time.Duration { return time.Since(c.start) }

// During makes calls count during an event, and returns how long it took.
func (c *Crew) During(event func() error) (took time.Duration, err error) {
	from := c.Now()
	err = event()
	to := c.Now()
	c.windows = append(c.windows, Window{from, to})
	return to - from, err
}

// Dismiss stops the writers.
func (c *Crew) Dismiss() error {
	c.stop.Store(true)
	c.all.Wait()
	return errors.Join(c.errs[:]...)
}

// Latency returns the time from when the call was due to its end.
func (c Call) Latency() time.Duration { return c.End - c.Due }

// Took returns the time from the beginning of the call to its end: what it has waited for the processor before is not in it.
func (c Call) Took() time.Duration { return c.End - c.Begin }

// Within records a time of each call that was due or running in one of the windows.
func Within(r *Recorder, calls []Call, windows []Window, of func(Call) time.Duration) {
	for _, c := range calls {
		for _, w := range windows {
			if c.Due < w.To && c.End > w.From {
				r.Record(of(c))
				break
			}
		}
	}
}

// Pause waits.
func Pause(d time.Duration) { <-time.After(d) }

// Watch runs an event among the writers of a crew, or nothing if event is nil, and dismisses them. The writers start before the event, and no
// longer before it than they go on after it. Calls count from the beginning of the event until they stop.
func Watch(before, after time.Duration, train func(id int) func(i int) error, event func() error) (*Crew, error) {
	c := Hire(train)
	Pause(min(before, after))
	_, err := c.During(func() (err error) {
		if event != nil {
			from := c.Now()
			err = event()
			c.took = c.Now() - from
		}
		Pause(after)
		return err
	})
	return c, errors.Join(err, c.Dismiss())
}

// Figures returns the latencies of writer first and of each step-th after it, once they are dismissed, and the time that the event took.
func (c *Crew) Figures(first, step int) figure.Figures {
	times, f := NewRecorder(), figure.Figures{}
	c.record(times, first, step, Call.Latency)
	times.Into(f)
	if c.took > 0 {
		f[figure.Took] = c.took.Seconds() * 1000
	}
	return f
}

// Times records a time of each call of all writers, once they are dismissed.
func (c *Crew) Times(times *Recorder, of func(Call) time.Duration) { c.record(times, 0, 1, of) }

func (c *Crew) record(times *Recorder, first, step int, of func(Call) time.Duration) {
	for id := first; id < Writers; id += step {
		Within(times, c.calls[id], c.windows, of)
	}
}

// Loop runs callers in closed loops for some time. turn makes the next calls of one caller, in the caller's goroutine, and returns their
// number. Each caller has at least one turn. Loop returns the number of calls and the time they took.
func Loop(callers int, long time.Duration, turn func(id int) (calls int, err error)) (calls int, took time.Duration, err error) {
	var stop atomic.Bool
	var all sync.WaitGroup
	made, errs := make([]int, callers), make([]error, callers)
	timer := time.AfterFunc(long, func() { stop.Store(true) })
	defer timer.Stop()
	start := time.Now()
	for id := range callers {
		all.Go(func() { made[id], errs[id] = until(&stop, id, turn) })
	}
	all.Wait()
	took = time.Since(start)
	for _, n := range made {
		calls += n
	}
	return calls, took, errors.Join(errs...)
}

// until runs one caller until stop is set.
func until(stop *atomic.Bool, id int, turn func(id int) (int, error)) (calls int, err error) {
	for {
		n, err := turn(id)
		if err != nil {
			return calls, err
		}
		if calls += n; stop.Load() {
			return calls, nil
		}
	}
}
