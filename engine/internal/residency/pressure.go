package residency

import (
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/observe"
)

// Pressure reports when sets take more memory than the limit, and when they take less again.
type Pressure struct {
	Accounts *keyspace.Accounts
	Events   *observe.Dispatcher
	Limit    int64       // 0: none
	reported atomic.Bool // EventMemory has been emitted, and not yet with Ended
}

// Pressed reports, once, that sets take more memory than the limit.
func (p *Pressure) Pressed(used int64) {
	if p.reported.CompareAndSwap(false, true) {
		p.Events.Emit(observe.Event{Kind: observe.EventMemory, Bytes: used})
	}
}

// Relieved reports, if Pressed has reported, that sets take less than 7/8 of the limit. The eighth keeps the two from alternating all the
// time.
func (p *Pressure) Relieved() {
	if !p.reported.Load() {
		return
	}
	if used := p.Accounts.Used.Load(); used <= p.Limit-p.Limit/8 && p.reported.CompareAndSwap(true, false) {
		p.Events.Emit(observe.Event{Kind: observe.EventMemory, Ended: true, Bytes: used})
	}
}
