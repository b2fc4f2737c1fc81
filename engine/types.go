package engine

import (
	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/engine/internal/recovery"
	"github.com/zrankdb/zrank/engine/internal/txn"
	"github.com/zrankdb/zrank/persist"
)

// Tx is a transaction. It is for the closure that it is given to, in that goroutine only.
//
// Sets: Set, SetTied, IntSet, Stat. Whole keys: Drop, Rename, Copy. Private keys: Get, Put, Delete, Scan. Besides: Now, Seq, Saw.
type Tx = txn.Tx

// Set is a sorted set with float64 scores inside a transaction, as Tx.Set gives it.
//
// It has the reading methods of zset.View. Changes: Add, AddTied, Put, AddIf, IncrBy, IncrByIf, Remove, RemoveRange, PopMin, PopMax.
// Conditions: Expect, ExpectScore, ExpectAbsent. Expiry: ExpireAt, ExpireIn, Persist, Expiry. Besides: Key, ID, Version, LastSeq.
type Set = txn.Set

// IntSet is a Set with int64 scores, exact over their whole range, as Tx.IntSet gives it. It has the reading methods of zset.IntView.
type IntSet = txn.IntSet

// Stat is what a key holds, whatever its kind: see Tx.Stat.
type Stat = txn.Stat

// Form says how a set with int64 scores orders its entries: TieWidth, ScoreTie, Dense.
type Form = facts.Form

// Event is something that an operator may want to know: see Options.OnEvent.
type Event = observe.Event

// EventKind says what an Event is about.
type EventKind = observe.EventKind

// Holder is a call that has the lock that another one waits for: see Event.Holders.
type Holder = observe.Holder

// CallTimes says how long calls took: Count, Sum, Max, Quantile and Buckets.
type CallTimes = observe.CallTimes

// Snapshots are figures of snapshots: see Stats.
type Snapshots = checkpoint.Snapshots

// Compaction tells how far a compaction is, and what it has freed: see Engine.Compact.
type Compaction = persist.Compaction

// Recovery tells what Open did.
type Recovery = recovery.Recovery

// Report is what a check has read, and the problems that it has found.
type Report = recovery.Report

// Audit has functions that a check calls for reserved keys: see Owner.Check.
type Audit = recovery.Audit

// Audited is the result of a check for one set: see Audit.
type Audited = recovery.Audited

// The kinds of Event; each is described where it is defined.
const (
	EventSlowSync = observe.EventSlowSync
	EventStalled  = observe.EventStalled
	EventDiskFull = observe.EventDiskFull
	EventFailed   = observe.EventFailed
	EventWaiting  = observe.EventWaiting
	EventSnapshot = observe.EventSnapshot
	EventSlowLoad = observe.EventSlowLoad
	EventMemory   = observe.EventMemory
	EventSlowCall = observe.EventSlowCall
	EventExpired  = observe.EventExpired
	EventCompact  = observe.EventCompact
)

// ViewSample is the number of Views for each one that is timed, on average.
const ViewSample = observe.ViewSample

const (
	// MaxKey is the length of the longest key of a set, and of the longest private key, in bytes. The empty key is a key, as in
	// Redis.
	MaxKey = txn.MaxKey
	// MaxKeys is how many keys one transaction may name.
	MaxKeys = txn.MaxKeys
	// MaxTransaction is how much one transaction may change, in bytes as encoded in the log: for each set that it changes its key and 14 to
	// 20 bytes; for each member the member, its tie, and 12 to 16 bytes; for each private key the key, the value and 3 to 9 bytes. It limits
	// a single member or value too. An engine made by New has no log and no such limit: there zset.MaxMember limits members.
	MaxTransaction = txn.MaxTransaction
)

// Reserved reports whether a key of a set, or a private key, is reserved for package board: it begins with "board/" or "board.". Such
// keys can be read; calls that would change one return ErrReserved. O(1).
//
// An older version of this package let a program make its own sets under such keys. A directory with such sets opens, and they can be read.
// A set with float64 scores, which no board ever has, can get another key by Rename. A set with int64 scores can be copied by CopyInts and
// Copy. A private key keeps its value.
func Reserved(key string) bool { return facts.Reserved(key) }
