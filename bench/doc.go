// Command bench compares zrank with what a Go program would use in its place: a bare map; google/btree, tidwall/btree, a counted B+ tree of
// its own, and the skip lists of Workiva and huandu, each with a map; the sorted set of bytedance/gopkg; Pebble alone; and a redis-server. It
// is a module of its own, so that rivals never enter zrank's. README.md says how each figure comes about.
//
//	go run . compare --n 1e6                     sorted sets side by side
//	go run . growth                              the same, from 100 members to a million
//	go run . latency                             percentiles of single calls
//	go run . durable                             commits on the disk
//	go run . recover --n 1e6                     opening and snapshots
//	go run . engine                              goroutines that read and write
//	go run . keyspace                            a million small sets
//	go run . pauses                              writers while a big set is snapshotted
//	go run . boards                              a leaderboard
//	go run . resp                                zrank serve beside redis-server
//	go run . cluster                             boards on a Redis cluster
//	go run . workloads                           the loads, and the traffic that they represent
//	go run . targets results/*.json              every target, its command, and which are met
//	go run . report                              a page of the main parts
//	go run . diff old.json new.json              what got slower, with confidence
//	go run . table raw.json --markdown           the tables of a file
//
// # Where things are
//
//   - main.go: the commands and the list of benchmarks; report.go: the page; diff.go: the comparison of two files
//   - internal/bench: the declaration of a benchmark, the one runner, the one format of results
//   - internal/render: tables and charts as text, Markdown and HTML; internal/diff: two results
//   - internal/measure: compare, growth and latency; internal/peers: the peers behind one interface; internal/counted: the one that we wrote
//   - internal/traffic (durable and engine), internal/recovery (recover and pauses), internal/keyspace, internal/boards,
//     internal/served (resp), internal/clustered (cluster), internal/httpapi (api), internal/adminpages (admin), internal/imported (import): the other
//     benchmarks
//   - internal/workload: which member, which score; files of events
//   - internal/subject: sets on engines, in Redis, in bytedance's structure and in Pebble, and durability levels
//   - internal/redis: a server and its connections; internal/process: signals, memory and CPU time of a process
//   - internal/crew, internal/disk, internal/figure: callers and latencies, files, names of figures
package main
