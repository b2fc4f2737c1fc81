package session

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Client is one connected client. Its goroutine owns it; fields that other goroutines use say so.
type Client struct {
	Host *Host
	ID   int64
	Conn *conn.Conn
	Out  wire.Writer // replies that have not been sent

	Names   keyspace.Names
	Seq     uint64 // the last commit that the replies in Out depend on
	Closing bool   // no more commands are executed; the replies in Out are sent
	Replies ReplyMode
	Muted   bool // the replies in Out are dropped
	InExec  bool // EXEC is executing: the client must not wait

	txn      Txn             // of Transact, kept so that none is allocated
	Account  *budget.Account // counts the client's memory
	turn     bool            // it has one of the host's turns
	borrowed int             // bytes that the current command has taken beside its reply

	Watched      keyspace.Watch
	WatchedBytes int // about the memory of Watched, counted by Account

	// mu guards the fields below: the owner holds it to change them, others to read them.
	mu sync.Mutex
	Identity
	Multi  *Multi                  // nil: not after MULTI
	wake   context.CancelCauseFunc // ends the wait of the current command; nil: it does not wait
	killed bool                    // no command waits any more
	since  time.Time
	Active atomic.Int64 // when the last request began, in Unix milliseconds
	Last   atomic.Pointer[Command]
}

// Identity is the part of a client's state that its own commands set.
type Identity struct {
	DB                    int
	User                  *auth.User // nil: unauthenticated
	Name, LibName, LibVer string
	NoEvict, NoTouch      bool
}

// Host is the state that all clients of a server share. Its methods may be called from any goroutine.
type Host struct {
	Engine   *engine.Engine
	Space    *keyspace.Space
	Commands Table  // the caller of NewHost sets it
	Config   Config // as NewHost got it; MaxClients and IdleTimeout may have changed since
	Budget   *budget.Budget
	Turns    chan struct{} // holds one value for each turn that a client has: see memory.go
	Rand     *randomness
	// DeferAbove is how many entries a set operation may go through inside a transaction. Tests change it.
	DeferAbove int

	Ctx  context.Context // ends when the server begins to close
	Work context.Context // of deferred set operations; ends when the server stops waiting for them

	MaxClients  atomic.Int64 // CONFIG SET changes it
	IdleTimeout atomic.Int64 // a time.Duration; CONFIG SET changes it
	Clients     registry     // the connected clients
	Waited      waitedKeys   // the keys that clients wait for
	Counters    counters
	AuthDelay   auth.Delay

	wrongAuth, noTLS, evicted ThrottledLog
}

// Config is the options of a host. They have no defaults: the server fills them.
type Config struct {
	Conn         conn.Options
	MaxReply     int
	MaxClients   int
	ClientMemory int64
	Databases    int
	IdleTimeout  time.Duration // 0: none
	Scores       wire.ScoreText
	Users        auth.Users
	Log          *slog.Logger
}

// counters are totals since the server was made, for INFO.
type counters struct {
	Connections atomic.Int64 // accepted
	Refused     atomic.Int64 // because of MaxClients
	Evicted     atomic.Int64 // disconnected because of Config.ClientMemory
}

// Multi is the queue of a client after MULTI.
type Multi struct {
	Steps  []Step
	bytes  int // about its memory, counted by the client's account
	DB     int // database of the next command: SELECT may be among those before it
	Failed bool
}

// Command is a row of the table of commands.
type Command struct {
	Name  string // in lower case; "client|id" of a subcommand
	Arity int    // number of words, the name included; -n: at least n
	Flags command.Flags
	Keys  command.Keys
	// Tx runs the command in a transaction that has locked its keys. If the command has Alone too, Tx runs between MULTI and EXEC only. It
	// writes one reply, or returns an error and has written none. After a command.Refusal the transaction goes on; after any other error it is
	// undone.
	Tx func(t *Txn, a [][]byte) error
	// Alone runs the command outside a transaction: it may call the engine. Without Tx it runs between MULTI and EXEC too, unless the flags
	// have NoMulti, and then must not call the engine.
	Alone func(c *Client, a [][]byte) error
	// Other returns a key beside those of Keys, in a database that the request names; ok is false if it names none.
	Other func(a [][]byte) (db int, key []byte, ok bool)
	Subs  Table // subcommands by their second word; then Tx is nil, and Alone runs the name without a second word
	Doc   command.Doc
	Calls *atomic.Int64 // how often clients have sent it
}

// Table is the commands by name.
type Table map[string]*Command

// Txn is a transaction of a client as commands see it: its keys, and where the reply goes.
type Txn struct {
	keyspace.Tx
	Client *Client
	Out    *wire.Writer // of the client
	Step   Step         // the command that runs
	// Deferrable allows a command that would take long to leave its work to Deferred, which runs after the transaction, and to return an error.
	Deferrable bool
	Deferred   func() error
	repeated   bool // the engine has run the transaction before, and has rolled it back
}

// Step is a command to execute.
type Step struct {
	Command *Command
	Args    [][]byte
	DB      int
}

// registry is the connected clients of a server.
type registry struct {
	mu   sync.Mutex
	last int64 // number of the newest client
	byID map[int64]*Client
}

// ReplyMode says which requests are answered: Redis CLIENT REPLY.
type ReplyMode int

// The modes of CLIENT REPLY.
const (
	AllReplies ReplyMode = iota
	SkipNext             // all but the next
	NoReplies
)

// Update changes fields that mu guards.
func (c *Client) Update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}
