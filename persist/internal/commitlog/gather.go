package commitlog

import "time"

// Before a round the committer lets commits gather, so that one flush serves many.
//
// At Sync it waits for callers that are about to come back: those that the last flush has woken make their next commit soon, if they make
// one. It waits until all have, or for as long as commits keep coming, each within the time of a flush after the one before: so a caller
// waits no longer for others than it would have waited for a flush that left without it. A caller that is alone never waits.
//
// At the other levels it waits if no caller waits for it.

// GatherTime is the longest time for which the committer lets commits gather. A round costs as much as many commits, and takes processor
// time from the callers. With clients that wait for each answer, writing at once halves their throughput.
const GatherTime = time.Millisecond

// gather lets commits gather after a wake, and reports whether the interval is over.
func (l *Log) gather(ticks <-chan time.Time) (due bool) {
	if l.wait {
		l.gatherReturning()
		return false
	}
	return !l.urgent() && l.pause(GatherTime, ticks)
}

// pause waits for a time, for the next wake or for the interval to be over, and reports whether it is over. Append does not wake the committer
// while the queue is not empty, so at levels that do not wait for the disk a wake here is a flush, a job or Close.
func (l *Log) pause(d time.Duration, ticks <-chan time.Time) (due bool) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.wake:
	case <-ticks:
		return true
	}
	return false
}

// gatherReturning is gather at Sync.
func (l *Log) gatherReturning() {
	end := time.Now().Add(GatherTime)
	step := min(l.committer.flush, GatherTime)
	for seen := uint64(0); step > 0 && l.await(&seen); step = min(l.committer.flush, time.Until(end)) {
		l.pause(step, nil)
	}
	l.mu.Lock()
	l.awaited = 0
	l.mu.Unlock()
}

// await reports whether there is something to wait for: fewer commits are queued than expected, and there are more of them than seen. It sets
// seen to their number, and makes Append wake the committer at the last one expected.
func (l *Log) await(seen *uint64) bool {
	if l.urgent() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	queued := l.Last.Load() - l.taken
	if queued <= *seen || queued >= l.committer.expected {
		return false
	}
	*seen, l.awaited = queued, l.taken+l.committer.expected
	return true
}

// urgent reports whether the next round must not wait: the store is closing, or a caller waits for a job, a flush or room in the queue.
func (l *Log) urgent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.DB.IsClosing() || len(l.jobs) > 0 || l.flushTo > l.durable.Load() || l.held()
}
