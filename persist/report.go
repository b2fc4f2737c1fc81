package persist

import "context"

// Report is the result of a check: counts of what it read, and the problems it found.
type Report struct {
	Snapshot    uint64    // number of the last published snapshot
	Sets        int       // of the last published snapshot
	Pages       int       // pages read
	PagesOf     int       // pages of all sets; Pages reaches this number at the end of a check without damage
	Bytes       int64     // of pages, log and private keys
	Groups      int       // of the log, read
	Commits     int       // in the undamaged part of the log
	LastSeq     uint64    // the last of these commits
	PrivateKeys int       // read
	Problems    []Problem // in the order in which they were found

	upto  uint64 // of the snapshot
	chain uint32 // checksum of the last group
}

// progressKey is the key of the function of WithProgress in a context.
type progressKey struct{}

// WithProgress returns a context with which Backup, Restore, Salvage, and a Check without CheckOptions.Progress call fn with the counts so far, after
// every table, group, page and private key. A copy reads more than once, what it copies and the copy: the counts begin again with each.
func WithProgress(ctx context.Context, fn func(Report)) context.Context {
	return context.WithValue(ctx, progressKey{}, fn)
}

// progressOf returns the function of WithProgress, nil without one.
func progressOf(ctx context.Context) func(Report) {
	fn, _ := ctx.Value(progressKey{}).(func(Report))
	return fn
}
