// Package structures runs scripts on the layers below the engine: listpacks, skiplists and sets of zset.
//
// It owns the naive map that stands for an engine, and the sorted set that it makes of a listpack or a skiplist.
//
// # Where things are
//
//	configs.go   Lists and Sets: the configurations
//	plain.go     Plain: a machine of sets in a Go map; sets of zset
//	listpack.go  listpacks
//	skiplist.go  skiplists
//	ordered.go   a sorted set made of either
package structures
