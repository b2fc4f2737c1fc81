// Package persist keeps what an engine holds in memory: a write-ahead log of effects, and snapshots that let the log be
// cut. It stores effects and pages of bytes, and knows nothing of what they mean.
//
// # Terms
//
//   - effect: one absolute change to a set ("member m has value v now"). Applying it twice is harmless.
//   - note: bytes of the caller's in a commit, which change nothing stored. They are there as long as the log has the commit.
//   - commit: the effects of one [Batch], with one sequence number: 1, 2, ... without gaps. All or none of it survives.
//   - group: the commits that were written together, one value in Pebble.
//   - log: the groups since the last truncation.
//   - page: a piece of a set's state, in the engine's own bytes. A snapshot writes the pages that have changed, and keeps the others.
//   - page table: for each page of a set, which snapshot wrote it, and its checksum; see internal/format/table.go.
//   - base: a commit. A set's pages hold every effect on the set up to its base, and perhaps later ones.
//   - write-out: a snapshot of some sets, which leaves the log as it is.
//   - upto: the commit up to which a snapshot covers every set; the log before it is gone, but for what [Options].RetainBytes keeps for followers.
//   - pointer: the record m/current, which names the last published snapshot or write-out, and the start of the log.
//   - durable: on the disk, flushed, and read back after a power cut.
//   - private keys: the caller's own keys and values, written in the same commits.
//
// # Use
//
//	s, err := persist.Open(dir, persist.Options{})
//	for r, err := range s.Sets() { ... }             // the sets of the last snapshot; read pages when needed
//	err = s.Replay(func(seq uint64, e Effect) error { // skip effects with seq <= the set's Base
//		...
//	})
//
//	seq, err := s.Append(&batch) // under the locks of what the batch changes
//	err = s.Wait(ctx, seq)       // without them
//
//	sn, err := s.WriteOut(nil)   // a snapshot of some sets, which does not cut the log; then as below, with any sets
//	sn, err := s.Snapshot(upto)  // from time to time: see Store.LogBytes
//	err = sn.WriteSet(key, meta, base, entries, pages)
//	err = sn.Publish()
//
// # Following the log
//
// A [Follower] shows every commit from a given number on, in order, as soon as the commit is durable, at any level. No crash takes
// back a commit that a follower has shown, and its number means the same commit for ever. A follower reads the tail of the log from
// memory; the store keeps the tail from the first Follow on. It reads older commits from Pebble, until a snapshot cuts the log there;
// Options.RetainBytes says how much of the log stays behind the cut. Replay skips what stays. NextNotes shows the notes only.
// For a commit that is in neither it returns ErrFellBehind. The store queues nothing for a follower, and no writer waits for it. A
// follower does not show private keys, because they are not part of the groups.
//
// # What is promised
//
// An acknowledged commit is one whose Wait returned nil.
//
//	level      acknowledged means      kill -9 can take               power loss can take
//	Sync       flushed to the disk     nothing                        nothing, if the disk honours flush
//	Interval   queued in this process  the last Interval + one sync   the same
//	None       queued in this process  all since Barrier or Publish   the same
//
// After any crash the store holds exactly the commits 1 to n, for some n: no gap and no partial commit, private keys included.
// A commit that was not acknowledged may be among them.
//
// Barrier gives every commit appended before it the guarantee of Sync. At Interval one sync may take long, so Wait enforces the bound:
// while a commit is older than Options.MaxLag and not durable, Wait acknowledges nothing. Times are those of the monotonic clock,
// which stands still while a machine sleeps.
//
// What commits return when the disk has a problem:
//
//	it fails            ErrPersistence, for good. The files stay as they are at that instant, reads go on, and opening the
//	                    directory again finds everything acknowledged. A flush that failed is never tried again.
//	it is silent        ErrStalled after Options.StallTimeout, later commits at once, until it answers.
//	the system refuses  a file, for want of descriptors, memory or permissions: the same, with the system's error, until it does not.
//	it is nearly full   ErrDiskFull below Options.DiskReserve, before anything is queued, until there is space. Commits
//	                    that only remove go on until the first quarter of the reserve is used.
//
// A commit whose Append fails has not happened. One whose Wait fails is undecided: a restart finds all of it or nothing.
// The package never ends the process. Close waits at most 4 s for a silent disk. Options.OnEvent is called for each of these problems.
//
// Not promised: disks that lie about flush, network file systems, people who edit the files.
//
// # The directory
//
//	<dir>/LOCK       flock, held while the store is open; so is one on <dir> itself
//	<dir>/IDENTITY   which store this is, and of what layout; see storedir.Identity
//	<dir>/HWM        the high-water mark: the log length known to be on the disk; see storedir.Mark
//	<dir>/db/        Pebble
//
// Open creates a store in this order: LOCK; IDENTITY.tmp; db; m/format and m/current in it; HWM; rename to IDENTITY. The
// directory is a store from the rename on. A store of layout 1 has no HWM. Open converts it in this order: HWM; IDENTITY, by way of
// IDENTITY.new; m/format.
//
// # Opening
//
// Open makes these checks first, and changes no file except LOCK until all have passed:
//
//  1. IDENTITY and HWM are read; the markers, OPTIONS and the MANIFEST of db are compared with HWM.
//  2. Pebble is opened for reading only, which replays its log into memory.
//  3. m/format, m/current, the sets' records and every group of the log are read and checked (P1, P3, P4).
//  4. The end of the log is compared with HWM. The log may be longer than HWM says, except after a clean Close.
//  5. If the store was not closed, the bytes of Pebble's log files are searched for groups that Pebble has not recovered and whose
//     durable seq is beyond the end of the recovered log.
//
// Only then does Open open Pebble for writing. It drops an incomplete write at the end of the log and counts it in
// [Recovery], unless 4 or 5 shows that the write was durable: then Open fails with ErrDataLoss or ErrCorrupt. Pages are checked when
// they are read. The cost is proportional to the log and the number of sets.
//
// Open does not notice damage to the end of the log within the second before a crash, if HWM does not cover it yet and no later
// group says that it was durable.
//
// # Copies and damage
//
// An [Image] is a view of a store at one moment: of an open store, or of a directory, damaged or not. Check reads all of it. Backup
// makes a Pebble checkpoint and checks it. Restore and Salvage write a new store from an image, under a new id, with the same
// commits and numbers: they copy the log group by group, and write the sets as a snapshot. All three build the store in
// dir.tmp, where its identity is called IDENTITY.tmp. They rename both when the store is complete, checked and flushed.
//
// If only Pebble's logs are damaged, an image is the state before the first batch that is damaged or missing there. If Pebble's own list of tables
// is damaged, or a table is gone, an image reads the tables and logs one by one into memory.
//
// What Salvage promises: it copies a prefix of the commits, private keys included, if the damage leaves one; otherwise what is whole, by set, with
// a list of what is not; and it never calls a copy whole, or a prefix, or a set right, that is not. There is no earlier state to go back to
// once a page is gone, because a snapshot replaces the one before and cuts the log. So the kind of damage decides:
//
//	damaged                             the copy                                             Salvaged
//	IDENTITY, HWM, OPTIONS              everything, or a prefix: its end is not proved       Prefix
//	Pebble's logs                       the commits before the damage                        Prefix
//	pages in a table                    the sets without these pages                         Sets: Lost
//	set records in a table              other sets; what the log has of these                Sets, Gaps
//	groups of the log in a table        the commits before them; the pages of a set may      Sets: Ahead, PrivateAhead
//	                                    hold later ones, and so may private keys
//	private keys in a table             the others                                           PrivateGaps
//	the list of tables, a table gone    what the tables have: any set may be older           Stale
//
// What leaves no trace, and is called whole: the loss of the end of the log of a store that was not closed, as far as neither HWM, which is written
// once a second, nor a group that came later says that it was flushed; and a whole directory of an earlier moment.
//
// # The keys in Pebble
//
// Numbers are big endian, checksums are CRC-32C.
//
//	m/format                                layout version, store id
//	m/current                               the pointer
//	m/batch                                 number of the last batch written, u64
//	m/publishing                            number of a snapshot not all of whose sets have their records yet, u64 | crc u32
//	l/<first seq u64>                       a group
//	s/<set name>                            a set's record
//	p/<snapshot u64><set id u64><page u32>  a page: crc u32 of key and bytes | bytes
//	u/<key>                                 a private key
//
// Pages are ordered by the snapshot that wrote them, so that one range deletion removes the pages of a crashed or aborted snapshot.
// A set's id is its number inside that snapshot. A page keeps its number and its key until a later snapshot rewrites it.
//
// # Publishing
//
// A set's record is right with the pages of any snapshot, as long as the log goes back to its base: what the pages do not have, the log has.
// So Publish changes the records of some sets at a time, and commits wait for one such batch only. A crash in between leaves some sets with
// the pages of the new snapshot and some with those of the one before, and the whole log. The next Open, or the next snapshot, deletes the pages
// that no record names. A snapshot of a few sets is published by one batch.
//
// A write-out uses the same: it publishes the records of a few sets, so that an engine can let these sets leave memory. One batch has the records
// and the pointer with the new snapshot number, and nothing is cut or flushed. Pebble keeps batches in order, so a crash takes the write-out
// and all commits after its bases, or none of them before it. A set's base may then be far above upto; Replay shows the effects in between,
// and the caller skips them.
//
// So Replay may show effects on a set whose record is gone, up to the commit that drops the set. Each commit that changes a set must begin with
// its Create.
//
// # Reading back
//
// Publish reads every page that the snapshot has written through Pebble, by the key that the set's record names, and compares it with
// the checksum of the bytes that the engine gave. Only then does it publish the snapshot and cut the log. So every page is there and
// right. Most pages come from tables; the last few MiB are still in memtables (4 MiB each) and in Pebble's log, as the groups are.
// Publish does not flush those to tables first: that would prove only the first of the many copies that compaction makes. A wrong
// page makes Publish fail with ErrCorrupt, and the log stays. The check costs one read of all written pages.
//
// # Compacting
//
// What is deleted stays in files: in tables until Pebble compacts them, in Pebble's logs, which Pebble writes over from the beginning only, and in its
// MANIFEST, as bounds of tables. [Store.Compact] removes it from all of them, while commits go on: see compaction.go. For this
// Pebble may begin a new MANIFEST as soon as the current one has more changes than there are tables.
//
// A file system may keep the bytes of files that are removed, and a flash disk those of blocks that are written anew: Compact cannot reach them, nor
// copies such as backups.
//
// # The bytes of a group
//
//	 0       4    5    6         10          18        22            30        38        42         46
//	+-------+----+----+---------+-----------+---------+-------------+---------+---------+----------+---------+-----+
//	| magic | v  | fl | length  | first seq | commits | durable seq | unix ms | store   | prev crc | commits | crc |
//	|   4   | u8 | u8 |  u32    |   u64     |  u32    |    u64      |  u64    |  u32    |   u32    |   ...   | u32 |
//	+-------+----+----+---------+-----------+---------+-------------+---------+---------+----------+---------+-----+
//
// magic is a7 5a 52 47; v is 1; fl is 0; length counts the whole value, from magic to crc. durable seq is the last commit
// known to be flushed when the group was encoded: if that commit is missing later, the log is damaged, not torn. store is the crc
// of the store's id. prev crc is the crc of the group before, 0 for the first group ever. crc covers everything before it.
//
//	commit:  +----------------+---------+---------+----
//	         | length uvarint | effect  | effect  | ...
//	         +----------------+---------+---------+----
//
//	effect:  +---------+-------------+---------------------------------+
//	         | kind u8 | set uvarint | what the kind has               |
//	         +---------+-------------+---------------------------------+
//	           1 create                meta length uvarint, meta
//	           2 put                   member length, member, value length, value
//	           3 remove                member length, member
//	           4 drop                  nothing
//
//	note:    +------+----------------+-------+
//	         | 5 u8 | length uvarint | bytes |   at most 64 KiB; the notes of a commit come before its effects
//	         +------+----------------+-------+
//
//	set:     0, name length, name: a set that the commit names for the first time; or n: the n-th set it has named
//
// A uvarint has one valid form, the shortest. A commit that writes private keys only has length 0: the keys are beside the
// group, in the same Pebble batch. Commit 7, alone in its group, that creates "a" and puts x = "1" into it, after
// everything to 6 was flushed, at millisecond 1, in the store with hash 2, after the group with crc 3:
//
//	a7 5a 52 47 | 01 | 00 | 00 00 00 3e | 00 00 00 00 00 00 00 07 | 00 00 00 01 | 00 00 00 00 00 00 00 06
//	00 00 00 00 00 00 00 01 | 00 00 00 02 | 00 00 00 03
//	0b | 01 00 01 61 00 | 02 01 01 78 01 31 | 3f 3f a8 3a
//
// # Invariants
//
//   - P1: sequence numbers are 1, 2, ... in the order of Append, across truncation and reopening.
//   - P2: durable <= applied <= last. Wait at Sync and Flush answer nil only for commits <= durable.
//   - P3: the first group's first seq is the pointer's start; each next one starts where the one before ended.
//   - P4: each group names the crc of the one before; the first one names the pointer's.
//   - P5: a group's durable seq is below its first seq.
//   - P6: pages count only when a set's record names them; they do not change from then on.
//   - P7: a record changes in one batch with the deletion of the pages that it named and no longer names. The last batch of a snapshot also
//     sets upto and start in m/current and deletes the log before. Start may be lower than upto by what is retained; Compact raises it alone.
//   - P8: every commit appended before Publish is in the log before the first batch of P7.
//   - P9: IDENTITY exists only if db holds m/format and m/current; db exists only if IDENTITY or IDENTITY.tmp does. From layout
//     2 on HWM exists whenever IDENTITY does.
//   - P10: only the committer writes to Pebble, once the store is open; mu is never held meanwhile.
//   - P11: what HWM says was on the disk before: commits flushed, the pointer published, the MANIFEST flushed and current.
//   - P12: while the store is open no slot of HWM says that it is closed.
//   - P13: every file is reached through failstop. Its latch and the store's latch close together. A write counts only if the latch
//     is open after the flush of the write.
//   - P14: Append refuses a commit that would wait for a disk that does not answer, so that the queue is bounded.
//   - P15: batches are numbered 1, 2, ... in m/batch; Pebble's logs hold every number after the last one in the tables.
//   - P16: a backup, a restored or a salvaged store has IDENTITY only if it was read in full, and its own name only after that.
//   - P17: the tail in memory holds consecutive commits up to the last one written; what it holds does not change.
//   - P18: a follower is shown commits <= durable, each once, in order.
//   - P19: m/publishing exists from the first batch of P7 until the last, if there are several, and names the snapshot of m/current.
//     Only while it exists may that snapshot have pages that no record names.
//   - P20: the batch that publishes a write-out holds all its records, and follows every commit up to their bases.
//   - P21: when Compact returns nil, no file has bytes of what commits before the call have deleted or replaced. After that, whatever is deleted
//     may stay in files until the next Compact.
//
// # Where things are
//
//	errors.go    the sentinel errors
//	open.go      Open
//	options.go   Options, Level, FS
//	event.go     Event: what an operator must know of the disk
//	batch.go     Batch and Notes: what a commit has
//	store.go     Store: committing, waiting, figures; Recovery
//	follow.go    Follower of a store, or of a MemLog; Bulk
//	snapshot.go  Snapshot, write-outs, and reading the sets of the last snapshot
//	private.go   reading private keys
//
// Whole stores, open ones and closed ones, damaged or not. An image changes nothing but LOCK; Check continues after damage and reports all of
// it; a copy gets IDENTITY and its final name only after it was read in full (P16):
//
//	image.go       Image: a store at one moment; Problem
//	open_image.go  OpenImage of a directory, Store.Image of an open store
//	database.go    opening Pebble's database in the directory of a store
//	cut.go         an image as it was before the damage, if only Pebble's logs are damaged
//	raw.go         an image from tables and logs alone, if Pebble's list of tables is damaged
//	check.go       Check: reads everything and reports what is wrong
//	report.go      Report: what a check has read, and found; WithProgress
//	backup.go      Store.Backup, checking a copy
//	salvage.go     Salvage, which copies what can be read; Restore
//	doubt.go       which sets of a salvaged copy may be other than they were
//
// Rewriting the files, so that nothing deleted is left in them:
//
//	compaction.go         Store.Compact and its steps, and the files other than tables
//	compaction_tables.go  moving tables to the last level, and rewriting them there
//	compaction_run.go     Compaction; what a running one knows and waits for
//
// The internal packages, from the bottom up; each imports only packages above it in this list:
//
//	internal/failstop    a file system that stops at the first failed write
//	internal/errs        the errors
//	internal/format      the stored bytes: keys, groups, effects, records, page tables
//	internal/storedir    the directory: IDENTITY, HWM, LOCK, Pebble's MANIFEST, building a store under a temporary name
//	internal/pebbledb    the Pebble database: the latch, applying batches, reading, free space, timing the disk
//	internal/commitlog   the log: queue, committer, waiting, followers, replay
//	internal/snapshot    writing, publishing and reading snapshots
//	internal/recovery    opening and creating a store: preflight, the search behind the end of Pebble's log
//	internal/faultfs     a file system for tests that fails on demand
//
// A commit goes from Store.Append to commitlog/queue.go, committer.go and pebbledb.DB.Apply. A snapshot goes from Store.Snapshot to
// snapshot/snapshot.go and publish.go. Open is recovery/open.go. Compact is compaction.go.
//
// # Left out, and why
//
//   - One key for each effect: with one value for a group Pebble pays its cost per key once a group, and the value keeps the order.
//   - Pebble's ingestion of tables for pages: it cannot be atomic with the pointer.
//   - Waiting for a minimal time between flushes: it makes group commit slower, not faster.
//   - A spare file to delete when the disk is full in spite of the reserve: an operator relies on files that no longer change.
package persist
