package resp

import (
	"math"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// parameter is a setting. Those without set are what the server was made with, or what it always does: they can only be set to what
// they are, and those that no server of Redis changes not at all.
type parameter struct {
	name        string
	get         func(*adminServer) string
	set         func(*adminServer, int64)
	immutable   bool
	least, most int64
	bytes       bool // a number of bytes, as 1kb
}

// parameters are all settings, by name.
var parameters = []parameter{
	{name: "appendfsync", get: appendfsync},
	{name: "appendonly", get: func(s *adminServer) string { return yesNo(s.host.e.Settings().Stored) }},
	{name: "bind", get: func(s *adminServer) string { host, _ := s.listeners.address(); return host }},
	{name: "client-output-buffer-limit", get: func(s *adminServer) string {
		return "normal " + strconv.Itoa(s.host.o.conn.maxPending) + " 0 0 slave 0 0 0 pubsub 0 0 0"
	}},
	{name: "databases", get: func(s *adminServer) string { return strconv.Itoa(s.host.o.databases) }, immutable: true},
	{name: "enable-debug-command", get: func(s *adminServer) string { return yesNo(s.o.debug) }, immutable: true},
	{name: "maxclients", get: func(s *adminServer) string { return strconv.FormatInt(s.host.maxClients.Load(), 10) }, set: func(s *adminServer, n int64) { s.host.maxClients.Store(n) }, least: 1, most: math.MaxUint32},
	{name: "maxmemory", get: func(s *adminServer) string { return strconv.FormatInt(s.host.e.Settings().MemoryLimit, 10) }},
	{name: "maxmemory-clients", get: func(s *adminServer) string { return strconv.FormatInt(s.host.o.clientMemory, 10) }},
	{name: "maxmemory-policy", get: always("noeviction")},
	{name: "port", get: func(s *adminServer) string { _, port := s.listeners.address(); return port }},
	{name: "proto-max-bulk-len", get: func(s *adminServer) string { return strconv.Itoa(s.host.o.conn.maxRequest) }},
	{name: "requirepass", get: always("")},
	{name: "save", get: always("")},
	{name: "set-max-intset-entries", get: func(s *adminServer) string { return strconv.FormatInt(s.host.space.intsetEntries.Load(), 10) },
		set: func(s *adminServer, n int64) { s.host.space.intsetEntries.Store(n) }, most: math.MaxInt64},
	{name: "timeout", get: func(s *adminServer) string {
		return strconv.Itoa(int(time.Duration(s.host.idleTimeout.Load()).Seconds()))
	},
		set: func(s *adminServer, n int64) { s.host.idleTimeout.Store(n * int64(time.Second)) }, most: math.MaxInt32},
	{name: "zset-max-listpack-entries", get: listpackEntries, set: setListpackEntries, most: math.MaxInt64},
	{name: "zset-max-listpack-value", get: listpackValue, set: setListpackValue, most: math.MaxInt64, bytes: true},
	{name: "zset-max-ziplist-entries", get: listpackEntries, set: setListpackEntries, most: math.MaxInt64},
	{name: "zset-max-ziplist-value", get: listpackValue, set: setListpackValue, most: math.MaxInt64, bytes: true},
}

func always(value string) func(*adminServer) string {
	return func(*adminServer) string { return value }
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// appendfsync is the engine's durability as Redis calls the like.
func appendfsync(s *adminServer) string {
	set := s.host.e.Settings()
	switch {
	case set.Stored && set.Durability == engine.Sync:
		return "always"
	case set.Stored && set.Durability == engine.Interval:
		return "everysec"
	}
	return "no"
}

func listpackEntries(s *adminServer) string { n, _ := s.host.e.Listpack(); return strconv.Itoa(n) }
func listpackValue(s *adminServer) string   { _, n := s.host.e.Listpack(); return strconv.Itoa(n) }

func setListpackEntries(s *adminServer, n int64) {
	_, member := s.host.e.Listpack()
	s.host.e.SetListpack(int(min(n, math.MaxInt32)), member)
}

func setListpackValue(s *adminServer, n int64) {
	entries, _ := s.host.e.Listpack()
	s.host.e.SetListpack(entries, int(min(n, math.MaxInt32)))
}
