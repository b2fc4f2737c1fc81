// Package redistest starts redis-servers on ports of their own on loopback, alone or as a cluster, for tests and benchmarks.
//
// The program is redis-server, or what the environment variable ZRANK_REDIS_SERVER names. If REDIS is all, a test that finds none fails instead of being skipped.
//
// # Where things are
//
//	servers.go  Start: servers that are no cluster
//	cluster.go  StartCluster
//	ports.go    free ports
//
//	attributes_linux.go  servers end with the process that has started them
package redistest
