package resp

import (
	"math"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// settings are what CONFIG SET changes, beside the engine's.
type settings struct {
	mu            sync.Mutex   // CONFIG SET changes one or several
	intsetEntries atomic.Int64 // above which a plain set of integers becomes a hashtable
	idle          atomic.Int64 // Options.IdleTimeout as it is now
}

func (s *settings) init(o Options) {
	s.intsetEntries.Store(512)
	s.idle.Store(int64(o.IdleTimeout))
}

// idleTimeout returns how long a client may send nothing; 0: for ever.
func (s *settings) idleTimeout() time.Duration { return time.Duration(s.idle.Load()) }

// parameter is a setting. Those without set are what the server was made with, or what it always does: they can only be set to what
// they are, and those that no server of Redis changes not at all.
type parameter struct {
	name        string
	get         func(*Server) string
	set         func(*Server, int64)
	immutable   bool
	least, most int64
	bytes       bool // a number of bytes, as 1kb
}

// parameters are all settings, by name.
var parameters = []parameter{
	{name: "appendfsync", get: appendfsync},
	{name: "appendonly", get: func(s *Server) string { return yesNo(s.e.Settings().Stored) }},
	{name: "bind", get: func(s *Server) string { host, _ := s.address(); return host }},
	{name: "client-output-buffer-limit", get: func(s *Server) string {
		return "normal " + strconv.Itoa(s.o.MaxPending) + " 0 0 slave 0 0 0 pubsub 0 0 0"
	}},
	{name: "databases", get: func(s *Server) string { return strconv.Itoa(s.o.Databases) }, immutable: true},
	{name: "enable-debug-command", get: func(s *Server) string { return yesNo(s.o.Debug) }, immutable: true},
	{name: "maxclients", get: func(s *Server) string { return strconv.Itoa(s.maxClients()) }, set: (*Server).setMaxClients, least: 1, most: math.MaxUint32},
	{name: "maxmemory", get: func(s *Server) string { return strconv.FormatInt(s.e.Settings().MemoryLimit, 10) }},
	{name: "maxmemory-clients", get: func(s *Server) string { return strconv.FormatInt(s.o.ClientMemory, 10) }},
	{name: "maxmemory-policy", get: always("noeviction")},
	{name: "port", get: func(s *Server) string { _, port := s.address(); return port }},
	{name: "proto-max-bulk-len", get: func(s *Server) string { return strconv.Itoa(s.o.MaxRequest) }},
	{name: "requirepass", get: always("")},
	{name: "save", get: always("")},
	{name: "set-max-intset-entries", get: func(s *Server) string { return strconv.FormatInt(s.settings.intsetEntries.Load(), 10) },
		set: func(s *Server, n int64) { s.settings.intsetEntries.Store(n) }, most: math.MaxInt64},
	{name: "timeout", get: func(s *Server) string { return strconv.Itoa(int(s.settings.idleTimeout().Seconds())) },
		set: func(s *Server, n int64) { s.settings.idle.Store(n * int64(time.Second)) }, most: math.MaxInt32},
	{name: "zset-max-listpack-entries", get: listpackEntries, set: setListpackEntries, most: math.MaxInt64},
	{name: "zset-max-listpack-value", get: listpackValue, set: setListpackValue, most: math.MaxInt64, bytes: true},
	{name: "zset-max-ziplist-entries", get: listpackEntries, set: setListpackEntries, most: math.MaxInt64},
	{name: "zset-max-ziplist-value", get: listpackValue, set: setListpackValue, most: math.MaxInt64, bytes: true},
}

func always(value string) func(*Server) string { return func(*Server) string { return value } }

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// appendfsync is the engine's durability as Redis calls the like.
func appendfsync(s *Server) string {
	set := s.e.Settings()
	switch {
	case set.Stored && set.Durability == engine.Sync:
		return "always"
	case set.Stored && set.Durability == engine.Interval:
		return "everysec"
	}
	return "no"
}

func listpackEntries(s *Server) string { n, _ := s.e.Listpack(); return strconv.Itoa(n) }
func listpackValue(s *Server) string   { _, n := s.e.Listpack(); return strconv.Itoa(n) }

func setListpackEntries(s *Server, n int64) {
	_, member := s.e.Listpack()
	s.e.SetListpack(int(min(n, math.MaxInt32)), member)
}

func setListpackValue(s *Server, n int64) {
	entries, _ := s.e.Listpack()
	s.e.SetListpack(entries, int(min(n, math.MaxInt32)))
}

func (s *Server) maxClients() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o.MaxClients
}

func (s *Server) setMaxClients(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.o.MaxClients = int(n)
}

// address returns where the server listens: of several TCP addresses, one. The port is 0 if there is none.
func (s *Server) address() (host, port string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	host, port = "", "0"
	for l := range s.listeners {
		if h, p, err := net.SplitHostPort(l.Addr().String()); err == nil && (host == "" || strings.Compare(p, port) < 0) {
			host, port = h, p
		}
	}
	return host, port
}
