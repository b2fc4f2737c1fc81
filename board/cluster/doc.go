// Package cluster keeps boards on a Redis or Valkey cluster, for a game that has outgrown one process: the same specs, the same calls, the same answers as
// package board over the engine.
//
//	boards, err := cluster.Dial("redis://10.0.0.1:6379?addr=10.0.0.2:6379", cluster.Options{Partitions: 16})
//	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
//	change, err := arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15)})
//
// The servers only store and count. Scores are decided here, by the rules and windows of package board, so they are exact int64 and any columns; a server has
// doubles only.
//
// # Terminology
//
//   - partition: a part of the members, by a hash of the name, with its own slot of the cluster. Ranks are sums over the partitions.
//   - value: what is stored of a member in a period: its entry, the results that the operator keeps, its metadata.
//   - standing: what an operator has said of a member: banned, hidden; and whether an operator's call holds it, so that others wait before they change it.
//   - action: what an operator does about a member, in all its periods.
//   - commit: a change by one script in one partition.
//   - fence: what a partition knows of periods: up to when each window is closed, and which periods have had members.
//
// # Layout
//
// All keys of partition k of a board have the hash tag {NAME/k}. PREFIX is Options.Prefix. ID is random, of the board that Define made.
//
//	PREFIX{NAME/k}ID/z/WINDOW/PERIOD  sorted set with all scores 0. Each text is the score of the entry, 8 bytes that order best first, its tie, and the member
//	PREFIX{NAME/k}ID/h/WINDOW/PERIOD  hash from member to value
//	PREFIX{NAME/k}ID/bz/WINDOW/NAME   copy of a sorted set: a baseline; bh/WINDOW/NAME is that of the hash beside it
//	PREFIX{NAME/k}ID/once             sorted set of Once keys by the time of use
//	PREFIX{NAME/k}ID/fence            hash
//	PREFIX{NAME/k}ID/standings        hash from member to standing, and from the hash of an erased one
//	PREFIX{NAME/k}ID/audit            hash: the entries of the audit log by their numbers, NUMBER/places, and in the first partition last, the last number
//	PREFIX{NAME/0}ID/records          hash of closed periods
//	PREFIXboards                      hash from name to id, number of partitions and spec
//
// # Invariants
//
//   - CL1: a text is in a sorted set if and only if the hash beside it has the value of the member with that entry, and the member is not hidden.
//   - CL2: one script changes all windows of a member, or none; it does so only if the values and the standing are those that the decision was made from.
//   - CL3: no submission changes a period that the fence of its partition says is closed. A record exists only once all partitions say so. It has the numbers of members
//     of that moment, which actions leave as they are: reads count the members.
//   - CL4: a Once key is stored with the change that it stands for, in the partition of the member.
//   - CL5: an action changes all periods and, where it does, all baselines of the member, its standing and the audit log by one script, which does nothing if a period has come that it does not know.
//
// # What does not hold
//
//   - A read of several partitions is not of one instant while submissions are in flight: a rank may be off by those. Closed periods are exact. With one
//     partition a Change is of the moment of the commit, every count is of one instant, and a row of several reads is not.
//   - There are no transactions over members. With several partitions SubmitAll is one commit a member; with one it is one commit.
//   - With several partitions a Once key counts for the members of one partition: use one that has the member in it.
//   - An action has the ranks of just before it. With several partitions it first takes the number of its entry in the audit log: one that is not made then leaves a gap,
//     and an entry may come after one with a higher number.
//   - Rename and Merge are refused if the two members are in two partitions.
//   - With several partitions a baseline is not of one instant. SaveBaseline changes one partition after the other: after an error call it again.
//   - Erase makes one commit, and then deletes what is left in steps that may be made again: after an error call it again.
//   - Equals that reach a score in the same microsecond rank by name, as in boards in parts.
//   - Plain replication loses acknowledged changes when a master fails before its replica has them. Options.Replicas makes each call wait for replicas.
//   - Define refuses what the package does not have, with the reason: see ErrUnsupported.
//
// The time is that of the calling process, Options.Clock: it decides in which period a submission without a time is, and when CloseDue closes one. Once one process
// has closed a period, no other can add to it, whatever its clock.
//
// # Where things are
//
//	boards.go   Boards: Open, Define, Board, Drop, CloseDue
//	dial.go     Dial
//	options.go  Options
//	refused.go  what Define refuses; unsupported.go and unsupported_boards.go the calls that a cluster does not have
//	board.go    one board; what is known of its periods
//	submit.go   Submit, Apply, SubmitFunc
//	batch.go    SubmitAll
//	plan.go     a submission: its periods, what the rules decide
//	action.go   action: an operator's call
//	spot.go     spot: a member in a period
//	ban.go      Ban, Unban
//	hide.go     Hide, Show
//	erase.go    Erase
//	correct.go  Correct
//	rename.go   Rename, Merge
//	history.go  Member
//	audit.go    Audit, AuditPlaces
//	change.go   the ranks before and after
//	member.go   Remove, SetMeta
//	periods.go  Live, At, Period, LastClosed, Periods, NextReset, Deadline
//	baseline.go SaveBaseline, Baseline, Baselines, DropBaseline
//	closing.go  CloseNow, and closing what is due
//	source.go   the sources of rankings
//	movable.go  the boards as internal/moving sees them
//	errors.go   the errors
//
// Below:
//
//	internal/moving   boards that are moved to another store, or come from one
//	internal/commit   what is changed: commits and the scripts that make them
//	internal/sets     the partitions of a ranking read as one set
//	internal/layout   what is stored: keys, fields, values
//	internal/servers  how the servers are reached; what is sent again, and what errors mean
package cluster
