package lint

import (
	"slices"
	"strings"
)

const module = "github.com/zrankdb/zrank"

// A layer is a folder of the house and what may be imported there. The deepest folder that holds a file decides.
type layer struct {
	folder string
	below  []string // folders of the module that may be imported, with all below them
	others []string // dependencies that may be imported; "*" is any
	tests  []string // more, of either kind, for test files; any may import internal/model, internal/matrix, gopter, testify and porcupine
}

const (
	cockroach   = "github.com/cockroachdb" // Pebble and what it is made of
	vfs         = "github.com/cockroachdb/pebble/v2/vfs"
	btree       = "github.com/google/btree"
	goid        = "github.com/petermattis/goid"
	xxhash      = "github.com/cespare/xxhash/v2"
	redisClient = "github.com/redis/go-redis/v9"
	jwt         = "github.com/golang-jwt/jwt/v5"
	cors        = "github.com/rs/cors"
	compress    = "github.com/klauspost/compress"
	client      = "github.com/prometheus" // the client of Prometheus and what it is made of
	model       = "internal/model"
	matrix      = "internal/matrix"
	memfs       = "internal/memfs"
	powercut    = "internal/powercut"
	traces      = "internal/traces"
	rooms       = "server/resp/internal/"
	apiRooms    = "server/api/internal/"
	doors       = "server/internal/" // what several doors need
	adminRooms  = "server/admin/internal/"
	huma        = "github.com/danielgtaylor/huma"
	fuzzing     = "fuzz/internal/"
	command     = "cmd/zrank/internal/"
)

