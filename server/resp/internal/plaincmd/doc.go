// Package plaincmd has the commands on strings and plain sets. There are few: plain values exist so that set operations can take plain sets,
// and so that commands on sorted sets refuse other kinds as Redis does. Each is stored whole with every change.
//
// # Where things are
//
//	strings.go   Strings: SET, GET, STRLEN
//	sets.go      Sets: SADD, SREM, SMEMBERS, SCARD, SISMEMBER
package plaincmd
