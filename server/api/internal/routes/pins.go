package routes

import (
	"encoding/base64"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/zrankdb/zrank/board"
)

// pins are rankings that callers have pinned. Each stays until it has not been used for a while.
type pins struct {
	now  func() time.Time
	ids  io.Reader     // of random bytes
	most int           // how many there may be
	rows int           // how many members they may have together
	keep time.Duration // how long each stays after its last use
	mu   sync.Mutex
	held map[string]*pin
}

type pin struct {
	ranking board.Ranking
	members int
	used    time.Time
	by      string // who has pinned it: no other caller may read it
}

func newPins(now func() time.Time, ids io.Reader, most, rows int, keep time.Duration) *pins {
	return &pins{now: now, ids: ids, most: most, rows: rows, keep: keep, held: map[string]*pin{}}
}

// expire drops the pins that have not been used for long enough. The caller holds mu.
func (p *pins) expire(now time.Time) {
	for id, x := range p.held {
		if now.Sub(x.used) >= p.keep {
			delete(p.held, id)
		}
	}
}

// reserve makes room for a ranking of some members and returns its id. Errors: errPins, errPinned.
func (p *pins) reserve(caller string, members int) (id string, err error) {
	var random [16]byte
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := io.ReadFull(p.ids, random[:]); err != nil {
		return "", fmt.Errorf("api: no random bytes: %w", err)
	}
	now := p.now()
	p.expire(now)
	held := 0
	for _, x := range p.held {
		held += x.members
	}
	switch {
	case len(p.held) >= p.most:
		return "", errPins
	case held+members > p.rows:
		return "", fmt.Errorf("%w: they have %d members, and this one %d: at most %d", errPins, held, members, p.rows)
	}
	id = base64.RawURLEncoding.EncodeToString(random[:])
	p.held[id] = &pin{used: now, by: caller, members: members}
	return id, nil
}

// put keeps a ranking for which there is room.
func (p *pins) put(id string, k board.Ranking) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.held[id]; x != nil { // it has not expired meanwhile
		x.ranking, x.used = k, p.now()
	}
}

// get returns a pinned ranking of a caller. Error: errPin.
func (p *pins) get(caller, id string) (board.Ranking, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.expire(now)
	x := p.held[id]
	if x == nil || x.ranking == nil || x.by != caller {
		return nil, errPin
	}
	x.used = now
	return x.ranking, nil
}

// drop drops a pinned ranking of a caller.
func (p *pins) drop(caller, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.held[id]; x != nil && x.by == caller {
		delete(p.held, id)
	}
}