// layers is the page of design.md section 1, bottom up. A folder that is not named may not import anything of ours: give it
// its place here.
var layers = []layer{
	{folder: "internal/invariants"},
	{folder: "internal/seeded"},
	{folder: "internal/matrix"},
	{folder: "internal/matrix/report", below: []string{"internal/seeded"}},
	{folder: "internal/golden"},
	{folder: "internal/glob"},
	{folder: "internal/numbers"},
	{folder: "internal/printable"},
	{folder: "internal/testclock"},
	{folder: "internal/redistest", others: []string{redisClient}},
	{folder: "internal/hangtest"},
	{folder: "internal/lint"},
	{folder: memfs, others: []string{vfs}},
	{folder: traces, others: []string{cockroach}},
	{folder: powercut, below: []string{memfs}, others: []string{vfs}},
	{folder: model, others: []string{btree}},
	{folder: "listpack", below: []string{"internal/invariants"}},
	{folder: "rdb", tests: []string{"internal/redistest", redisClient}},
	{folder: "skiplist", below: []string{"internal/invariants"}},
	{folder: "zset/internal", below: []string{"internal/invariants"}},
	{folder: "zset", below: []string{"zset/internal", "skiplist", "listpack", "internal/invariants"}, tests: []string{"server/resp/resptest"}},
	{folder: "persist/internal/faultfs", others: []string{cockroach}},
	{folder: "persist/internal/failstop", below: []string{memfs}, others: []string{cockroach}, tests: []string{"persist/internal/faultfs"}},
	{folder: "persist/internal/errs", others: []string{cockroach}},
	{folder: "persist/internal/formattest"},
	{folder: "persist/internal/format", below: []string{"persist/internal/errs"}, tests: []string{"internal/invariants", "persist/internal/formattest"}},
	{folder: "persist/internal/storedir", below: []string{"persist/internal/errs", "persist/internal/format"}, others: []string{cockroach}, tests: []string{"persist/internal/formattest"}},
	{folder: "persist/internal/pebbledb", below: []string{"persist/internal/errs", "persist/internal/format", "persist/internal/storedir", "persist/internal/failstop", "internal/invariants"}, others: []string{cockroach}},
	{folder: "persist/internal/commitlog", below: []string{"persist/internal/errs", "persist/internal/format", "persist/internal/pebbledb", "internal/invariants"}, others: []string{cockroach}},
	{folder: "persist/internal/snapshot", below: []string{"persist/internal/errs", "persist/internal/format", "persist/internal/pebbledb", "persist/internal/commitlog"}, others: []string{cockroach}},
	{folder: "persist/internal/compaction", below: []string{"persist/internal/errs", "persist/internal/format", "persist/internal/storedir", "persist/internal/pebbledb", "persist/internal/commitlog"}, others: []string{cockroach}},
	{folder: "persist/internal/recovery", below: []string{"persist/internal/errs", "persist/internal/format", "persist/internal/storedir", "persist/internal/pebbledb", "persist/internal/commitlog", "persist/internal/snapshot"}, others: []string{cockroach}},
	{folder: "persist/internal/image", below: []string{"persist/internal", memfs}, others: []string{cockroach}},
	{folder: "persist", below: []string{"persist/internal", memfs, "internal/invariants"}, others: []string{cockroach}, tests: []string{traces, "internal/seeded", powercut}},
	{folder: "engine", below: []string{"engine/internal", "zset", "persist", "internal/glob", "internal/invariants"}, tests: []string{traces, "internal/seeded", vfs, memfs, powercut, "internal/golden", "internal/hangtest"}},
	{folder: "engine/internal/owner"},
	{folder: "engine/internal/lifetime"},
	{folder: "engine/internal/undo", below: []string{"zset"}},
	{folder: "engine/internal/waitqueue", below: []string{"zset"}},
	{folder: "engine/internal/goroutine", others: []string{goid}},
	{folder: "engine/internal/rwlock", below: []string{"engine/internal/goroutine", "internal/invariants"}},
	{folder: "engine/internal/private", below: []string{"engine/internal/rwlock", "persist", "zset"}},
	{folder: "engine/internal/observe", below: []string{"persist"}},
	{folder: "engine/internal/facts", below: []string{"zset", "persist"}, others: []string{xxhash}},
	{folder: "engine/internal/locks", below: []string{"engine/internal/goroutine", "engine/internal/rwlock", "engine/internal/lifetime", "engine/internal/observe", "persist", "internal/invariants"}},
	{folder: "engine/internal/keyspace", below: []string{"engine/internal/rwlock", "engine/internal/locks", "engine/internal/facts", "engine/internal/observe", "zset", "internal/invariants"}},
	{folder: "engine/internal/checkpoint", below: []string{"engine/internal/keyspace", "engine/internal/locks", "engine/internal/lifetime", "engine/internal/facts", "engine/internal/observe", "zset", "persist"}},
	{folder: "engine/internal/residency", below: []string{"engine/internal/checkpoint", "engine/internal/keyspace", "engine/internal/locks", "engine/internal/lifetime", "engine/internal/facts", "engine/internal/observe", "zset", "persist"}},
	{folder: "engine/internal/recovery", below: []string{"engine/internal/residency", "engine/internal/checkpoint", "engine/internal/keyspace", "engine/internal/locks", "engine/internal/facts", "zset", "persist"}},
	{folder: "engine/internal/txn", below: []string{"engine/internal/residency", "engine/internal/checkpoint", "engine/internal/keyspace", "engine/internal/locks", "engine/internal/rwlock", "engine/internal/lifetime", "engine/internal/facts", "engine/internal/observe", "engine/internal/undo", "engine/internal/waitqueue", "engine/internal/private", "zset", "persist", "internal/invariants"}},
	{folder: "engine/internal/setops", below: []string{"engine/internal/txn", "engine/internal/keyspace", "engine/internal/locks", "engine/internal/facts", "zset", "persist"}},
	{folder: "engine/board", below: []string{"engine", "zset", "persist"}, tests: []string{traces, "internal/seeded", vfs, memfs, powercut, "internal/hangtest", "internal/golden", "internal/testclock", "internal/invariants"}},
	{folder: "engine/board/cluster", below: []string{"engine/board/cluster/internal/moving", "engine/board/cluster/internal/commit", "engine/board/cluster/internal/sets", "engine/board/cluster/internal/layout", "engine/board/cluster/internal/servers", "engine/board/internal/auditlog", "engine/board/internal/combine", "engine/board/internal/errs", "engine/board/internal/moderation", "engine/board/internal/periods", "engine/board/internal/ranking", "engine/board/internal/relocation", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/internal/submit",
		"engine/board/rules", "engine/board/window", "zset"}, others: []string{redisClient}, tests: []string{"engine", "engine/board", "engine/board/boardtest", "internal/testclock", "internal/redistest"}},
	{folder: "engine/board/boardtest", below: []string{"engine", "zset", "persist"}, tests: []string{vfs, memfs, "internal/invariants", "internal/redistest"}},
	{folder: "engine/board/cluster/internal/servers", below: []string{"engine/board/internal/errs"}, others: []string{redisClient}},
	{folder: "engine/board/cluster/internal/layout", below: []string{"engine/board/internal/auditlog", "engine/board/internal/combine", "engine/board/internal/relocation", "engine/board/internal/specs", "engine/board/rules", "zset"}},
	{folder: "engine/board/cluster/internal/commit", below: []string{"engine/board/cluster/internal/layout", "engine/board/cluster/internal/servers", "engine/board/internal/auditlog", "engine/board/internal/errs", "engine/board/internal/state"}, others: []string{redisClient}},
	{folder: "engine/board/cluster/internal/sets", below: []string{"engine/board/cluster/internal/layout", "engine/board/cluster/internal/servers", "engine/board/internal/ranking", "zset"}, others: []string{redisClient}},
	{folder: "engine/board/cluster/internal/moving", below: []string{"engine/board/cluster/internal/layout", "engine/board/cluster/internal/servers", "engine/board/internal/errs", "engine/board/internal/relocation", "engine/board/internal/specs", "engine/board/internal/state",
		"engine/board/window"}, others: []string{redisClient}},
	{folder: "engine/board/archive", below: []string{"engine/board", "engine/board/internal/auditlog", "engine/board/internal/relocation", "engine/board/internal/state", "engine/board/rules", "engine/board/window"}, tests: []string{"engine", "engine/board/awards", memfs, powercut, vfs, "internal/testclock"}},
	{folder: "engine/board/load", below: []string{"engine/board", "engine/board/internal/relocation", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/rules", "engine/board/window"}, tests: []string{"engine", memfs}},
	{folder: "engine/board/move", below: []string{"engine/board", "engine/board/internal/relocation"}, others: []string{redisClient}, tests: []string{"engine", "engine/board/cluster", "engine/board/internal/specs", memfs, powercut, "internal/redistest", "internal/testclock", "persist"}},
	{folder: "engine/board/internal/relocation", below: []string{"engine/board/rules", "engine/board/internal/auditlog", "engine/board/internal/errs", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/window"}},
	{folder: "engine/board/internal/raw", below: []string{"engine/board/rules", "engine/board/internal/settlement", "engine/board/internal/following", "engine/board/internal/leagues", "engine/board/internal/tail", "engine/board/internal/rolling", "engine/board/internal/parts", "engine/board/internal/auditlog", "engine/board/internal/boardkey", "engine/board/internal/catalog", "engine/board/internal/errs", "engine/board/internal/membership", "engine/board/internal/periods", "engine/board/internal/relocation", "engine/board/internal/specs",
		"engine/board/internal/state", "engine/board/internal/submit", "engine/board/window", "engine", "zset"}},
	{folder: "engine/board/rules", below: []string{"internal/invariants"}},
	{folder: "engine/board/window", below: []string{"engine/board/internal/calendar"}},
	{folder: "engine/board/awards", below: []string{"engine/board/rules", "engine/board/window"}},
	{folder: "engine/board/internal/calendar"},
	{folder: "engine/board/internal/boardkey"},
	{folder: "engine/board/internal/errs", below: []string{"engine/board/awards", "engine/board/rules", "engine/board/window", "engine"}},
	{folder: "engine/board/internal/specs", below: []string{"engine/board/awards", "engine/board/internal/parts", "engine/board/internal/errs", "engine/board/rules", "engine/board/window"}},
	{folder: "engine/board/internal/ranking", below: []string{"engine/board/internal/parts", "engine/board/internal/errs", "engine/board/rules", "engine", "zset"}},
	{folder: "engine/board/internal/state", below: []string{"engine/board/awards", "engine/board/internal/parts", "engine/board/internal/buckets", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/specs", "engine/board/internal/ranking", "engine/board/rules", "engine/board/window", "engine"}},
	{folder: "engine/board/internal/feed", below: []string{"engine/board/internal/auditlog", "engine/board/internal/errs", "engine/board/internal/state", "engine/board/rules", "engine"}},
	{folder: "engine/board/internal/deletion", below: []string{"engine/board/internal/boardkey", "engine", "persist", "zset"}},
	{folder: "engine/board/internal/combine", below: []string{"engine/board/rules"}},
	{folder: "engine/board/internal/auditlog", below: []string{"engine/board/rules", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine"}},
	{folder: "engine/board/internal/places", below: []string{"engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/catalog", "engine", "zset"}},
	{folder: "engine/board/internal/catalog", below: []string{"engine/board/internal/relocation", "engine/board/internal/totals", "engine/board/internal/membership", "engine/board/internal/feed", "engine/board/internal/auditlog", "engine/board/internal/ranking", "zset", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/internal/deletion", "engine/internal/rwlock", "engine"}},
	{folder: "engine/board/internal/totals", below: []string{"engine/board/internal/specs", "engine/board/rules"}},
	{folder: "engine/board/internal/membership", below: []string{"engine/board/internal/errs", "zset"}},
	{folder: "engine/board/internal/following", below: []string{"engine/board/internal/feed", "engine/board/internal/boardkey", "engine/board/internal/catalog", "engine/board/internal/entries", "engine/board/internal/errs", "engine/board/internal/membership", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/internal/totals", "engine/board/rules", "engine", "zset"}},
	{folder: "engine/board/internal/groups", below: []string{"engine/board/internal/totals", "engine/board/internal/feed", "engine/board/internal/boardkey", "engine/board/internal/catalog", "engine/board/internal/errs", "engine/board/internal/following", "engine/board/internal/membership", "engine/board/internal/ranking", "engine/board/internal/specs", "engine/board/internal/submit", "engine"}},
	{folder: "engine/board/internal/buckets"},
	{folder: "engine/board/internal/parts", others: []string{xxhash}},
	{folder: "engine/board/internal/tail", below: []string{"engine/board/internal/buckets", "engine/board/internal/errs", "engine/board/internal/state", "engine/board/internal/catalog", "engine/board/rules", "engine", "zset"}},
	{folder: "engine/board/internal/rolling", below: []string{"engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/catalog", "engine/board/rules", "engine", "zset"}},
	{folder: "engine/board/internal/journal", below: []string{"engine/board/internal/errs", "engine/board/internal/state", "engine/board/internal/catalog", "engine/board/rules", "engine", "zset"}},
	{folder: "engine/board/internal/audit", below: []string{"engine/board/rules", "engine/board/internal/totals", "engine/board/internal/membership", "engine/board/internal/leagues", "engine/board/internal/places", "engine/board/internal/journal", "engine/board/internal/settlement", "engine/board/internal/buckets", "engine/board/internal/rolling", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/internal/catalog", "engine", "persist", "zset"}},
	{folder: "engine/board/internal/periods", below: []string{"engine/board/internal/tail", "engine/board/internal/buckets", "engine/board/internal/rolling", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/ranking", "engine/board/internal/catalog", "engine/board/rules", "engine/board/window", "engine", "zset"}},
	{folder: "engine/board/internal/unions", below: []string{"engine/board/internal/rolling", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/ranking", "engine/board/internal/catalog", "engine/board/rules", "engine/board/window", "engine", "zset"}},
	{folder: "engine/board/internal/leagues", below: []string{"engine/board/internal/feed", "engine/board/internal/auditlog", "engine/board/internal/ranking", "engine/board/internal/specs", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/catalog", "engine/board/window", "engine", "zset"}},
	{folder: "engine/board/internal/settlement", below: []string{"engine/board/internal/feed", "engine/board/internal/auditlog", "engine/board/rules", "engine/board/internal/specs", "engine/board/window", "engine/board/awards", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/ranking", "engine/board/internal/catalog", "engine/board/internal/periods", "engine", "zset"}},
	{folder: "engine/board/internal/closing", below: []string{"engine/board/internal/leagues", "engine/board/internal/feed", "engine/board/internal/settlement", "engine/board/internal/tail", "engine/board/internal/rolling", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/ranking", "engine/board/internal/catalog", "engine/board/window", "engine"}},
	{folder: "engine/board/internal/submit", below: []string{"engine/board/internal/specs", "engine/board/internal/following", "engine/board/internal/closing", "engine/board/internal/leagues", "engine/board/internal/feed", "engine/board/internal/journal", "engine/board/internal/buckets", "engine/board/internal/tail", "engine/board/internal/rolling", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/ranking", "engine/board/internal/catalog", "engine/board/rules", "engine"}},
	{folder: "engine/board/internal/entries", below: []string{"engine/board/internal/tail", "engine/board/internal/errs", "engine/board/internal/state", "engine/board/internal/catalog", "engine"}},
	{folder: "engine/board/internal/moderation", below: []string{"engine/board/internal/combine", "engine/board/internal/following", "engine/board/internal/leagues", "engine/board/internal/feed", "engine/board/internal/entries", "engine/board/internal/journal", "engine/board/internal/periods", "engine/board/internal/submit", "engine/board/internal/closing", "engine/board/internal/settlement", "engine/board/internal/places", "engine/board/internal/auditlog", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/state", "engine/board/internal/catalog", "engine/board/rules", "engine", "persist"}},
	{folder: "engine/board/internal/revert", below: []string{"engine/board/internal/following", "engine/board/internal/feed", "engine/board/internal/places", "engine/board/internal/closing", "engine/board/internal/auditlog", "engine/board/internal/boardkey", "engine/board/internal/catalog", "engine/board/internal/errs", "engine/board/internal/journal", "engine/board/internal/state", "engine/board/internal/tail", "engine/board/rules", "engine"}},
	{folder: "engine/board/internal/asof", below: []string{"engine/board/internal/periods", "engine/board/internal/auditlog", "engine/board/internal/boardkey", "engine/board/internal/catalog", "engine/board/internal/errs", "engine/board/internal/journal", "engine/board/internal/ranking", "engine/board/internal/state", "engine/board/window", "engine", "zset"}},
	{folder: "engine/board/internal/migration", below: []string{"engine/board/internal/leagues", "engine/board/internal/settlement", "engine/board/internal/parts", "engine/board/internal/tail", "engine/board/internal/rolling", "engine/board/internal/errs", "engine/board/internal/boardkey", "engine/board/internal/specs", "engine/board/internal/state", "engine/board/internal/catalog", "engine/board/internal/periods", "engine/board/rules", "engine", "zset"}},
	{folder: "engine/ratelimit", below: []string{"engine", "zset", "persist"}, tests: []string{vfs, memfs, powercut, "internal/hangtest", "internal/invariants", "internal/testclock"}},
	{folder: "engine/delayqueue", below: []string{"engine", "zset", "persist"}, tests: []string{vfs, memfs, powercut, "internal/hangtest", "internal/invariants", "internal/testclock"}},
	{folder: "engine/metrics", below: []string{"engine", "persist"}, others: []string{client}},
	{folder: "server", below: []string{"internal/numbers", "server/resp/internal", "engine", "rdb", "zset", "persist", "internal/glob", "internal/invariants"}, others: []string{"*"}, tests: []string{vfs, memfs, "internal/testclock", "internal/redistest"}},
	{folder: rooms + "budget"},
	{folder: rooms + "wire", below: []string{rooms + "budget"}},
	{folder: rooms + "flow", below: []string{rooms + "budget"}},
	{folder: rooms + "auth"},
	{folder: rooms + "listen"},
	{folder: rooms + "conn", below: []string{rooms + "budget", rooms + "flow", rooms + "wire"}},
	{folder: rooms + "command", below: []string{rooms + "wire", "engine", "zset", "internal/glob"}},
	{folder: rooms + "keyspace", below: []string{rooms + "command", rooms + "wire", "engine", "zset", "internal/glob"}},
	{folder: rooms + "session", below: []string{rooms + "keyspace", rooms + "command", rooms + "conn", rooms + "auth", rooms + "flow", rooms + "wire", rooms + "budget", "engine"}},
	{folder: rooms + "dispatch", below: []string{rooms + "session", rooms + "command", rooms + "wire", "engine"}},
	{folder: rooms + "zsetcmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "wire", "engine", "zset"}, tests: []string{rooms + "sessiontest", rooms + "keycmd", rooms + "plaincmd"}},
	{folder: rooms + "keycmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "wire", "engine"}},
	{folder: rooms + "dumpcmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "wire", "engine", "zset", "rdb"}},
	{folder: rooms + "plaincmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command"}},
	{folder: rooms + "boardcmd", below: []string{rooms + "session", rooms + "command", rooms + "wire", "engine"}, tests: []string{rooms + "sessiontest"}},
	{folder: rooms + "servercmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "listen", rooms + "wire", "engine", "internal/glob"}},
	{folder: rooms + "clientcmd", below: []string{rooms + "session", rooms + "command", rooms + "auth", rooms + "wire", "internal/glob"}},
	{folder: rooms + "txcmd", below: []string{rooms + "session", rooms + "command", "engine"}},
	{folder: rooms + "sessiontest", below: []string{rooms + "dispatch", rooms + "session", rooms + "keyspace", rooms + "conn", rooms + "wire", "engine"}, others: []string{"*"}},
	{folder: doors + "problem"},
	{folder: doors + "access", others: []string{jwt}, tests: []string{"internal/testclock"}},
	{folder: apiRooms + "wire", below: []string{doors + "codes", "engine", "engine/board", "engine/board/rules", "engine/board/window"}},
	{folder: doors + "live"},
	{folder: doors + "codes", below: []string{"engine"}},
	{folder: doors + "features", below: []string{"engine/board"}},
	{folder: apiRooms + "routes", below: []string{"engine", "engine/board", doors + "access", doors + "features", doors + "live", doors + "middleware", doors + "problem", apiRooms + "wire", "internal/printable"}, others: []string{huma, xxhash}, tests: []string{memfs, "internal/testclock"}},
	{folder: "server/api/client", below: []string{"engine/board", doors + "problem", apiRooms + "wire"}, tests: []string{"engine", "engine/board/cluster", "engine/board/boardtest", "server/api", vfs, memfs, "internal/redistest", redisClient}},
	{folder: "server/api", below: []string{"engine", "engine/board", "engine/ratelimit", apiRooms[:len(apiRooms)-1], doors[:len(doors)-1]}, others: []string{client}, tests: []string{"internal/testclock", memfs, jwt}},
	{folder: doors + "middleware", below: []string{doors + "live", doors + "problem", "engine"}, others: []string{cors, compress, client}, tests: []string{"internal/testclock"}},
	{folder: adminRooms + "figures", below: []string{"engine"}},
	{folder: adminRooms + "session", below: []string{doors + "access"}},
	{folder: adminRooms + "view", below: []string{adminRooms + "figures", "engine/board", "internal/numbers", "internal/printable"}},
	{folder: adminRooms + "pages", below: []string{adminRooms + "figures", doors + "access", doors + "features", "engine", "internal/numbers", "internal/printable"}},
	{folder: "server/admin", below: []string{adminRooms[:len(adminRooms)-1], doors[:len(doors)-1], "engine", "internal/printable"}, tests: []string{memfs, "internal/testclock", "internal/golden"}},
	{folder: "server/admin/browsertest", tests: []string{"server/admin", "engine", memfs, "internal/testclock", "internal/printable", "github.com/chromedp"}},
	{folder: command + "console", others: []string{"*"}},
	{folder: command + "flags", below: []string{command + "show", "engine"}, others: []string{"*"}},
	{folder: command + "show", others: []string{"*"}, below: []string{"internal/printable", "engine"}},
	{folder: command + "season", below: []string{"engine"}, others: []string{"*"}},
	{folder: command + "events", below: []string{"engine"}, others: []string{"*"}},
	{folder: command + "datadir", below: []string{command + "show", "engine"}, others: []string{"*"}},
	{folder: command + "target", below: []string{command + "datadir", command + "flags", "server/api/client", "engine"}, others: []string{"*"}},
	{folder: command + "specs", below: []string{command + "datadir", command + "flags", command + "events", "engine"}, others: []string{"*"}},
	{folder: command + "feed", below: []string{command + "specs", command + "datadir", command + "events", "engine"}},
	{folder: command + "replay", below: []string{command + "feed", command + "specs", command + "datadir", command + "flags", command + "console", command + "events", command + "show", "internal/numbers", "engine"}, others: []string{"*"}},
	{folder: command + "boardfile", below: []string{command + "datadir", command + "show", "internal/numbers", "internal/printable", "engine"}, others: []string{"*"}},
	{folder: command + "live", below: []string{command + "datadir", command + "flags", command + "console", command + "show", "internal/numbers", "server", "engine"}, others: []string{"*"}},
	{folder: command + "redisfile", below: []string{command + "live", command + "boardfile", command + "mapping", command + "specs", command + "datadir", command + "flags", command + "console", command + "show", "internal/numbers", "server", "engine", "rdb"}, others: []string{"*"}},
	{folder: command + "mapping", below: []string{"engine/board/window"}},
	{folder: command + "serve", below: []string{command + "specs", command + "datadir", command + "flags", "server", "engine"}, others: []string{"*"}},
	{folder: command + "demo", below: []string{"server/admin", command + "feed", command + "datadir", command + "flags", command + "console", command + "events", command + "season", command + "show", "internal/numbers", "engine"}, others: []string{"*"}},
	{folder: "cmd", below: []string{"cmd/zrank/internal", "internal/numbers", "server", "rdb", "engine", "zset", "persist"}, others: []string{"*"}, tests: []string{traces, "internal/redistest"}},
	{folder: "examples", below: []string{"server", "engine", "zset", "persist"}, others: []string{"*"}, tests: []string{"internal/redistest"}},
	{folder: fuzzing + "boardspecs", below: []string{"engine"}},
	{folder: fuzzing + "script", below: []string{fuzzing + "boardspecs", "engine", "zset"}},
	{folder: fuzzing + "machine", below: []string{fuzzing + "script"}},
	{folder: fuzzing + "apply", below: []string{fuzzing + "script", fuzzing + "boardspecs", "engine", "zset", "persist"}},
	{folder: fuzzing + "boardoracle", below: []string{fuzzing + "apply", fuzzing + "boardspecs", "engine"}},
	{folder: fuzzing + "oracle", below: []string{fuzzing + "boardoracle", fuzzing + "boardspecs", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", model, "engine", "zset", "persist"}},
	{folder: fuzzing + "structures", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", "zset", "skiplist", "listpack"}},
	{folder: fuzzing + "engines", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", fuzzing + "boardspecs", memfs, powercut, "engine", "zset", "persist"}, others: []string{vfs}},
	{folder: fuzzing + "processes", below: []string{fuzzing + "engines", fuzzing + "machine", fuzzing + "script", "engine"}, tests: []string{fuzzing + "processtest"}},
	{folder: fuzzing + "processtest", below: []string{fuzzing + "processes", fuzzing + "machine"}},
	{folder: fuzzing + "servers", below: []string{fuzzing + "engines", fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", "server", "engine", "zset"}, others: []string{"*"}},
	{folder: fuzzing + "clusters", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", fuzzing + "boardspecs", "engine"}, others: []string{redisClient}},
	{folder: fuzzing + "runner", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script"}, tests: []string{fuzzing + "engines", "engine"}},
	{folder: "fuzz", below: []string{"fuzz/internal", "server", "engine", "zset", "skiplist", "listpack", "persist", "internal"}, others: []string{"*", vfs}},
	{folder: "bench", below: []string{"rdb", "server", "engine", "zset", "skiplist", "listpack", "persist", "internal"}, others: []string{"*"}},
	{folder: "clients", tests: []string{"server/api", "engine", memfs, "internal/testclock", "github.com/pb33f", "pgregory.net/rapid"}},
}

// wrapped are the dependencies that only one folder may import, so that a change affects only that folder. bench is a separate module.
var wrapped = map[string]string{cockroach: "persist", btree: model, goid: "engine", client: "engine/metrics"}

// private are the folders that no others but these may import.
var private = map[string][]string{"engine/internal/owner": {"engine", "engine/board/internal/catalog", "engine/board/internal/audit"}}

var testTools = []string{"github.com/leanovate/gopter", "github.com/stretchr/testify", "github.com/anishathalye/porcupine"}

// layerOf returns the layer of a folder.
func layerOf(dir string) layer {
	found := layer{folder: dir}
	depth := 0
	for _, l := range layers {
		if within(dir, l.folder) && len(l.folder) > depth {
			found, depth = l, len(l.folder)
		}
	}
	return found
}

// arrows checks the imports of a file.
func arrows(f *File) []Problem {
	var problems []Problem
	l := layerOf(f.Dir())
	for _, imp := range f.imports() {
		if why := l.refuses(f, imp.path); why != "" {
			problems = append(problems, f.problem(imp.pos, "arrows", "%s imports %q: %s", f.Dir(), imp.path, why))
		}
	}
	return problems
}

// refuses says why a file of the layer must not import a path, or "".
func (l layer) refuses(f *File, name string) string {
	if ours, ok := strings.CutPrefix(name, module+"/"); ok {
		return l.refusesOurs(f, ours)
	}
	if name == "C" {
		return "the project builds without cgo; use Go"
	}
	first, _, _ := strings.Cut(name, "/")
	if !strings.Contains(first, ".") || f.IsTest() && (anyWithin(name, testTools) || anyWithin(name, l.tests)) {
		return ""
	}
	if anyWithin(name, l.others) {
		return ""
	}
	for dependency, home := range wrapped {
		if within(name, dependency) && l.folder != "bench" {
			return "only " + home + " does; call that instead, or give it the method you miss"
		}
	}
	if slices.Contains(l.others, "*") {
		return ""
	}
	return "this folder is to be had without that dependency; use the standard library, or move the code up the page"
}

// refusesOurs is refuses for a package of this repository; name is its folder.
func (l layer) refusesOurs(f *File, name string) string {
	if f.IsTest() && (name == model || name == matrix || anyWithin(name, l.tests)) {
		return ""
	}
	if users := private[name]; users != nil && !slices.Contains(users, f.Dir()) {
		return "only " + strings.Join(users, " and ") + " do: whoever imports it can change what boards have closed"
	}
	if target := layerOf(name).folder; target == l.folder || anyWithin(target, l.below) {
		return ""
	}
	switch {
	case within(name, "bench"):
		return "bench is a module of its own, so that rivals never enter ours"
	case within(name, "cmd"):
		return "nothing imports a command; move what both need down the page"
	case !named(l.folder):
		return "the folder has no place yet; give it one in internal/lint/arrows.go and in design.md section 1"
	}
	return "imports point down the page of design.md section 1 only; move the code down, or hand the value in from above"
}

// named says whether a folder has a place on the page.
func named(folder string) bool {
	return slices.ContainsFunc(layers, func(l layer) bool { return l.folder == folder })
}

// anyWithin says whether a path is one of the folders or below one.
func anyWithin(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return within(name, folder) })
}
