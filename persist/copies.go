package persist

import (
	"context"

	"github.com/zrankdb/zrank/persist/internal/image"
)

// Image returns an image of the store that holds every commit appended before. The files it needs stay until it is closed,
// which must be before the store is. Errors: ErrPersistence, ErrClosed.
func (s *Store) Image() (*Image, error) { return image.Of(s.log) }

// OpenImage opens the store in a directory that is not open, and changes no file there but those called LOCK. Of o it
// takes FS and Logger. What is damaged shows in Check; where not even Pebble opens, the image has what its tables and logs
// still give, in memory. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, the file system's. O(log).
func OpenImage(dir string, o Options) (*Image, error) {
	return image.Open(dir, o.withDefaults().database())
}

// Backup writes a copy of the store to dir, while commits go on. It holds every commit appended before the call, and perhaps
// later ones; Close ends it with ErrClosed. It is a store of its own, with the same id, which Open opens and Restore copies under a
// new id. Pebble's tables are shared by hard links where dir is on the same file system, and copied otherwise. The copy is read in
// full before it gets its name. dir must not exist, or be empty; its parents are made. Errors: ErrExists, ErrCorrupt if what was
// copied is damaged, ErrPersistence, ErrClosed, that of ctx, the file system's; after an error nothing is left. O(bytes).
func (s *Store) Backup(ctx context.Context, dir string) error { return image.Backup(ctx, s.log, dir) }

// Restore copies the store in the directory backup, which must be closed, to dir, under a new id: both may be used from then
// on. It is the same commits with the same numbers. The copy is flushed, and read in full before it gets its name. dir must
// not exist, or be empty. Of o it takes FS and Logger. Errors: ErrExists, ErrNotStore, ErrLocked, ErrNewerFormat, ErrCorrupt if
// anything in the backup is damaged, that of ctx, the file system's; after an error nothing is left. O(bytes).
func Restore(ctx context.Context, backup, dir string, o Options) (Report, error) {
	return image.Restore(ctx, backup, dir, o.withDefaults().database())
}

// Salvage copies what can be read of the store in from, which must be closed and is not changed, to a new store
// in to: the log up to the first commit that is damaged or missing, the sets as the last snapshot has them, and the private
// keys as they are. Of a set with damaged pages the others are copied, and what the log says goes on top. So the copy is the
// state after commit Copy.LastSeq, except for the sets in Sets and the private keys, which do not carry the number of their
// commit. It has a new id. to must not exist, or be empty. Of o it takes FS and Logger. Errors: ErrExists, ErrNotStore,
// ErrLocked, ErrNewerFormat, that of ctx, the file system's; after an error nothing is left. O(bytes).
func Salvage(ctx context.Context, from, to string, o Options) (Salvaged, error) {
	return image.Salvage(ctx, from, to, o.withDefaults().database())
}
