package catalog

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Bans is which members of a board are banned. The bans of erased members are kept by the salted hashes of their names.
//
// A ban begins before its transaction looks which periods are open, and a submission notes its period as open before it asks for bans. So of a
// submission and a ban at the same time one sees the other.
type Bans struct {
	deciding sync.Mutex // held while bans of the board begin or end, until that is committed and noted here

	any atomic.Bool // there may be some

	mu     sync.RWMutex
	of     map[string]ban
	hashes map[string]bool // of erased members
	salt   []byte          // valid if there are hashes
}

// ban is the state of a ban.
type ban uint8

const (
	notBanned ban = iota
	banning       // its transaction is not committed yet
	banned
)

// Check returns ErrBanned if a member is banned, and ErrAgain if that is being decided. O(1).
func (l *Bans) Check(member []byte) error {
	if !l.any.Load() {
		return nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	switch l.state(member) {
	case banning:
		return state.ErrAgain
	case banned:
		return board.ErrBanned
	}
	return nil
}

// state returns the state of a member. The caller holds mu.
func (l *Bans) state(member []byte) ban {
	if s := l.of[string(member)]; s != notBanned || len(l.hashes) == 0 {
		return s
	}
	if l.hashes[auditlog.HashWith(l.salt, string(member))] {
		return banned
	}
	return notBanned
}

// Has reports whether a member is banned. O(1).
func (l *Bans) Has(member string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state([]byte(member)) == banned
}

// Decide keeps other goroutines from beginning or ending bans until done is called. The caller is in no transaction, and holds no lock of the board.
func (l *Bans) Decide() (done func()) {
	l.deciding.Lock()
	return l.deciding.Unlock
}

// Begin makes a member one whose ban is being decided. The caller has called Decide. end says whether its transaction has committed. Error: ErrBanned.
func (l *Bans) Begin(member string) (end func(committed bool), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state([]byte(member)) != notBanned {
		return nil, fmt.Errorf("%w: %q", board.ErrBanned, member)
	}
	l.set(member, banning)
	return func(committed bool) { l.Set(member, committed) }, nil
}

// Set notes that a member is banned, or not any more.
func (l *Bans) Set(member string, is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if is {
		l.set(member, banned)
		return
	}
	delete(l.of, member)
	if len(l.hashes) > 0 {
		delete(l.hashes, auditlog.HashWith(l.salt, member))
	}
	l.any.Store(len(l.of) > 0 || len(l.hashes) > 0)
}

// set sets the state of a member. The caller holds mu.
func (l *Bans) set(member string, s ban) {
	if l.of == nil {
		l.of = map[string]ban{}
	}
	l.of[member] = s
	l.any.Store(true)
}

// Erase notes that a banned member has been erased: its ban is kept by the hash of its name.
func (l *Bans) Erase(member string, salt []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.of, member)
	l.setHash(auditlog.HashWith(salt, member), salt)
}

// setHash notes the hash of an erased member that is banned. The caller holds mu, or nobody else has the Bans.
func (l *Bans) setHash(hash string, salt []byte) {
	if l.hashes == nil {
		l.hashes = map[string]bool{}
	}
	l.hashes[hash], l.salt = true, salt
	l.any.Store(true)
}
