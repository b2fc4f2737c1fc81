package commitlog

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// Follower reads a log commit by commit, from a given number on. It reads from the tail in memory. In a store it reads from Pebble
// the commits that are older than the tail. It holds one piece of the log at a time; the log keeps nothing for it. It is for one
// goroutine.
type Follower struct {
	tail  *tail
	log   *Log   // nil: a MemLog, which has only the tail
	next  uint64 // the commit to be shown next
	piece piece  // holds next, unless next == piece.end
	off   int    // offset of next in piece
	d     format.CommitDecoder
}

// maxInterned is how many set names a follower remembers, so that it allocates one string for each name.
const maxInterned = 1024

// Follow returns a reader of the commits from from+1 on: see persist.Store.
func (l *Log) Follow(from uint64) (*Follower, error) {
	if l.DB.IsClosing() {
		return nil, errs.ErrClosed
	}
	l.KeepTail()
	return follow(&l.tail, l, from, l.LastSeq())
}

// KeepTail makes the store keep the last commits in memory from now on, as Follow does. O(1).
func (l *Log) KeepTail() { l.tail.on.Store(true) }

// Followed reports whether commits are kept for followers, in memory or behind a cut of the log. O(1).
func (l *Log) Followed() bool { return l.retain > 0 || l.tail.on.Load() }

func follow(t *tail, l *Log, from, last uint64) (*Follower, error) {
	if from > last {
		return nil, fmt.Errorf("%w: %d, the last one is %d", errs.ErrFutureSeq, from, last)
	}
	return &Follower{tail: t, log: l, next: from + 1}, nil
}

// More returns a channel that is closed when there is a new commit, or when the log ends. Call More before Next. If Next returns 0,
// wait for the channel. O(1).
func (f *Follower) More() <-chan struct{} { return f.tail.wait() }

// Next calls fn with each effect of the next commit: see persist.Follower.
func (f *Follower) Next(fn func(wal.Effect) error) (seq uint64, err error) {
	body, end, err := f.body()
	if err == nil && end > 0 {
		err = f.d.Decode(&format.Reader{Buf: f.piece.body[:end], Off: end - len(body)}, fn)
	}
	if len(f.d.Intern) > maxInterned {
		f.d.Intern = nil
	}
	return f.shown(end, err)
}

// NextNotes is Next for the notes of the commit only. It decodes nothing else. O(notes).
func (f *Follower) NextNotes(fn func(note []byte) error) (seq uint64, err error) {
	body, end, err := f.body()
	if err == nil && end > 0 {
		err = format.EachNote(body, fn)
	}
	return f.shown(end, err)
}

// body returns the body of the next commit, and the offset of its end in the piece; 0: there is no commit yet.
func (f *Follower) body() (body []byte, end int, err error) {
	if f.next > f.tail.upto.Load() {
		return nil, 0, f.ended()
	}
	if f.next >= f.piece.end {
		if err := f.fetch(); err != nil {
			return nil, 0, err
		}
	}
	r := format.Reader{Buf: f.piece.body, Off: f.off}
	body, err = r.Bytes()
	return body, r.Off, err
}

// shown moves on to the commit behind end, and returns the number of the one that was shown; 0 if there is an error or was no commit.
func (f *Follower) shown(end int, err error) (uint64, error) {
	if err != nil {
		return 0, errs.WithKey(err, func() string { return fmt.Sprintf("commit %d", f.next) })
	}
	if end == 0 {
		return 0, nil
	}
	f.off = end
	f.next++
	return f.next - 1, nil
}

// ended returns the reason why no commit will come any more, or nil.
func (f *Follower) ended() error {
	if f.log == nil {
		return nil
	}
	return f.log.DB.Refused()
}

// fetch gets the piece that holds the next commit, from the tail or from Pebble, and sets off to the commit.
func (f *Follower) fetch() (err error) {
	p, ok := f.tail.find(f.next)
	if !ok && f.log != nil {
		p, ok, err = f.log.logPiece(f.next, f.tail.upto.Load())
	}
	if err != nil {
		return err
	}
	if !ok {
		return f.behind()
	}
	seq, r := p.first, format.Reader{Buf: p.body}
	if p.first == f.piece.first { // the same piece, with new commits at its end
		seq, r.Off = f.piece.end, f.off
	}
	for ; seq < f.next; seq++ { // skip earlier commits
		if _, err := r.Bytes(); err != nil {
			return errs.WithKey(err, func() string { return fmt.Sprintf("commit %d", seq) })
		}
	}
	f.piece, f.off = p, r.Off
	return nil
}

// behind returns the error for a commit that is gone.
func (f *Follower) behind() error {
	oldest, ok := f.tail.oldest()
	if !ok {
		oldest = f.tail.upto.Load() + 1
	}
	if f.log != nil {
		oldest = min(oldest, f.log.Pointer().Start)
	}
	return &wal.FellBehindError{From: f.next - 1, Oldest: max(oldest, f.next+1)}
}

// logPiece reads about GroupSize bytes of groups from Pebble, starting with the group that holds commit seq. It stops before a group
// with commits after upto. ok is false if Pebble does not have the commit any more. O(bytes), a few hundred KiB.
func (l *Log) logPiece(seq, upto uint64) (p piece, ok bool, err error) {
	if err := l.DB.Acquire(); err != nil {
		return p, false, err
	}
	defer l.DB.Release()
	it, err := l.DB.Pebble.NewIter(&pebble.IterOptions{LowerBound: []byte(format.PrefixLog), UpperBound: format.KeyLog(upto + 1)})
	if err != nil {
		return p, false, errs.ReadError(err, format.NameLog(seq))
	}
	c := format.Chain{Store: l.DB.ID.Hash()}
	for valid := it.SeekLT(format.KeyLog(seq + 1)); valid && err == nil && len(p.body) < GroupSize; valid = it.Next() {
		err = p.addGroup(it, &c, upto)
	}
	if closeErr := it.Close(); err == nil && closeErr != nil {
		err = errs.ReadError(closeErr, format.NameLog(seq))
	}
	return p, p.first <= seq && seq < p.end, err
}

// addGroup adds the iterator's current group to the piece, unless the group holds commits after upto.
func (p *piece) addGroup(it *pebble.Iterator, c *format.Chain, upto uint64) error {
	first, err := format.FirstOf(it.Key())
	if err != nil {
		return err
	}
	v, err := it.ValueAndErr()
	if err != nil {
		return errs.ReadError(err, format.NameLog(first))
	}
	g, crc, err := format.OpenGroup(v)
	if err != nil {
		return errs.WithKey(err, format.NameLog(first))
	}
	if p.end == 0 {
		p.first, p.end = first, first
		c.Next, c.Prev = first, g.Prev
	}
	if g.Last() > upto {
		return nil
	}
	if err := c.Step(g, crc); err != nil {
		return errs.WithKey(err, format.NameLog(first))
	}
	p.body = append(p.body, v[format.GroupHeader:len(v)-format.GroupTrailer]...)
	p.end = c.Next
	return nil
}
