// Package persist keeps what an engine holds in memory: a write-ahead log of effects, and snapshots that let the log be
// cut. It stores effects and pages of bytes, and knows nothing of what they mean.
//
// # Terms
//
//   - effect: one absolute change to a set ("member m has value v now"). Applying it twice is harmless.
//   - commit: the effects of one [Batch], with one sequence number: 1, 2, ... without gaps. All or none of it survives.
//   - group: the commits that were written together, one value in Pebble.
//   - log: the groups since the last truncation.
//   - page: a piece of a set's state, in the engine's own bytes. A snapshot writes whole sets, page by page.
//   - base: a set's pages hold every effect on it up to this commit, and perhaps later ones.
//   - upto: the commit up to which a snapshot covers every set; the log before it is gone.
//   - pointer: the record m/current, which names the snapshot that counts and where the log starts.
//   - durable: on the disk, flushed, and read back after a power cut.
//   - private keys: the caller's own keys and values, written in the same commits.
//
// # Use
//
//	s, err := persist.Open(dir, persist.Options{})
//	for r, err := range s.Sets() { ... }             // what the last snapshot has; pages when they are needed
//	err = s.Replay(func(seq uint64, e Effect) error { // skip effects with seq <= the set's Base
//		...
//	})
//
//	seq, err := s.Append(&batch) // under the locks of what the batch changes
//	err = s.Wait(seq)            // without them
//
//	sn, err := s.Snapshot(upto)  // from time to time: see Store.LogBytes
//	err = sn.WriteSet(key, meta, base, entries, pages)
//	err = sn.Publish()
package persist
