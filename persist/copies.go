package persist

import "context"

// Image returns an image of the store that holds every commit appended before the call. The store keeps the files that the image
// needs. Close the image before the store. Errors: ErrPersistence, ErrClosed.
func (s *Store) Image() (*Image, error) { return imageOf(s.log) }

// OpenImage opens the store in a directory that no process has open. It changes no file there except those called LOCK. It uses only
// FS and Logger of o. Check reports damage. If Pebble cannot open the database, the image holds in memory what can be read from its
// tables and logs. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, the file system's. O(log).
func OpenImage(dir string, o Options) (*Image, error) {
	return openImage(dir, o.withDefaults().database())
}

// Backup writes a copy of the store to dir, while commits go on. The copy holds every commit appended before the call, and perhaps
// later ones. The copy is a complete store with the same id: Open opens it, and Restore copies it under a new id. If dir is on the
// same file system, Backup makes hard links to Pebble's tables; otherwise it copies them. It reads the whole copy before the copy gets
// its name. dir must not exist, or be empty; Backup creates its parents. Close makes a running Backup return ErrClosed. Errors:
// ErrExists, ErrCorrupt if the copied data is damaged, ErrPersistence, ErrClosed, that of ctx, the file system's. After an error
// Backup removes the copy. O(bytes).
func (s *Store) Backup(ctx context.Context, dir string) error { return backup(ctx, s.log, dir) }

// Restore copies the store in the directory backup to dir, under a new id, so that both may be used afterwards. backup must be closed.
// The copy has the same commits with the same numbers. Restore flushes the copy and reads it in full before the copy gets its name.
// dir must not exist, or be empty. It uses only FS and Logger of o. Errors: ErrExists, ErrNotStore, ErrLocked, ErrNewerFormat,
// ErrCorrupt if anything in the backup is damaged, that of ctx, the file system's. After an error Restore removes the copy. O(bytes).
func Restore(ctx context.Context, backup, dir string, o Options) (Report, error) {
	return restore(ctx, backup, dir, o.withDefaults().database())
}

// Salvage copies what can be read of the store in from to a new store in to, which gets a new id. from must be closed; Salvage does
// not change it. It copies the log up to the first commit that is damaged or missing, the sets as in the last snapshot, and the
// private keys. If some pages of a set are damaged, Salvage copies the other pages; the log then applies on top.
//
// The copy is the longest prefix of the commits that can be read, if the damage leaves one: Salvaged.Prefix says so. Otherwise the copy has
// what is whole, and Salvaged says what is not as after commit Copy.LastSeq. Salvaged.Whole says that nothing is missing. See "Copies and
// damage" in the doc of the package for what damage leaves what. to must not exist, or be empty. It uses only FS and Logger of o. Errors: ErrExists, ErrNotStore,
// ErrLocked, ErrNewerFormat, that of ctx, the file system's. After an error Salvage removes the copy. O(bytes).
func Salvage(ctx context.Context, from, to string, o Options) (Salvaged, error) {
	return salvage(ctx, from, to, o.withDefaults().database())
}
