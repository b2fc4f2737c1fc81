// Package peers puts zset, and what a Go program would use in its place, behind one small interface, each through the
// calls its own documentation recommends.
//
// Rules that keep it fair:
//
//   - A board owns its members: one that keeps strings clones a new member's text, and puts the text it owns back when a
//     score changes. (Assigning to an existing key of a Go map replaces the key, and with it who owns the text.) The one
//     exception is bytedance's, whose API gives no access to the text it holds; see there.
//   - No peer takes a lock that it can leave out.
//   - A page must stay valid when the board changes. Go strings do by themselves, so those peers copy 16 bytes a member;
//     zset copies the text.
//   - Check compares every peer with the oracle before anything is measured.
//   - Two peers are not in this process's heap, Pebble and a redis-server. Theirs is wall time, since other threads and processes do
//     part of the work, and memory is what the server says, or unknown. What a peer cannot do has no figure.
//
// Left out, since Go's module mirror did not have them when they were tried in November 2026:
// wangjia184/sortedset, liyiheng/zset, werbenhu/ranklist, zavitax/sortedset-go, songzhibin97/gkit, haxqer/rank, arriqaaq/zset, tikv/pd
// (pkg/btree), gansidui/skiplist, ajwerner/btree.
//
// # Where things are
//
//   - board.go: Board, what a peer does
//   - encode.go: pages as RESP and as JSON
//   - registry.go: the list of peers
//   - check.go: the comparison with the model
//   - mapped.go: an ordered structure with a map; trees.go, skiplists.go: those structures
//   - sets.go: zset and bytedance's set; pebble.go, redis.go: the peers outside this process
package peers
