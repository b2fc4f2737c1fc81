package servercmd

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// report is the text of INFO, and the figures that it is made of.
type report struct {
	s    *server
	st   engine.Stats
	keys keyspace.KeyCounts
	now  time.Time
	text strings.Builder
}

// sections are the parts of INFO, in order. Extra ones are written only when the client names them, or asks for all.
var sections = []struct {
	name  string
	extra bool
	write func(*report)
}{
	{"Server", false, (*report).server}, {"Clients", false, (*report).clients}, {"Memory", false, (*report).memory},
	{"Persistence", false, (*report).persistence}, {"Stats", false, (*report).stats}, {"Replication", false, (*report).replication},
	{"CPU", false, (*report).cpu}, {"Commandstats", true, (*report).commandstats}, {"Cluster", false, (*report).cluster},
	{"Keyspace", false, (*report).keyspace},
}

// infoAlone is INFO outside a transaction.
func (s *server) infoAlone(c *session.Client, a [][]byte) error {
	st, err := s.host.Engine.Stats()
	if err != nil {
		return err
	}
	keys, err := s.host.Space.Count(c.Host.Work, st.Sets, st.Expiring)
	if err == nil {
		c.Out.Verbatim("txt", s.info(st, keys, a[1:]))
	}
	return err
}

// infoTx is INFO between MULTI and EXEC.
func (s *server) infoTx(t *session.Txn, a [][]byte) error {
	st, err := s.host.Engine.Stats()
	if err != nil {
		return err
	}
	keys, err := t.Count()
	if err == nil {
		t.Out.Verbatim("txt", s.info(st, keys, a[1:]))
	}
	return err
}

// info returns the text of the named sections. The names default, all and everything stand for several sections.
func (s *server) info(st engine.Stats, keys keyspace.KeyCounts, names [][]byte) string {
	want := map[string]bool{"default": len(names) == 0}
	for _, word := range names {
		want[strings.ToLower(string(word))] = true
	}
	r := &report{s: s, st: st, keys: keys, now: s.host.Engine.Now()}
	for _, part := range sections {
		if !want["all"] && !want["everything"] && !(want["default"] && !part.extra) && !want[strings.ToLower(part.name)] {
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteString("\r\n")
		}
		r.text.WriteString("# " + part.name + "\r\n")
		part.write(r)
	}
	return r.text.String()
}

// line writes a figure.
func (r *report) line(name string, value any) { fmt.Fprintf(&r.text, "%s:%v\r\n", name, value) }

// bytes writes a figure of bytes, and again in a unit.
func (r *report) bytes(name string, n int64) {
	r.line(name, n)
	r.line(name+"_human", human(n))
}

// human returns a number of bytes in a unit, with two digits after the point.
func human(n int64) string {
	f, unit := float64(n), 0
	for ; f >= 1024 && unit < 4; unit++ {
		f /= 1024
	}
	if unit == 0 {
		return fmt.Sprintf("%dB", n)
	}
	return fmt.Sprintf("%.2f%c", f, " KMGT"[unit])
}

func (r *report) server() {
	_, port := r.s.listeners.Address()
	up := r.now.Sub(r.s.started)
	r.line("redis_version", command.RedisVersion)
	r.line("zrank_version", version())
	r.line("redis_mode", "standalone")
	r.line("os", runtime.GOOS+" "+runtime.GOARCH)
	r.line("arch_bits", 32<<(^uint(0)>>63))
	r.line("go_version", runtime.Version())
	r.line("process_id", os.Getpid())
	r.line("run_id", r.s.runID)
	r.line("tcp_port", port)
	r.line("server_time_usec", r.now.UnixMicro())
	r.line("uptime_in_seconds", int64(up.Seconds()))
	r.line("uptime_in_days", int64(up.Hours())/24)
}

// version returns the version of the zrank module in the program.
func version() string {
	const path = "github.com/zrankdb/zrank"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == path && m.Version != "" {
			return m.Version
		}
	}
	return "unknown"
}

func (r *report) clients() {
	r.line("connected_clients", r.s.host.Clients.Len())
	r.line("cluster_connections", 0)
	r.line("maxclients", r.s.host.MaxClients.Load())
	r.line("blocked_clients", r.s.blocked())
	r.line("tracking_clients", 0)
}

