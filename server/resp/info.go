package resp

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// report is what INFO writes about: figures as they were when it was asked for.
type report struct {
	s    *adminServer
	st   engine.Stats
	keys keyCounts
	now  time.Time
	text strings.Builder
}

// sections are the parts of INFO, in order. Those that are more than figures of the whole come only when they are asked for.
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

func (s *adminServer) infoAlone(c *client, a [][]byte) error {
	st, err := s.host.e.Stats()
	if err != nil {
		return err
	}
	keys, err := s.host.space.count(st.Sets, st.Expiring)
	if err == nil {
		c.out.Verbatim("txt", s.info(st, keys, a[1:]))
	}
	return err
}

func (s *adminServer) infoTx(t *txn, a [][]byte) error {
	st, err := s.host.e.Stats()
	if err != nil {
		return err
	}
	keys, err := t.count()
	if err == nil {
		t.w.Verbatim("txt", s.info(st, keys, a[1:]))
	}
	return err
}

// info returns the sections that are asked for, by name or as default, all or everything.
func (s *adminServer) info(st engine.Stats, keys keyCounts, asked [][]byte) string {
	want := map[string]bool{"default": len(asked) == 0}
	for _, word := range asked {
		want[strings.ToLower(string(word))] = true
	}
	r := &report{s: s, st: st, keys: keys, now: s.host.e.Now()}
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

// bytes writes a figure of bytes, and again as people read it.
func (r *report) bytes(name string, n int64) {
	r.line(name, n)
	r.line(name+"_human", human(n))
}

// human is a number of bytes with two digits after the point.
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
	_, port := r.s.listeners.address()
	up := r.now.Sub(r.s.started)
	r.line("redis_version", redisVersion)
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

// version is that of the module in the program.
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
	r.line("connected_clients", r.s.host.clients.len())
	r.line("cluster_connections", 0)
	r.line("maxclients", r.s.host.maxClients.Load())
	r.line("blocked_clients", r.s.blocked())
	r.line("tracking_clients", 0)
}

func (r *report) memory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	limit := r.s.host.e.Settings().MemoryLimit
	r.bytes("used_memory", int64(m.HeapAlloc))
	r.bytes("used_memory_rss", resident(int64(m.Sys-m.HeapReleased)))
	r.line("used_memory_dataset", r.st.Memory)
	r.line("used_memory_keyspace", r.st.Layers.Keyspace)
	r.line("used_memory_clients", r.s.host.budget.Used())
	r.bytes("maxmemory", limit)
	r.line("maxmemory_policy", "noeviction")
	r.line("mem_allocator", "go")
}

// resident returns the bytes of the process that are in memory, as Linux says it, or otherwise what Go's part of it is.
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
	set, snap := r.s.host.e.Settings(), r.st.Snapshots
	status := "ok"
	if snap.Err != nil {
		status = "err"
	}
	r.line("loading", 0)
	r.line("rdb_bgsave_in_progress", number(r.s.saving.Load()))
	r.line("rdb_last_save_time", r.s.saved(snap.Age).Unix())
	r.line("rdb_last_bgsave_status", status)
	r.line("rdb_last_bgsave_time_sec", int64(snap.Duration.Seconds()))
	r.line("rdb_saves", snap.Taken)
	r.line("aof_enabled", number(set.Stored))
	r.line("aof_rewrite_in_progress", 0)
	r.line("aof_last_write_status", "ok")
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
	n := &r.s.host.counters
	var calls int64
	for _, m := range r.s.host.commands.all() {
		calls += m.calls.Load()
	}
	r.line("total_connections_received", n.connections.Load())
	r.line("total_commands_processed", calls)
	r.line("rejected_connections", n.refused.Load())
	r.line("expired_keys", r.st.Expired)
	r.line("evicted_keys", 0)
	r.line("evicted_clients", n.evicted.Load())
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

// commandstats says how often each command was asked for. How long they take is not measured: the fields are there for programs
// that want them.
func (r *report) commandstats() {
	for _, m := range r.s.host.commands.all() {
		if n := m.calls.Load(); n > 0 {
			fmt.Fprintf(&r.text, "cmdstat_%s:calls=%d,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=0\r\n", m.name, n)
		}
	}
}

func (r *report) cluster() { r.line("cluster_enabled", 0) }

func (r *report) keyspace() {
	for _, db := range r.keys.databases() {
		fmt.Fprintf(&r.text, "db%d:keys=%d,expires=%d,avg_ttl=0\r\n", db, r.keys.keys[db], r.keys.expires[db])
	}
}
