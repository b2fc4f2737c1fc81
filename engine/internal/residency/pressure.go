package residency

import (
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/observe"
)

// Pressure tells when sets take more memory than they may, and when they take less again.
type Pressure struct {
	Accounts *keyspace.Accounts
	Events   *observe.Dispatcher
	Limit    int64       // 0: none
	told     atomic.Bool // EventMemory has been told, and not that it is over
}

// Pressed tells, once, that sets take more memory than they may.
func (p *Pressure) Pressed(used int64) {
	if p.told.CompareAndSwap(false, true) {
		p.Events.Tell(observe.Event{Kind: observe.EventMemory, Bytes: used})
	}
}

// Relieved tells that sets take less again than they may, if pressed has told: less than 7/8, lest it changes all the time.
func (p *Pressure) Relieved() {
	if !p.told.Load() {
		return
	}
	if used := p.Accounts.Used.Load(); used <= p.Limit-p.Limit/8 && p.told.CompareAndSwap(true, false) {
		p.Events.Tell(observe.Event{Kind: observe.EventMemory, Ended: true, Bytes: used})
	}
}
