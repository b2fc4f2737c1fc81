// Package zsetcmd has the commands on sorted sets, Z* and BZ*.
//
// It promises Redis's replies, byte for byte, but for the differences that package resp lists. A command that would hold the locks of its
// keys for long is deferred: it runs outside a transaction, and delays others by a page of work at most: see defer.go.
//
// # Where things are
//
//	commands.go     Commands: the rows
//	bounds.go       intervals of ranks, scores and members, and how they are parsed
//	reply.go        how entries are written
//	add.go          ZADD, ZINCRBY, ZREM
//	remove.go       removal, with the expiry of a set that becomes empty
//	members.go      ZCARD, ZSCORE, ZMSCORE, ZRANK, ZREVRANK
//	range.go        ZRANGE and its relatives, ZCOUNT, ZREMRANGEBY*
//	rangestore.go   ZRANGESTORE
//	pop.go          ZPOPMIN, ZPOPMAX, ZMPOP
//	blocking.go     BZPOPMIN, BZPOPMAX, BZMPOP, and how they wait
//	setops.go       ZUNION, ZINTER, ZDIFF, ZINTERCARD, and those that store
//	combination.go  the words of a set operation
//	defer.go        set operations and long ranges outside a transaction
//	random.go       ZRANDMEMBER
//	scan.go         ZSCAN
package zsetcmd
