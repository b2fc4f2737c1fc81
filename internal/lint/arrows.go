package lint

import (
	"slices"
	"strings"
)

const module = "github.com/zrankdb/zrank"

// A layer is a folder of the house and what may be imported there. The deepest folder that holds a file decides.
type layer struct {
	folder string
	below  []string // folders of the module that may be imported, with all below them; without what is below one that ends with "!"
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
	contract    = "board!"                // the types of boards: board and themes, without the other packages below
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

// themes are the packages of the contract beside board.
var themes = []string{"board/audit", "board/awards", "board/feed"}

// layers is the picture of docs/architecture.md, bottom up. A folder that is not named may not import anything of ours: give it
// its place here.
var layers = []layer{
	{folder: "internal/invariants"},
	{folder: "internal/seeded"},
	{folder: "internal/matrix"},
	{folder: "internal/matrix/report", below: []string{"internal/seeded"}},
	{folder: "internal/golden"},
	{folder: "internal/glob"},
	{folder: "internal/jsontext"},
	{folder: "internal/numbers"},
	{folder: "internal/printable"},
	{folder: "internal/cutcontext"},
	{folder: "internal/cuthomes", below: []string{"internal/cutcontext", contract}},
	{folder: "internal/testclock"},
	{folder: "internal/redistest", others: []string{redisClient}},
	{folder: "internal/resptest", below: []string{"rdb"}, others: []string{"*"}, tests: []string{"internal/redistest"}},
	{folder: "internal/hangtest"},
	{folder: "internal/lint"},
	{folder: "internal/codes", below: []string{contract, "board/window", "engine"}},
	{folder: "internal/problem"},
	{folder: "internal/boardjson", below: []string{"board/rules"}},
	{folder: "internal/wire", below: []string{"internal/boardjson", "internal/codes", contract}},
	{folder: "internal/fieldcomments"},
	{folder: "internal/specschema", tests: []string{"board", "internal/fieldcomments"}},
	{folder: memfs, others: []string{vfs}},
	{folder: traces, others: []string{cockroach}},
	{folder: powercut, below: []string{memfs}, others: []string{vfs}},
	{folder: model, others: []string{btree}},
	{folder: "listpack", below: []string{"internal/invariants"}},
	{folder: "rdb", tests: []string{"internal/redistest", redisClient}},
	{folder: "skiplist", below: []string{"internal/invariants"}},
	{folder: "zset/internal", below: []string{"internal/invariants"}},
	{folder: "zset", below: []string{"zset/internal", "skiplist", "listpack", "internal/invariants"}, tests: []string{"internal/resptest"}},
	{folder: "persist/internal/faultfs", others: []string{cockroach}},
	{folder: "persist/internal/failstop", below: []string{memfs}, others: []string{cockroach}, tests: []string{"persist/internal/faultfs"}},
	{folder: "persist/wal"},
	{folder: "persist/internal/errs", below: []string{"persist/wal"}, others: []string{cockroach}},
	{folder: "persist/internal/formattest"},
	{folder: "persist/internal/format", below: []string{"persist/wal", "persist/internal/errs"}, tests: []string{"internal/invariants", "persist/internal/formattest"}},
	{folder: "persist/internal/storedir", below: []string{"persist/wal", "persist/internal/errs", "persist/internal/format"}, others: []string{cockroach}, tests: []string{"persist/internal/formattest"}},
	{folder: "persist/internal/pebbledb", below: []string{"persist/wal", "persist/internal/errs", "persist/internal/format", "persist/internal/storedir", "persist/internal/failstop", "internal/invariants"}, others: []string{cockroach}},
	{folder: "persist/internal/commitlog", below: []string{"persist/wal", "persist/internal/errs", "persist/internal/format", "persist/internal/pebbledb", "internal/invariants"}, others: []string{cockroach}},
	{folder: "persist/internal/snapshot", below: []string{"persist/wal", "persist/internal/errs", "persist/internal/format", "persist/internal/pebbledb", "persist/internal/commitlog"}, others: []string{cockroach}},
	{folder: "persist/internal/recovery", below: []string{"persist/wal", "persist/internal/errs", "persist/internal/format", "persist/internal/storedir", "persist/internal/pebbledb", "persist/internal/commitlog", "persist/internal/snapshot"}, others: []string{cockroach}},
	{folder: "persist", below: []string{"persist/wal", "persist/internal", memfs, "internal/invariants"}, others: []string{cockroach}, tests: []string{traces, "internal/seeded", powercut}},
	{folder: "engine", below: []string{"internal/owner", "engine/internal", "zset", "persist", "internal/rwlock", "internal/glob", "internal/invariants"}, tests: []string{"internal/goroutine", traces, "internal/seeded", vfs, memfs, powercut, "internal/golden", "internal/hangtest"}},
	{folder: "internal/owner", below: []string{"persist", "zset"}},
	{folder: "engine/internal/lifetime"},
	{folder: "engine/internal/undo", below: []string{"zset"}},
	{folder: "engine/internal/waitqueue", below: []string{"zset"}},
	{folder: "internal/goroutine", others: []string{goid}},
	{folder: "internal/rwlock", below: []string{"internal/goroutine", "internal/invariants"}},
	{folder: "engine/internal/private", below: []string{"internal/rwlock", "engine/internal/facts", "engine/internal/observe", "persist", "zset"}, others: []string{xxhash}},
	{folder: "engine/internal/observe", below: []string{"persist"}},
	{folder: "engine/internal/facts", below: []string{"zset", "persist"}, others: []string{xxhash}},
	{folder: "engine/internal/locks", below: []string{"internal/goroutine", "internal/rwlock", "engine/internal/lifetime", "engine/internal/observe", "persist", "internal/invariants"}},
	{folder: "engine/internal/keyspace", below: []string{"internal/rwlock", "engine/internal/locks", "engine/internal/facts", "engine/internal/observe", "zset", "internal/invariants"}},
	{folder: "engine/internal/checkpoint", below: []string{"engine/internal/keyspace", "engine/internal/locks", "engine/internal/lifetime", "engine/internal/facts", "engine/internal/observe", "zset", "persist"}},
	{folder: "engine/internal/residency", below: []string{"engine/internal/checkpoint", "engine/internal/keyspace", "engine/internal/locks", "engine/internal/lifetime", "engine/internal/facts", "engine/internal/observe", "zset", "persist"}},
	{folder: "engine/internal/recovery", below: []string{"internal/owner", "engine/internal/residency", "engine/internal/checkpoint", "engine/internal/keyspace", "engine/internal/locks", "engine/internal/facts", "zset", "persist"}},
	{folder: "board/local", below: []string{contract, "board/internal", "board/rules", "board/window", "engine", "zset", "persist"}, tests: []string{traces, "internal/seeded", vfs, memfs, powercut, "internal/hangtest", "internal/golden", "internal/cutcontext", "internal/testclock", "internal/invariants"}},
	{folder: "board/cluster", below: []string{contract, "board/cluster/internal/moving", "board/cluster/internal/commit", "board/cluster/internal/sets", "board/cluster/internal/layout", "board/cluster/internal/servers", "board/internal/auditlog", "board/internal/moderation", "board/internal/periods", "board/internal/ranking", "board/internal/relocation", "board/internal/state", "board/internal/submit", "board/rules", "board/window", "zset", "board/internal/entry"}, others: []string{redisClient}, tests: []string{"engine", "board/local", "board/boardtest", "internal/cuthomes", "internal/testclock", "internal/redistest"}},
	{folder: "board/ops", below: []string{contract, "internal/boardjson"}},
	{folder: "board/remote", below: []string{contract, "board/ops", "internal/boardjson", "internal/problem", "internal/wire"}, tests: []string{"board", "engine", "server/access", "server/api", vfs, memfs, "internal/cuthomes", "internal/redistest", "internal/testclock", redisClient}},
	{folder: "board/boardtest", below: []string{"board", "engine", "zset", "persist"}, tests: []string{vfs, memfs, "internal/invariants", "internal/redistest"}},
	{folder: "board/cluster/internal/servers", below: []string{contract}, others: []string{redisClient}},
	{folder: "board/cluster/internal/layout", below: []string{contract, "board/internal/auditlog", "board/internal/relocation", "board/rules", "zset", "board/internal/entry", "board/internal/state"}},
	{folder: "board/cluster/internal/commit", below: []string{contract, "board/cluster/internal/layout", "board/cluster/internal/servers", "board/internal/auditlog", "board/internal/state"}, others: []string{redisClient}},
	{folder: "board/cluster/internal/sets", below: []string{"board/cluster/internal/layout", "board/cluster/internal/servers", "board/internal/ranking", "zset"}, others: []string{redisClient}},
	{folder: "board/cluster/internal/moving", below: []string{contract, "board/cluster/internal/layout", "board/cluster/internal/servers", "board/internal/relocation", "board/internal/state", "board/window"}, others: []string{redisClient}},
	{folder: "board/archive", below: []string{contract, "internal/jsontext", "board/local", "board/internal/relocation", "board/window"}, tests: []string{"board", "engine", memfs, powercut, vfs, "internal/cutcontext", "internal/testclock"}},
	{folder: "board/load", below: []string{contract, "board/local", "board/internal/relocation", "board/internal/state", "board/rules", "board/window"}, tests: []string{"board", "engine", memfs}},
	{folder: "board/move", below: []string{contract, "board/local", "board/internal/relocation"}, others: []string{redisClient}, tests: []string{"board", "engine", memfs, powercut, "internal/redistest", "internal/testclock", "persist"}},
	{folder: "board/internal/relocation", below: []string{contract, "board/rules", "board/internal/auditlog", "board/internal/state", "board/window"}},
	{folder: "board/internal/transfer", below: []string{contract, "board/internal/totals", "board/rules", "board/internal/settlement", "board/internal/leagues", "board/internal/tail", "board/internal/rolling", "board/internal/auditlog", "board/internal/boardkey", "board/internal/catalog", "board/internal/periods", "board/internal/relocation", "board/internal/state", "board/internal/submit", "board/window", "engine", "zset", "board/internal/groups", "board/internal/ranking"}},
	{folder: "board", below: []string{"board/audit", "board/awards", "board/feed", "board/rules", "board/window", "internal/boardjson", "internal/jsontext"}},
	{folder: "board/rules", below: []string{"internal/invariants"}},
	{folder: "board/window", below: []string{"board/internal/calendar"}},
	{folder: "board/audit", below: []string{"internal/boardjson"}},
	{folder: "board/awards", below: []string{"board/rules", "board/window", "internal/boardjson"}},
	{folder: "board/feed", below: []string{"board/rules", "internal/boardjson"}},
	{folder: "board/internal/calendar"},
	{folder: "board/internal/boardkey", below: []string{contract}},
	{folder: "board/internal/ranking", below: []string{contract, "board/rules", "engine", "zset"}, others: []string{xxhash}},
	{folder: "board/internal/state", below: []string{contract, "board/internal/buckets", "board/internal/boardkey", "board/internal/ranking", "board/rules", "board/window", "engine", "internal/jsontext"}},
	{folder: "board/internal/events", below: []string{contract, "board/internal/auditlog", "board/internal/state", "board/rules", "engine"}},
	{folder: "board/internal/auditlog", below: []string{contract, "board/rules", "board/internal/boardkey", "engine"}},
	{folder: "board/internal/places", below: []string{"board/internal/boardkey", "board/internal/state", "board/internal/catalog", "engine", "zset"}},
	{folder: "board/internal/catalog", below: []string{contract, "internal/owner", "board/internal/relocation", "board/internal/totals", "board/internal/events", "board/internal/auditlog", "board/internal/ranking", "zset", "board/internal/boardkey", "board/internal/state", "internal/rwlock", "engine", "board/rules", "persist"}},
	{folder: "board/internal/totals", below: []string{contract, "board/rules", "board/window"}},
	{folder: "board/internal/groups", below: []string{contract, "board/internal/places", "board/internal/totals", "board/internal/events", "board/internal/boardkey", "board/internal/catalog", "board/internal/ranking", "board/internal/submit", "engine", "board/internal/place", "board/internal/state", "board/rules", "zset"}},
	{folder: "board/internal/observers", below: []string{contract, "board/internal/catalog", "board/internal/groups", "board/internal/leagues", "board/internal/events", "board/internal/state", "engine"}},
	{folder: "board/internal/buckets"},
	{folder: "board/internal/tail", below: []string{contract, "board/internal/buckets", "board/internal/state", "board/internal/catalog", "board/rules", "engine", "zset"}},
	{folder: "board/internal/rolling", below: []string{contract, "board/internal/boardkey", "board/internal/state", "board/internal/catalog", "board/rules", "board/window", "engine", "zset"}},
	{folder: "board/internal/journal", below: []string{contract, "board/internal/state", "board/internal/catalog", "board/rules", "engine", "zset"}},
	{folder: "board/internal/check", below: []string{contract, "internal/owner", "board/internal/auditlog", "board/rules", "board/internal/totals", "board/internal/leagues", "board/internal/places", "board/internal/journal", "board/internal/settlement", "board/internal/buckets", "board/internal/rolling", "board/internal/boardkey", "board/internal/state", "board/internal/catalog", "engine", "persist", "zset", "board/internal/ranking"}},
	{folder: "board/internal/periods", below: []string{contract, "board/internal/tail", "board/internal/buckets", "board/internal/rolling", "board/internal/boardkey", "board/internal/state", "board/internal/ranking", "board/internal/catalog", "board/rules", "board/window", "engine", "zset", "board/internal/auditlog", "board/internal/journal"}},
	{folder: "board/internal/leagues", below: []string{contract, "board/internal/events", "board/internal/auditlog", "board/internal/ranking", "board/internal/boardkey", "board/internal/state", "board/internal/catalog", "board/internal/place", "board/window", "engine", "zset"}},
	{folder: "board/internal/settlement", below: []string{contract, "board/internal/events", "board/internal/auditlog", "board/rules", "board/window", "board/internal/boardkey", "board/internal/state", "board/internal/ranking", "board/internal/catalog", "board/internal/periods", "engine", "zset"}},
	{folder: "board/internal/closing", below: []string{contract, "board/internal/leagues", "board/internal/events", "board/internal/settlement", "board/internal/tail", "board/internal/rolling", "board/internal/boardkey", "board/internal/state", "board/internal/ranking", "board/internal/catalog", "board/window", "engine"}},
	{folder: "board/internal/submit", below: []string{contract, "board/internal/place", "board/internal/closing", "board/internal/leagues", "board/internal/events", "board/internal/journal", "board/internal/buckets", "board/internal/tail", "board/internal/rolling", "board/internal/boardkey", "board/internal/state", "board/internal/ranking", "board/internal/catalog", "board/rules", "engine", "board/internal/entry"}},
	{folder: "board/internal/place", below: []string{contract, "board/internal/tail", "board/internal/buckets", "board/internal/ranking", "board/internal/boardkey", "board/internal/state", "board/internal/catalog", "board/rules", "engine", "zset", "board/internal/rolling"}},
	{folder: "board/internal/moderation", below: []string{contract, "board/internal/groups", "board/internal/rolling", "board/internal/leagues", "board/internal/events", "board/internal/place", "board/internal/journal", "board/internal/periods", "board/internal/submit", "board/internal/closing", "board/internal/settlement", "board/internal/places", "board/internal/auditlog", "board/internal/boardkey", "board/internal/state", "board/internal/catalog", "board/rules", "engine", "persist", "board/internal/entry"}},
	{folder: "engine/ratelimit", below: []string{"engine", "zset", "persist"}, tests: []string{vfs, memfs, powercut, "internal/hangtest", "internal/invariants", "internal/testclock"}},
	{folder: "engine/delayqueue", below: []string{"engine", "zset", "persist"}, tests: []string{vfs, memfs, powercut, "internal/hangtest", "internal/invariants", "internal/testclock"}},
	{folder: "server", below: []string{"internal/numbers", "server/resp/internal", "board", "engine", "rdb", "zset", "persist", "internal/glob", "internal/invariants"}, others: []string{"*"}, tests: []string{"server/access", "server/api", "internal/boardjson", vfs, memfs, "internal/testclock", "internal/redistest", "internal/resptest"}},
	{folder: rooms + "budget"},
	{folder: rooms + "wire", below: []string{rooms + "budget"}},
	{folder: rooms + "flow", below: []string{rooms + "budget"}},
	{folder: rooms + "auth"},
	{folder: rooms + "listen"},
	{folder: rooms + "conn", below: []string{rooms + "budget", rooms + "flow", rooms + "wire"}},
	{folder: rooms + "command", below: []string{rooms + "wire", "board", "engine", "zset", "internal/glob"}},
	{folder: rooms + "keyspace", below: []string{rooms + "command", rooms + "wire", "board", "engine", "zset", "internal/glob"}},
	{folder: rooms + "session", below: []string{rooms + "keyspace", rooms + "command", rooms + "conn", rooms + "auth", rooms + "flow", rooms + "wire", rooms + "budget", "board", "engine"}},
	{folder: rooms + "dispatch", below: []string{rooms + "session", rooms + "command", rooms + "wire", "board", "engine"}},
	{folder: rooms + "zsetcmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "wire", "board", "engine", "zset"}, tests: []string{rooms + "sessiontest", rooms + "keycmd", rooms + "plaincmd"}},
	{folder: rooms + "keycmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "wire", "board", "engine"}},
	{folder: rooms + "dumpcmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "wire", "board", "engine", "zset", "rdb"}},
	{folder: rooms + "plaincmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command"}},
	{folder: rooms + "boardcmd", below: []string{rooms + "session", rooms + "command", rooms + "wire", "board", "board/ops", "engine"}, tests: []string{rooms + "sessiontest"}},
	{folder: rooms + "servercmd", below: []string{rooms + "session", rooms + "keyspace", rooms + "command", rooms + "listen", rooms + "wire", "board", "engine", "internal/glob"}},
	{folder: rooms + "clientcmd", below: []string{rooms + "session", rooms + "command", rooms + "auth", rooms + "wire", "internal/glob"}},
	{folder: rooms + "txcmd", below: []string{rooms + "session", rooms + "command", "board", "engine"}},
	{folder: rooms + "sessiontest", below: []string{rooms + "dispatch", rooms + "session", rooms + "keyspace", rooms + "conn", rooms + "wire", "board", "engine"}, others: []string{"*"}},
	{folder: "server/metrics", below: []string{contract, "board/local", "engine", "persist"}, others: []string{client}},
	{folder: "server/access", others: []string{jwt}, tests: []string{"internal/testclock"}},
	{folder: doors + "live"},
	{folder: apiRooms + "routes", below: []string{"internal/boardjson", "internal/jsontext", "board", "board/ops", "engine", "server/access", doors + "live", doors + "middleware", "internal/problem", "internal/wire", "internal/printable"}, others: []string{huma, xxhash}, tests: []string{"internal/fieldcomments", memfs, "internal/testclock"}},
	{folder: "server/api", below: []string{"server/access", "internal/problem", "board", "engine", "engine/ratelimit", apiRooms[:len(apiRooms)-1], doors[:len(doors)-1]}, others: []string{client}, tests: []string{"internal/testclock", memfs, powercut, jwt}},
	{folder: doors + "middleware", below: []string{doors + "live", "internal/problem", "board", "engine"}, others: []string{cors, compress, client}, tests: []string{"internal/testclock"}},
	{folder: adminRooms + "figures", below: []string{"board", "engine"}},
	{folder: adminRooms + "session", below: []string{"server/access"}},
	{folder: adminRooms + "view", below: []string{adminRooms + "figures", contract, "board/local", "internal/numbers", "internal/printable"}},
	{folder: adminRooms + "pages", below: []string{adminRooms + "figures", "server/access", "board", "engine", "internal/numbers", "internal/printable"}},
	{folder: "server/admin", below: []string{"server/access", "internal/codes", adminRooms[:len(adminRooms)-1], doors[:len(doors)-1], "board", "engine", "internal/printable"}, tests: []string{memfs, "internal/testclock", "internal/golden"}},
	{folder: "server/admin/browsertest", tests: []string{"server/access", "server/admin", "board", "engine", memfs, "internal/testclock", "internal/printable", "github.com/chromedp"}},
	{folder: command + "console", others: []string{"*"}},
	{folder: command + "verbs", below: []string{command + "datadir", command + "flags", command + "console", command + "show", command + "target", "internal/boardjson", "internal/numbers", "board", "board/ops"}, others: []string{"*"}},
	{folder: command + "flags", below: []string{"internal/boardjson", "board/ops", command + "show", "board", "engine"}, others: []string{"*"}},
	{folder: command + "show", others: []string{"*"}, below: []string{"internal/boardjson", "internal/printable", "board", "engine"}},
	{folder: command + "season", below: []string{"board", "engine"}, others: []string{"*"}},
	{folder: command + "events", below: []string{"board", "engine"}, others: []string{"*"}},
	{folder: command + "datadir", below: []string{command + "show", "board", "engine"}, others: []string{"*"}},
	{folder: command + "target", below: []string{command + "datadir", command + "flags", "board/remote", "board", "engine"}, others: []string{"*"}},
	{folder: command + "specs", below: []string{"internal/jsontext", command + "datadir", command + "flags", command + "events", "board", "engine"}, others: []string{"*"}},
	{folder: command + "feed", below: []string{command + "specs", command + "datadir", command + "events", "board", "engine"}},
	{folder: command + "replay", below: []string{command + "feed", command + "specs", command + "datadir", command + "flags", command + "console", command + "events", command + "show", "internal/numbers", "board", "engine"}, others: []string{"*"}},
	{folder: command + "boardfile", below: []string{command + "datadir", command + "show", "internal/numbers", "internal/printable", "board", "engine"}, others: []string{"*"}},
	{folder: command + "live", below: []string{command + "datadir", command + "flags", command + "console", command + "show", "internal/numbers", "server", "board", "engine"}, others: []string{"*"}},
	{folder: command + "redisfile", below: []string{command + "live", command + "boardfile", command + "mapping", command + "specs", command + "datadir", command + "flags", command + "console", command + "show", "internal/numbers", "server", "board", "engine", "rdb"}, others: []string{"*"}},
	{folder: command + "mapping", below: []string{"internal/jsontext", "board/window"}},
	{folder: command + "serve", below: []string{"internal/jsontext", command + "specs", command + "datadir", command + "flags", "server", "board", "engine"}, others: []string{"*"}},
	{folder: command + "demo", below: []string{"server/access", "server/admin", command + "feed", command + "datadir", command + "flags", command + "console", command + "events", command + "season", command + "show", "internal/numbers", "board", "engine"}, others: []string{"*"}},
	{folder: "cmd", below: []string{"internal/boardjson", "internal/jsontext", "internal/specschema", "cmd/zrank/internal", "internal/numbers", "server", "rdb", "board", "engine", "zset", "persist"}, others: []string{"*"}, tests: []string{traces, "internal/redistest"}},
	{folder: ".", below: []string{contract, "board/local", "engine"}, tests: []string{"."}},
	{folder: "zranktest", below: []string{".", contract, "board/local", "engine"}},
	{folder: "examples", below: []string{".", "server", "board", "engine", "zset", "persist"}, others: []string{"*"}, tests: []string{"internal/redistest"}},
	{folder: fuzzing + "boardspecs", below: []string{"board", "engine"}},
	{folder: fuzzing + "script", below: []string{fuzzing + "boardspecs", "board", "engine", "zset"}},
	{folder: fuzzing + "machine", below: []string{fuzzing + "script"}},
	{folder: fuzzing + "apply", below: []string{fuzzing + "script", fuzzing + "boardspecs", "board", "engine", "zset", "persist"}},
	{folder: fuzzing + "boardoracle", below: []string{fuzzing + "apply", fuzzing + "boardspecs", "board", "engine"}},
	{folder: fuzzing + "oracle", below: []string{fuzzing + "boardoracle", fuzzing + "boardspecs", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", model, "board", "engine", "zset", "persist"}},
	{folder: fuzzing + "structures", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", "zset", "skiplist", "listpack"}},
	{folder: fuzzing + "engines", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", fuzzing + "boardspecs", memfs, powercut, "board", "engine", "zset", "persist"}, others: []string{vfs}},
	{folder: fuzzing + "processes", below: []string{fuzzing + "engines", fuzzing + "machine", fuzzing + "script", "board", "engine"}, tests: []string{fuzzing + "processtest"}},
	{folder: fuzzing + "processtest", below: []string{fuzzing + "processes", fuzzing + "machine"}},
	{folder: fuzzing + "servers", below: []string{fuzzing + "engines", fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", "server", "board", "engine", "zset"}, others: []string{"*"}},
	{folder: fuzzing + "clusters", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script", fuzzing + "boardspecs", "board", "engine"}, others: []string{redisClient}},
	{folder: fuzzing + "runner", below: []string{fuzzing + "oracle", fuzzing + "apply", fuzzing + "machine", fuzzing + "script"}, tests: []string{fuzzing + "engines", "board", "engine"}},
	{folder: fuzzing + "campaigns", below: []string{fuzzing + "runner", fuzzing + "servers", fuzzing + "engines", fuzzing + "structures", fuzzing + "machine", fuzzing + "script"}},
	{folder: "fuzz", below: []string{"fuzz/internal", "server", "board", "engine", "zset", "skiplist", "listpack", "persist", "internal"}, others: []string{"*", vfs}},
	{folder: "bench", below: []string{"rdb", "server", "board", "engine", "zset", "skiplist", "listpack", "persist", "internal"}, others: []string{"*"}},
	{folder: "clients", tests: []string{"server/access", "server/api", "board", "engine", memfs, "internal/testclock", "github.com/pb33f", "pgregory.net/rapid"}},
}

// wrapped are the dependencies that only one folder may import, so that a change affects only that folder. bench is a separate module.
var wrapped = map[string]string{cockroach: "persist", btree: model, goid: "internal/goroutine", client: "server/metrics"}

// private are the folders that no others but these may import.
var private = map[string][]string{"internal/owner": {"engine", "engine/internal/recovery", "board/internal/catalog", "board/internal/check"}}

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
	if name == module {
		return l.refusesOurs(f, ".")
	}
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
		return "the folder has no place yet; give it one in internal/lint/arrows.go and in docs/architecture.md"
	}
	return "imports point down the page of docs/architecture.md only; move the code down, or hand the value in from above"
}

// named says whether a folder has a place on the page.
func named(folder string) bool {
	return slices.ContainsFunc(layers, func(l layer) bool { return l.folder == folder })
}

// anyWithin says whether a path is one of the folders or below one.
func anyWithin(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return folder == name+"!" || folder == contract && slices.Contains(themes, name) || within(name, folder)
	})
}
