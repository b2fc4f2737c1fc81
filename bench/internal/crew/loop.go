package crew

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Loop lets callers call for a while, each as soon as its last call has returned: a closed loop. turn makes the next calls of one
// caller, in a goroutine of the caller's, and says how many they were. Everyone has one turn at least. Loop returns how many calls
// there were and how long they took.
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

// until has one caller call.
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
