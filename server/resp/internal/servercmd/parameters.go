package servercmd

import (
	"math"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// parameter is a setting. If set is nil, the setting is fixed: CONFIG SET accepts only its present value. If immutable is set, CONFIG SET
// refuses every value, as in Redis.
type parameter struct {
	name        string
	get         func(*server) string
	set         func(*server, int64)
	immutable   bool
	least, most int64
	bytes       bool // a number of bytes, as 1kb
}

// Parameters are all settings, by name.
var Parameters = []parameter{
	{name: "appendfsync", get: appendfsync},
	{name: "appendonly", get: func(s *server) string { return yesNo(s.host.Engine.Settings().Stored) }},
	{name: "bind", get: func(s *server) string { host, _ := s.listeners.Address(); return host }},
	{name: "client-output-buffer-limit", get: func(s *server) string {
		return "normal " + strconv.Itoa(s.host.Config.Conn.MaxPending) + " 0 0 slave 0 0 0 pubsub 0 0 0"
	}},
	{name: "databases", get: func(s *server) string { return strconv.Itoa(s.host.Config.Databases) }, immutable: true},
	{name: "enable-debug-command", get: func(s *server) string { return yesNo(s.o.Debug) }, immutable: true},
	{name: "maxclients", get: func(s *server) string { return strconv.FormatInt(s.host.MaxClients.Load(), 10) }, set: func(s *server, n int64) { s.host.MaxClients.Store(n) }, least: 1, most: math.MaxUint32},
	{name: "maxmemory", get: func(s *server) string { return strconv.FormatInt(s.host.Engine.Settings().MemoryLimit, 10) }},
	{name: "maxmemory-clients", get: func(s *server) string { return strconv.FormatInt(s.host.Config.ClientMemory, 10) }},
	{name: "maxmemory-policy", get: always("noeviction")},
	{name: "port", get: func(s *server) string { _, port := s.listeners.Address(); return port }},
	{name: "proto-max-bulk-len", get: func(s *server) string { return strconv.Itoa(s.host.Config.Conn.MaxRequest) }},
	{name: "rdbcompression", get: always("yes")},
	{name: "requirepass", get: always("")},
	{name: "save", get: always("")},
	{name: "set-max-intset-entries", get: func(s *server) string { return strconv.FormatInt(s.host.Space.IntsetEntries.Load(), 10) },
		set: func(s *server, n int64) { s.host.Space.IntsetEntries.Store(n) }, most: math.MaxInt64},
	{name: "timeout", get: func(s *server) string {
		return strconv.Itoa(int(time.Duration(s.host.IdleTimeout.Load()).Seconds()))
	},
		set: func(s *server, n int64) { s.host.IdleTimeout.Store(n * int64(time.Second)) }, most: math.MaxInt32},
	{name: "zset-max-listpack-entries", get: listpackEntries, set: setListpackEntries, most: math.MaxInt64},
	{name: "zset-max-listpack-value", get: listpackValue, set: setListpackValue, most: math.MaxInt64, bytes: true},
	{name: "zset-max-ziplist-entries", get: listpackEntries, set: setListpackEntries, most: math.MaxInt64},
	{name: "zset-max-ziplist-value", get: listpackValue, set: setListpackValue, most: math.MaxInt64, bytes: true},
}

func always(value string) func(*server) string {
	return func(*server) string { return value }
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// appendfsync returns the engine's durability in the words of Redis.
func appendfsync(s *server) string {
	set := s.host.Engine.Settings()
	switch {
	case set.Stored && set.Durability == engine.Sync:
		return "always"
	case set.Stored && set.Durability == engine.Interval:
		return "everysec"
	}
	return "no"
}

func listpackEntries(s *server) string { n, _ := s.host.Engine.Listpack(); return strconv.Itoa(n) }
func listpackValue(s *server) string   { _, n := s.host.Engine.Listpack(); return strconv.Itoa(n) }

func setListpackEntries(s *server, n int64) {
	_, member := s.host.Engine.Listpack()
	s.host.Engine.SetListpack(int(min(n, math.MaxInt32)), member)
}

func setListpackValue(s *server, n int64) {
	entries, _ := s.host.Engine.Listpack()
	s.host.Engine.SetListpack(entries, int(min(n, math.MaxInt32)))
}
