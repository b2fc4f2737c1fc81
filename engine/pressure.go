package engine

import "sync/atomic"

// pressure tells when sets take more memory than they may, and when they take less again.
type pressure struct {
	accounts *accounts
	events   *events
	limit    int64       // 0: none
	told     atomic.Bool // EventMemory has been told, and not that it is over
}

// pressed tells, once, that sets take more memory than they may.
func (p *pressure) pressed(used int64) {
	if p.told.CompareAndSwap(false, true) {
		p.events.tell(Event{Kind: EventMemory, Bytes: used})
	}
}

// relieved tells that sets take less again than they may, if pressed has told: less than 7/8, lest it changes all the time.
func (p *pressure) relieved() {
	if !p.told.Load() {
		return
	}
	if used := p.accounts.used.Load(); used <= p.limit-p.limit/8 && p.told.CompareAndSwap(true, false) {
		p.events.tell(Event{Kind: EventMemory, Ended: true, Bytes: used})
	}
}
