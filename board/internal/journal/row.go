package journal

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/board/rules"
)

// Kind is what a row is of.
type Kind uint8

// The kinds of rows.
const (
	Submission Kind = iota + 1
	Removal         // of a member from open or closed periods
	Blank           // in place of the newest row, which was erased
)

// Row is a row of a journal.
type Row struct {
	Number   uint64
	Kind     Kind
	Meta     bool  // the submission had metadata
	Version  int   // of the board
	Arrived  int64 // microseconds after 1970, as At
	At       int64
	Member   []byte
	Once     []byte
	Reverted uint64 // the number of the entry of the audit log; 0: it is not reverted
	Score    rules.Score
	Befores  []Before // of a submission, parallel to the windows of the board
	Removed  []Place  // of a removal
	Entries  bool     // the places of Removed have their entries
}

// Before is what a member had in the period of one window before a submission.
type Before struct {
	Outside bool   // the submission did not go to the window: the rest is zero
	Arrival uint64 // of the submission
	Had     bool   // the member was ranked: the next three are its entry
	Changed bool   // the submission has changed the entry
	Score   int64
	Tie     []byte
	Kept    []byte // what was stored beside the entry: results or times, or those of a rolling window around this one
}

// Place is a ranking that a member was removed from.
type Place struct {
	Window int // its index
	Period string
	Had    bool // the member was ranked; false after a revert of the submissions before, and in rows without entries: then the next two are empty
	Score  int64
	Tie    []byte
}

// Bits of the flags of a Before or of a Place, and of a row's kind.
const (
	hadFlag     = 1
	changedFlag = 2
	outsideFlag = 4 // alone
	metaFlag    = 0x80
	entriesFlag = 0x40
)

const wordWidth = 8

// append appends the stored form of a row. O(bytes).
func (r *Row) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, r.Number)
	kind := byte(r.Kind)
	if r.Meta {
		kind |= metaFlag
	}
	if r.Entries {
		kind |= entriesFlag
	}
	dst = binary.AppendUvarint(append(dst, kind), uint64(r.Version))
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.Arrived))
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.At))
	dst = appendBytes(appendBytes(dst, r.Member), r.Once)
	dst = binary.AppendUvarint(dst, r.Reverted)
	if r.Kind == Submission {
		dst = rules.AppendScore(dst, r.Score)
	}
	for i := range r.Befores {
		dst = r.Befores[i].append(dst)
	}
	for i := range r.Removed {
		dst = r.Removed[i].append(dst, r.Entries)
	}
	return dst
}

func (p *Place) append(dst []byte, entries bool) []byte {
	dst = appendBytes(binary.AppendUvarint(dst, uint64(p.Window)), []byte(p.Period))
	switch {
	case !entries:
		return dst
	case !p.Had:
		return append(dst, 0)
	}
	return appendEntry(append(dst, hadFlag), p.Score, p.Tie)
}

// appendEntry appends the score and the tie of an entry.
func appendEntry(dst []byte, score int64, tie []byte) []byte {
	dst = append(binary.BigEndian.AppendUint64(dst, uint64(score)), byte(len(tie)))
	return append(dst, tie...)
}

func (b *Before) append(dst []byte) []byte {
	flags := byte(0)
	if b.Had {
		flags |= hadFlag
	}
	if b.Changed {
		flags |= changedFlag
	}
	if b.Outside {
		return append(dst, outsideFlag)
	}
	dst = binary.AppendUvarint(append(dst, flags), b.Arrival)
	if !b.Had {
		return dst
	}
	return appendBytes(appendEntry(dst, b.Score, b.Tie), b.Kept)
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// parser reads the stored form of a row. After the first fault everything reads as empty.
type parser struct {
	rest []byte
	bad  bool
}

func (p *parser) take(n uint64) []byte {
	if p.bad || n > uint64(len(p.rest)) {
		p.bad = true
		return nil
	}
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

func (p *parser) uvarint() uint64 {
	v, n := binary.Uvarint(p.rest)
	if p.bad || n <= 0 {
		p.bad = true
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

func (p *parser) byte() byte {
	if b := p.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (p *parser) word() uint64 {
	if b := p.take(wordWidth); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (p *parser) bytes() []byte { return p.take(p.uvarint()) }

// head reads the part of a row that all kinds have. The row has slices of the stored form.
func (r *Row) head(p *parser) {
	r.Number = p.uvarint()
	kind := p.byte()
	r.Kind, r.Meta, r.Entries = Kind(kind&^(metaFlag|entriesFlag)), kind&metaFlag != 0, kind&entriesFlag != 0
	r.Version = int(p.uvarint())
	r.Arrived, r.At = int64(p.word()), int64(p.word())
	r.Member, r.Once = p.bytes(), p.bytes()
	r.Reverted = p.uvarint()
}

// decode is the inverse of append, and false for other bytes. The row has slices of stored. O(bytes).
func (r *Row) decode(stored []byte) bool {
	p := parser{rest: stored}
	*r = Row{Befores: r.Befores[:0]}
	r.head(&p)
	switch r.Kind {
	case Submission:
		score, rest, ok := rules.CutScore(p.rest)
		r.Score, p.rest, p.bad = score, rest, p.bad || !ok
		for !p.bad && len(p.rest) > 0 {
			r.Befores = append(r.Befores, p.before())
		}
	case Removal:
		for !p.bad && len(p.rest) > 0 {
			r.Removed = append(r.Removed, p.place(r.Entries))
		}
	case Blank:
	default:
		return false
	}
	return !p.bad && len(p.rest) == 0
}

func (p *parser) before() (b Before) {
	flags := p.byte()
	if b.Outside = flags == outsideFlag; b.Outside {
		return b
	}
	b.Arrival, b.Had, b.Changed = p.uvarint(), flags&hadFlag != 0, flags&changedFlag != 0
	if flags > hadFlag|changedFlag {
		p.bad = true
	}
	if b.Had {
		b.Score, b.Tie = p.entry()
		b.Kept = p.bytes()
	}
	return b
}

func (p *parser) place(entries bool) (r Place) {
	if r.Window, r.Period = int(p.uvarint()), string(p.bytes()); !entries {
		return r
	}
	switch p.byte() {
	case 0:
	case hadFlag:
		r.Had = true
		r.Score, r.Tie = p.entry()
	default:
		p.bad = true
	}
	return r
}

func (p *parser) entry() (score int64, tie []byte) {
	score = int64(p.word())
	return score, p.take(uint64(p.byte()))
}
