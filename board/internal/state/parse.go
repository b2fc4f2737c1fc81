package state

import (
	"bytes"
	"strconv"
)

// parser takes a text apart from the front. After the first mismatch failed is true, and the rest has no meaning.
type parser struct {
	rest   []byte
	failed bool
}

// parseRecord decodes a record in the one form that Record.Encode writes for at most one digest, no removed places, hidden members and vacancies. It returns false for any other text.
func parseRecord(b []byte) (*Record, bool) {
	p := parser{rest: b}
	digests := bytes.HasPrefix(b, []byte(`{"format":1,`))
	if p.skip("{"); digests {
		p.skip(`"format":1,`)
	}
	p.skip(`"period":"`)
	period := p.text()
	p.skip(`","start":`)
	start := p.number()
	p.skip(`,"end":`)
	end := p.number()
	p.skip(`,"closedAt":`)
	closedAt := p.number()
	p.skip(`,"members":`)
	members := p.number()
	var d Digest
	if digests {
		p.skip(`,"digests":{"`)
		d.Version = int(p.number())
		p.skip(`":"`)
		d.Sum = p.hex()
		p.skip(`"}`)
	}
	indexed := bytes.HasPrefix(p.rest, []byte(`,"indexed"`))
	if indexed {
		p.skip(`,"indexed":true`)
	}
	p.skip("}")
	if p.failed || len(p.rest) > 0 || int64(int(members)) != members || digests && d.Version < 1 {
		return nil, false
	}
	r := newRecord(string(period), start, end, closedAt, int(members))
	r.Indexed = indexed
	if digests {
		r.Digests = []Digest{d}
	}
	return r, true
}

// skip takes a text that must come next.
func (p *parser) skip(want string) {
	if len(p.rest) < len(want) || string(p.rest[:len(want)]) != want {
		p.failed = true
		return
	}
	p.rest = p.rest[len(want):]
}

// text takes what is before the next quotation mark: plain ASCII, in which nothing is escaped.
func (p *parser) text() []byte {
	for i, c := range p.rest {
		switch {
		case c == '"':
			text := p.rest[:i]
			p.rest = p.rest[i:]
			return text
		case c == '\\' || c < ' ' || c > '~':
			p.failed = true
			return nil
		}
	}
	p.failed = true
	return nil
}

// maxDigits is the most digits of a number that number takes: every such number fits into 64 bits.
const maxDigits = 18

// number takes a decimal number, in the form that JSON has for it.
func (p *parser) number() (n int64) {
	negative := len(p.rest) > 0 && p.rest[0] == '-'
	if negative {
		p.rest = p.rest[1:]
	}
	i := 0
	for ; i < len(p.rest) && p.rest[i]-'0' <= 9; i++ {
		if i == maxDigits {
			p.failed = true
			return 0
		}
		n = n*10 + int64(p.rest[i]-'0')
	}
	if i == 0 || i > 1 && p.rest[0] == '0' {
		p.failed = true
	}
	if p.rest = p.rest[i:]; negative {
		n = -n
	}
	return n
}

// hex takes 16 hexadecimal digits.
func (p *parser) hex() uint64 {
	const digits = 16
	if len(p.rest) < digits {
		p.failed = true
		return 0
	}
	n, err := strconv.ParseUint(string(p.rest[:digits]), 16, 64)
	p.rest, p.failed = p.rest[digits:], p.failed || err != nil
	return n
}
