// Package clustered measures boards on a Redis cluster, beside the same board on an engine in this process, and beside sorted sets that a program keeps on the same cluster
// by hand. Each system is a process with servers of its own on loopback.
//
// # Where things are
//
//   - clustered.go: the benchmark and its cases
//   - tables.go: its tables
//   - session.go: one system with its members, measured in turns
//   - systems.go: boards on a cluster, on an engine, and sets by hand
//   - servers.go: the servers: their memory and CPU time
package clustered
