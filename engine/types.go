package engine

import (
	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/engine/internal/recovery"
	"github.com/zrankdb/zrank/persist"
)

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

// Reserved reports whether a key of a set, or a private key, is reserved for package board: it begins with "board/" or "board.". Such
// keys can be read; calls that would change one return ErrReserved. O(1).
//
// An older version of this package let a program make its own sets under such keys. A directory with such sets opens, and they can be read.
// A set with float64 scores, which no board ever has, can get another key by Rename. A set with int64 scores can be copied by CopyInts and
// Copy. A private key keeps its value.
func Reserved(key string) bool { return facts.Reserved(key) }
