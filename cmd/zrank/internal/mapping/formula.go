package mapping

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Formula is how a score was made: points * Times + (Const + Sign * time) / Over. Times or Over is 1, or both.
type Formula struct {
	Times, Over int64
	Const       int64
	Sign        int64 // of the time: 1, -1; 0: there is none
	Millis      bool  // the time is in milliseconds, and not in seconds
	WithoutTime bool  // Unpack returns the points only
	text        string
}

// String returns the text that was parsed.
func (f Formula) String() string { return f.text }

// Packed reports whether a score is more than the points.
func (f Formula) Packed() bool { return f.Times != 1 || f.Sign != 0 }

// HasTime reports whether Unpack returns a time.
func (f Formula) HasTime() bool { return f.Sign != 0 && !f.WithoutTime }

// parser reads a formula.
type parser struct {
	text string
	at   int
}

// ParseFormula parses a formula: see the package's text. "" is "points".
func ParseFormula(text string) (f Formula, err error) {
	f = Formula{Times: 1, Over: 1, text: text}
	if strings.TrimSpace(text) == "" {
		return f, nil
	}
	p := &parser{text: strings.ToLower(strings.Join(strings.Fields(text), ""))}
	if err := p.formula(&f); err != nil {
		return f, fmt.Errorf("mapping: formula %q: %w", text, err)
	}
	return f, nil
}

func (p *parser) formula(f *Formula) (err error) {
	if !p.take("points") {
		return fmt.Errorf("want points first")
	}
	if p.take("*") {
		if f.Times, err = p.number(); err != nil {
			return err
		}
	}
	if p.at < len(p.text) {
		if err := p.rest(f); err != nil {
			return err
		}
	}
	const most = 1 << 53
	switch {
	case p.at < len(p.text):
		return fmt.Errorf("%q is not understood", p.text[p.at:])
	case f.Times < 1 || f.Times > most || f.Over < 1 || f.Over > most:
		return fmt.Errorf("factors must be 1 to 2^53")
	case f.Times > 1 && f.Over > 1:
		return fmt.Errorf("points * N or TIME / N, and not both")
	case f.Sign != 0 && f.Times == 1 && f.Over == 1:
		return fmt.Errorf("the time must be below a factor of the points, or be divided: points * N + time, points + time / N")
	case f.Sign == 0 && f.Const != 0:
		return fmt.Errorf("there is a number, and no time")
	}
	return nil
}

// rest reads what is added to the points: terms, perhaps in parentheses and divided.
func (p *parser) rest(f *Formula) (err error) {
	if p.take("+(") {
		if err = p.terms(f, ")"); err != nil {
			return err
		}
		if !p.take(")") {
			return fmt.Errorf("a parenthesis is open")
		}
	} else if err = p.terms(f, "/"); err != nil {
		return err
	} else if f.Const != 0 && strings.HasPrefix(p.text[p.at:], "/") {
		return fmt.Errorf("put what is divided in parentheses")
	}
	if p.take("/") {
		f.Over, err = p.number()
	}
	return err
}

// terms reads numbers and one time, added and subtracted.
func (p *parser) terms(f *Formula, end string) error {
	for first := true; p.at < len(p.text) && !strings.HasPrefix(p.text[p.at:], end); first = false {
		sign := int64(1)
		switch {
		case p.take("-"):
			sign = -1
		case p.take("+"), first && end == ")":
		default:
			return fmt.Errorf("want + or - before %q", p.text[p.at:])
		}
		if p.take("time") {
			if f.Sign != 0 {
				return fmt.Errorf("the time is there twice")
			}
			f.Sign = sign
			continue
		}
		n, err := p.number()
		if err != nil {
			return err
		}
		if f.Const += sign * n; f.Const > math.MaxInt64/2 || f.Const < math.MinInt64/2 {
			return fmt.Errorf("a number is too large")
		}
	}
	return nil
}

// number reads a number or a power.
func (p *parser) number() (int64, error) {
	n, err := p.digits()
	if err != nil || !p.take("^") {
		return n, err
	}
	exponent, err := p.digits()
	if err != nil {
		return 0, err
	}
	result := uint64(1)
	for range min(exponent, 64) {
		hi, lo := bits.Mul64(result, uint64(n))
		if hi > 0 || lo > math.MaxInt64/4 {
			return 0, fmt.Errorf("%d^%d is too large", n, exponent)
		}
		result = lo
	}
	return int64(result), nil
}

func (p *parser) digits() (int64, error) {
	end := p.at
	for end < len(p.text) && (p.text[end] >= '0' && p.text[end] <= '9' || p.text[end] == '_') {
		end++
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(p.text[p.at:end], "_", ""), 10, 64)
	if err != nil || n > math.MaxInt64/4 {
		return 0, fmt.Errorf("want a whole number at %q", p.text[p.at:])
	}
	p.at = end
	return n, nil
}

// take reads a word if it is next.
func (p *parser) take(word string) bool {
	if !strings.HasPrefix(p.text[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}
