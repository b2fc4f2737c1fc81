// Package imported measures how long it takes to import a Redis file, and to export one, beside a redis-server that loads it.
//
// # Where things are
//
//   - imported.go: the benchmark, its lines and its tables
package imported
