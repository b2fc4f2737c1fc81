package events

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// head is the beginning of an event. Its texts share the memory of the note.
type head struct {
	kind                  feed.Kind
	board, window, member []byte
	rest                  []byte
}

// errDamaged is the error of a note that is no event.
var errDamaged = fmt.Errorf("%w: a note that is no event of a board", engine.ErrCorrupt)

// cutHead reads the beginning of an event. It allocates nothing.
func cutHead(note []byte) (h head, err error) {
	if len(note) < 2 || note[0] != version || feed.Kind(note[1]).Validate() != nil {
		return h, errDamaged
	}
	h.kind, h.rest = feed.Kind(note[1]), note[2:]
	for _, text := range [...]*[]byte{&h.board, &h.window, &h.member} {
		var ok bool
		if *text, h.rest, ok = cutText(h.rest); !ok {
			return h, errDamaged
		}
	}
	return h, nil
}

// decode reads an event whose head was read. The event shares no memory with the note.
func (h *head) decode() (e feed.Event, err error) {
	e = feed.Event{Kind: h.kind, Board: string(h.board), Window: string(h.window), Member: string(h.member)}
	micros, n := binary.Varint(h.rest)
	if n <= 0 {
		return feed.Event{}, errDamaged
	}
	e.At = time.UnixMicro(micros).UTC()
	r := reader{b: h.rest[n:], ok: true}
	if r.fields = r.uvarint(allFields); r.fields > allFields {
		return feed.Event{}, errDamaged
	}
	e.Period, e.By, e.Other = r.text(hasPeriod), r.text(hasBy), r.text(hasOther)
	e.Rank, e.Before = r.number(hasRank), r.number(hasBefore)
	e.Score, e.Was = r.score(hasScore), r.score(hasWas)
	e.Groups, e.Group, e.Award = r.text(hasGroups), r.text(hasGroup), r.text(hasAward)
	e.Count = r.number(hasCount)
	if r.fields&hasAudit != 0 {
		e.Audit = r.uvarint(math.MaxUint64)
	}
	if !r.ok || len(r.b) > 0 || fieldsOf(&e) != r.fields {
		return feed.Event{}, errDamaged
	}
	return e, nil
}

// reader reads fields. ok is false from the first one on that is not right.
type reader struct {
	b      []byte
	fields uint64
	ok     bool
}

// uvarint reads a number that is at most most.
func (r *reader) uvarint(most uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > most {
		r.ok, r.b = false, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) number(field uint64) int {
	if r.fields&field == 0 {
		return 0
	}
	return int(r.uvarint(math.MaxInt))
}

func (r *reader) text(field uint64) string {
	if r.fields&field == 0 {
		return ""
	}
	text, rest, ok := cutText(r.b)
	r.b, r.ok = rest, r.ok && ok
	return string(text)
}

func (r *reader) score(field uint64) rules.Score {
	if r.fields&field == 0 {
		return rules.Score{}
	}
	s, rest, ok := rules.CutScore(r.b)
	r.b, r.ok = rest, r.ok && ok
	return s
}

// cutText reads a text, and returns the bytes behind it.
func cutText(b []byte) (text, rest []byte, ok bool) {
	n, width := binary.Uvarint(b)
	if width <= 0 || n > uint64(len(b)-width) {
		return nil, nil, false
	}
	return b[width : width+int(n)], b[width+int(n):], true
}
