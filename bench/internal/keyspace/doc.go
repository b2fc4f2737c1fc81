// Package keyspace measures very many small sets: the time to fill them, their memory over key and entries, and how long it takes to open
// them again and to read a set for the first time.
//
// The sets come in one commit or command each, of 20 members. Memory is live heap, of Redis used_memory; the overhead is what is left of it
// over the key and the entries as the bytes of zrank's listpack. What was closed is opened in a fresh process; for Redis, which loads
// everything, opening is all. Members have 8 to 16 bytes, keys 14, scores are whole numbers.
//
// # Where things are
//
//   - keyspace.go: the benchmark and its table; the sets; zrank, bytedance's sets, and Redis
package keyspace
