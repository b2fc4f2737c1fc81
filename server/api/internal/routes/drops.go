package routes

import (
	"sync"
	"time"
)

// drops says when boards were dropped. A board that is defined anew has forgotten which tickets were used, so those of the former one are refused, as long as they are valid. It is
// in memory: a restart forgets it.
type drops struct {
	keep time.Duration // how long tickets are valid
	mu   sync.Mutex
	at   map[string]time.Time
}

func newDrops(keep time.Duration) *drops { return &drops{keep: keep, at: map[string]time.Time{}} }

// note notes that a board is dropped.
func (d *drops) note(board string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, at := range d.at {
		if now.Sub(at) > d.keep+time.Minute {
			delete(d.at, name)
		}
	}
	d.at[board] = now
}

// covers reports whether a board may have been dropped since a time in whole seconds.
func (d *drops) covers(board string, issued time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.at[board]
	return ok && !issued.After(at)
}
