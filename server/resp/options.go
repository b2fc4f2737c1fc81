package resp

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/move"
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// ScoreText says how scores are written.
type ScoreText int

const (
	// Redis72 writes scores as Redis 7.2 and later do, with as few digits as tell them apart: 0.1, 1e+21. The default.
	Redis72 = ScoreText(wire.Redis72)
	// Redis70 writes scores as Redis up to 7.0 does, with 17 digits: 0.10000000000000001.
	Redis70 = ScoreText(wire.Redis70)
)

// Options of a server. The zero value is right for use on this machine.
type Options struct {
	// Boards are the engine's boards: clients use them by BOARD.*, and read their periods with the scores that were submitted. nil: the server
	// has no boards.
	Boards *local.Boards
	// Cluster opens the boards of a cluster, for BOARD.MOVE: cluster.Dial with these options. nil: BOARD.MOVE is refused.
	Cluster func(url string, o ClusterOptions) (ClusterBoards, error)
	// Users are the users of the server; a client must authenticate as one. None: clients need no authentication, and the server listens on
	// this machine only.
	Users []User
	// Scores says how scores are written.
	Scores ScoreText
	// Databases is the number of databases of SELECT. 0 means 16; at most 255.
	Databases int
	// MaxClients is the number of clients that may be connected. 0 means 10,000. It must be lower than the number of files that the process may have open, less
	// 128 for an engine that was opened from a directory: without them writes wait (engine.ErrStalled).
	MaxClients int
	// MaxRequest is how many bytes a request may have, and the commands between MULTI and EXEC together. 0 means 64 MiB.
	MaxRequest int
	// MaxReply is how many bytes a reply may have; one that would have more becomes an error. 0 means 64 MiB.
	MaxReply int
	// MaxPending is how many bytes of replies may wait for a client to read them before its commands wait too. 0 means 64 MiB.
	MaxPending int
	// ClientMemory is how many bytes all clients may hold together, with their requests, replies and transactions. When it is used up, the
	// client that holds most is disconnected, as by Redis maxmemory-clients: see Limits. 0 means 256 MiB; at least LeastClientMemory.
	ClientMemory int64
	// IdleTimeout is how long a client may send nothing before it is disconnected, unless it waits for members. 0 means for ever, as Redis
	// timeout 0.
	IdleTimeout time.Duration
	// SlowTimeout is how long a client may take none of its replies, send less than 64 KiB of an unfinished request, or not authenticate, if it
	// must, before it is disconnected. With TLS the time to authenticate begins after the handshake. 0 means 60 s.
	SlowTimeout time.Duration
	// HandshakeTimeout is how long a client may take for the handshake of TLS before it is disconnected. 0 means 10 s.
	HandshakeTimeout time.Duration
	// Debug allows DEBUG.
	Debug bool
	// Shutdown ends the program. The server calls it, in a goroutine of its own, when a client sends SHUTDOWN. nil: SHUTDOWN is refused.
	Shutdown func()
	// Logger logs clients that are refused or disconnected, and why, wrong passwords and failed TLS handshakes. Events that clients can trigger
	// at will are logged at most once a second, with their number. nil: nothing is logged.
	Logger *slog.Logger
}

// ClusterOptions are what a client of BOARD.MOVE says of the boards on a cluster: Prefix, Partitions and Replicas, as in cluster.Options. What it does not say is zero.
type ClusterOptions struct {
	Prefix               string // of the keys on the cluster
	Partitions, Replicas int    // 0: the default
}

// ClusterBoards is *cluster.Boards.
type ClusterBoards interface {
	move.Boards
	// Close ends the connections.
	Close() error
}

// LeastClientMemory is the least value of Options.ClientMemory, in bytes: one client with small requests and replies needs it.
const LeastClientMemory = 64 << 10

// User is a user of the server.
type User struct {
	// Name is the name in AUTH and HELLO. A client that gives a password alone authenticates as the user default.
	Name string
	// Password is the user's password. It must not be empty.
	Password string
	// Kind says which commands the user may run. The zero value is AnyCommand.
	Kind UserKind
}

// UserKind says which commands a user may run. Each kind but AnyCommand may run what the kinds before it may.
type UserKind uint8

const (
	// AnyCommand lets a user run all commands, also those that administrate the server.
	AnyCommand = UserKind(auth.Any)
	// ReadUser lets a user read keys and boards.
	ReadUser = UserKind(auth.Read)
	// WriteUser lets a user change keys, submit to boards, claim awards and remove members from open periods.
	WriteUser = UserKind(auth.Write)
	// ModerateUser lets a user change what boards keep of a member, as BOARD.BAN does, and read audit logs. They tell the user's name.
	ModerateUser = UserKind(auth.Moderate)
)

// ParseUserKind returns the kind of a name: any, read, write or moderate.
func ParseUserKind(name string) (kind UserKind, ok bool) {
	k, ok := auth.ParseKind(name)
	return UserKind(k), ok
}

// String returns the name that ParseUserKind reads.
func (k UserKind) String() string { return auth.Kind(k).String() }

// Validate returns one error that names every field with an impossible value, or nil.
func (o Options) Validate() error {
	var errs []error
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"Databases", int64(o.Databases)}, {"MaxClients", int64(o.MaxClients)}, {"MaxRequest", int64(o.MaxRequest)},
		{"MaxReply", int64(o.MaxReply)}, {"MaxPending", int64(o.MaxPending)}, {"ClientMemory", o.ClientMemory},
	} {
		if n.value < 0 {
			errs = append(errs, fmt.Errorf("resp: %s is %d, want 0 or more", n.name, n.value))
		}
	}
	for i, d := range []time.Duration{o.IdleTimeout, o.SlowTimeout, o.HandshakeTimeout} {
		if d < 0 {
			errs = append(errs, fmt.Errorf("resp: %s is %v, want 0 or more", []string{"IdleTimeout", "SlowTimeout", "HandshakeTimeout"}[i], d))
		}
	}
	if o.ClientMemory > 0 && o.ClientMemory < LeastClientMemory {
		errs = append(errs, fmt.Errorf("resp: ClientMemory is %d, want 0 or at least %d", o.ClientMemory, LeastClientMemory))
	}
	if o.Databases > keyspace.MaxDatabases {
		errs = append(errs, fmt.Errorf("resp: Databases is %d, want at most %d", o.Databases, keyspace.MaxDatabases))
	}
	names := map[string]bool{}
	for _, u := range o.Users {
		if u.Name == "" || u.Password == "" {
			errs = append(errs, fmt.Errorf("resp: user %q has no name or no password", u.Name))
		}
		if !auth.Kind(u.Kind).Valid() {
			errs = append(errs, fmt.Errorf("resp: user %q is of kind %d, want AnyCommand, ReadUser, WriteUser or ModerateUser", u.Name, u.Kind))
		}
		if names[u.Name] {
			errs = append(errs, fmt.Errorf("resp: there are two users %q", u.Name))
		}
		names[u.Name] = true
	}
	return errors.Join(errs...)
}

// filled returns the options with defaults in place of zeros.
func (o Options) filled() Options {
	o.Databases = either(o.Databases, 16)
	o.MaxClients = either(o.MaxClients, 10_000)
	o.MaxRequest = either(o.MaxRequest, 64<<20)
	o.MaxReply = either(o.MaxReply, 64<<20)
	o.MaxPending = either(o.MaxPending, 64<<20)
	o.ClientMemory = either(o.ClientMemory, 256<<20)
	o.SlowTimeout = either(o.SlowTimeout, time.Minute)
	o.HandshakeTimeout = either(o.HandshakeTimeout, 10*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func either[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
