package awards

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Validate returns one error that wraps ErrPlan and names everything that is impossible, or nil. It does not know the windows and the columns of the
// board.
func (p *Plan) Validate() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w for window %q: "+format, append([]any{ErrPlan, p.Window}, args...)...))
	}
	if err := p.Mode.Validate(); err != nil {
		bad("%w", err)
	}
	if p.Expires < 0 || p.Expires > 0 && !p.Claim {
		bad("expires is %v, want 0 without claim, and not less with it", p.Expires)
	}
	if p.DropUndelivered && p.Claim {
		bad("dropUndelivered is set with claim, and claims never keep a period")
	}
	if n := len(p.Tiers); n < 1 || n > MaxTiers {
		bad("%d tiers, want 1 to %d", n, MaxTiers)
	}
	names := map[string]bool{}
	for i := range p.Tiers {
		t := &p.Tiers[i]
		if err := t.validate(); err != nil {
			bad("tier %d, %.64q: %w", i+1, t.Name, err)
		}
		if names[t.Name] {
			bad("tier %.64q is there twice", t.Name)
		}
		names[t.Name] = true
	}
	if problems == nil && !p.Stack {
		p.validateOrder(bad)
	}
	return errors.Join(problems...)
}

// validateOrder checks what a plan without Stack must have: A3, and no tier whose members all are in an earlier one.
func (p *Plan) validateOrder(bad func(format string, args ...any)) {
	next, percent, all := 1, 0.0, ""
	for i := range p.Tiers {
		t := &p.Tiers[i]
		switch {
		case all != "":
			bad("tier %q is behind %q, which has everyone: nobody would get it", t.Name, all)
		case t.Everyone:
			all = t.Name
		case t.Percent > 0:
			if t.Percent <= percent {
				bad("tier %q is the best %v %%, behind one of %v %%: nobody would get it", t.Name, t.Percent, percent)
			}
			percent = t.Percent
		case t.From > 0:
			if t.From < next {
				bad("tier %q begins at rank %d, and an earlier one has the ranks up to %d: set stack, or begin at %d", t.Name, t.From, next-1, next)
			} else if t.From > next {
				bad("tier %q begins at rank %d, and no tier has rank %d: set stack, or begin there", t.Name, t.From, next)
			}
			next = max(next, t.last()+1)
		}
	}
}

func (t *Tier) validate() error {
	kinds := 0
	for _, is := range []bool{t.From != 0 || t.To != 0, t.Percent != 0, t.Score != nil, t.Everyone} {
		if is {
			kinds++
		}
	}
	switch {
	case t.Name == "" || len(t.Name) > MaxName || !plain(t.Name) || strings.Contains(t.Name, "/"):
		return fmt.Errorf("want a name of 1 to %d bytes of UTF-8, without control characters and slashes", MaxName)
	case kinds != 1:
		return errors.New("want one of from, percent, score and everyone")
	case t.From < 0 || t.From == 0 && t.To != 0 || t.To < 0 || t.To > 0 && t.To < t.From || t.last() > MaxRank:
		return fmt.Errorf("ranks are %d to %d, want 1 to %d, in order", t.From, t.To, MaxRank)
	case t.Percent != 0 && !(t.Percent > 0 && t.Percent <= 100): // true for NaN
		return fmt.Errorf("percent is %v, want more than 0, and 100 at most", t.Percent)
	case len(t.Payload) > MaxPayload:
		return fmt.Errorf("payload has %d bytes, want at most %d", len(t.Payload), MaxPayload)
	case !utf8.ValidString(t.Payload): // JSON would store another
		return errors.New("payload is not UTF-8")
	}
	return nil
}

// plain reports whether a text is UTF-8 without control characters.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}