func (r *report) memory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	limit := r.s.host.Engine.Settings().MemoryLimit
	r.bytes("used_memory", int64(m.HeapAlloc))
	r.bytes("used_memory_rss", resident(int64(m.Sys-m.HeapReleased)))
	r.line("used_memory_dataset", r.st.Memory)
	r.line("used_memory_keyspace", r.st.Layers.Keyspace)
	r.line("used_memory_clients", r.s.host.Budget.Used())
	r.bytes("maxmemory", limit)
	r.line("maxmemory_policy", "noeviction")
	r.line("mem_allocator", "go")
}

// resident returns the resident bytes of the process, as Linux reports them, or otherwise.
func resident(otherwise int64) int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := bytes.Fields(text); err == nil && len(fields) > 1 {
		if pages, ok := wire.ParseInt(fields[1]); ok {
			return pages * int64(os.Getpagesize())
		}
	}
	return otherwise
}

func (r *report) persistence() {
	set, snap := r.s.host.Engine.Settings(), r.st.Snapshots
	status := map[bool]string{true: "ok", false: "err"}
	r.line("loading", 0)
	r.line("rdb_bgsave_in_progress", command.Bit(r.s.saving.Load()))
	r.line("rdb_last_save_time", r.s.saved(snap.Age).Unix())
	r.line("rdb_last_bgsave_status", status[snap.Err == nil])
	r.line("rdb_last_bgsave_time_sec", int64(snap.Duration.Seconds()))
	r.line("rdb_saves", snap.Taken)
	r.line("aof_enabled", command.Bit(set.Stored))
	r.line("aof_rewrite_in_progress", 0)
	r.line("aof_last_write_status", status[r.st.Refused == nil])
	if !set.Stored {
		return
	}
	r.line("aof_current_size", r.st.Log)
	r.line("zrank_durability", set.Durability)
	r.line("zrank_disk_bytes", r.st.Disk)
	r.line("zrank_last_seq", r.st.LastSeq)
	r.line("zrank_durable_seq", r.st.DurableSeq)
	r.line("zrank_lag_usec", r.st.Lag.Microseconds())
}

func (r *report) stats() {
	n := &r.s.host.Counters
	var calls int64
	for _, m := range r.s.host.Commands.All() {
		calls += m.Calls.Load()
	}
	r.line("total_connections_received", n.Connections.Load())
	r.line("total_commands_processed", calls)
	r.line("rejected_connections", n.Refused.Load())
	r.line("expired_keys", r.st.Expired)
	r.line("evicted_keys", 0)
	r.line("evicted_clients", n.Evicted.Load())
	r.line("zrank_commits", r.st.Commits)
	r.line("zrank_sets", r.st.Sets)
	r.line("zrank_sets_in_memory", r.st.Loaded)
	r.line("zrank_members_in_memory", r.st.Members)
}

func (r *report) replication() {
	r.line("role", "master")
	r.line("connected_slaves", 0)
	r.line("master_replid", r.s.runID)
	r.line("master_repl_offset", 0)
}

func (r *report) cpu() {
	user, sys := cpuTime()
	r.line("used_cpu_sys", fmt.Sprintf("%.6f", sys.Seconds()))
	r.line("used_cpu_user", fmt.Sprintf("%.6f", user.Seconds()))
}

// commandstats writes how often each command was sent. Their times are not measured: the fields exist for programs that need them.
func (r *report) commandstats() {
	for _, m := range r.s.host.Commands.All() {
		if n := m.Calls.Load(); n > 0 {
			fmt.Fprintf(&r.text, "cmdstat_%s:calls=%d,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=0\r\n", m.Name, n)
		}
	}
}

func (r *report) cluster() { r.line("cluster_enabled", 0) }

func (r *report) keyspace() {
	for _, db := range r.keys.Databases() {
		fmt.Fprintf(&r.text, "db%d:keys=%d,expires=%d,avg_ttl=0\r\n", db, r.keys.Keys[db], r.keys.Expires[db])
	}
}
