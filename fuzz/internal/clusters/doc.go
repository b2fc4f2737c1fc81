// Package clusters runs scripts on leaderboards that package cluster keeps on redis-servers.
//
// The boards have the specs of package boardspecs without what package cluster refuses, and the oracle has the same. With several partitions the oracle has boards in
// parts, whose equals in one microsecond rank by name too.
//
// # Where things are
//
//	configs.go  Configs: the configurations, and what they skip: F6
//	machine.go  Machine: processes that come one after the other, and their boards
//	board.go    a board, with the calls that package cluster does not have
package clusters
