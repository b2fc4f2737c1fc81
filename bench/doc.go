// Command bench compares zset with what a Go program would use in its place: a bare map; google/btree, tidwall/btree, a
// counted B+ tree of its own, and the skip lists of Workiva and huandu, each with a map; and the sorted set of
// bytedance/gopkg; Pebble alone and a redis-server; under several workloads, or with the events of a file. It measures the engine on a disk beside Pebble alone, how long the engine takes to open, goroutines that read and write
// sets at once and a million small sets beside bytedance and Redis, and writers while something is done to a big set, a
// leaderboard beside three sets by hand, and zrank serve beside redis-server.
//
//	go run . compare --n 1e6
//	go run . compare --n 1e3,1e5,1e6 --peers tidwall --json > raw.json
//	go run . compare --workload ../../shared/data/goals/goals.csv.gz
//	go run . workloads
//	go run . growth
//	go run . latency
//	go run . targets results/*.json
//	go run . durable
//	go run . recover --n 1e6
//	go run . engine
//	go run . keyspace
//	go run . pauses
//	go run . boards
//	go run . resp
//	go run . report
//	go run . diff old.json new.json
//	go run . table raw.json --markdown
//
// It is a module of its own, so that rivals never enter zrank's.
//
// # How it measures
//
// Every run of a peer is a subprocess of its own: this program started again with the hidden command "measure". Peers take
// turns within a repetition, each repetition begins with another peer, and all peers of a repetition get the same load. So
// what the machine does meanwhile hits all of them alike, and what is left shows as spread.
//
// Before anything is measured every peer is compared with internal/model; a peer that gives wrong answers stops the
// program.
//
// The processes of the other commands are started with the hidden command "child". The systems of a row of durable, of
// engine, of boards and of resp take short turns, each stopped while the others measure.
//
// # Reading the source
//
//   - internal/workload: which member, which score, drawn before the clock starts; files of events
//   - internal/counted: the rival that we wrote
//   - internal/peers: the peers behind one interface, and the comparison with the model
//   - internal/measure: one load, one peer, one process; what each figure is
//   - internal/durable: commits on the disk, one system in one process
//   - internal/recovery: opening, snapshots and what they cost, one stage in one process
//   - internal/traffic: goroutines that read and write, one system in one process
//   - internal/keyspace: very many small sets, one system in one process
//   - internal/pauses: writers while something is done to a big set, in one process
//   - internal/boards: submissions and cards of a leaderboard, one system in one process
//   - internal/periods: what its periods cost, one stage in one process
//   - internal/served: a server that speaks the Redis protocol, and its many clients, one server in one process
//   - internal/redis: a redis-server and a connection to it
//   - internal/crew: writers who come at fixed times, and callers in a closed loop
//   - internal/disk, internal/latency, internal/process, internal/figure: what those stand on
//   - internal/report: medians, ratios, the targets of the design's section 8, tables, JSON and Markdown
//   - internal/diff: two runs of one command, and whether they differ
//   - internal/chart: bars and lines as SVG
//   - internal/page: what several commands found as one page of HTML, or Markdown
package main
