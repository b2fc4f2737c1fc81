package resptest

import "slices"

const shrinkTries = 1500 // that a script is played again at most, to make it smaller

// comparison is two peers that are given the same scripts.
type comparison struct {
	reference, other *Player
}

// play plays a script on both and returns the first step that differs, or -1. An error says that the reference, or the
// connection to the other, does not work.
func (d *comparison) play(s Script) (step int, a, b Transcript, err error) {
	if a, err = d.reference.Play(s, nil); err != nil {
		return -1, a, b, err
	}
	if b, err = d.other.Play(s, &a); err != nil {
		return -1, a, b, err
	}
	return Compare(s, a, b), a, b, nil
}

// lastOf returns the step after which both have answered the step.
func lastOf(step int, a, b Transcript) int { return max(step, a.After[step], b.After[step]) }

// shrink returns a script that differs too and is as small as leaving out steps, and then words, can make it.
func (d *comparison) shrink(s Script, last int) Script {
	d.other.wait = ReplyTimeout / 50 // what does not come then will not come, most likely
	defer func() { d.other.wait = ReplyTimeout }()
	tries := 0
	differs := func(candidate Script) (int, bool) {
		if tries++; tries > shrinkTries {
			return 0, false
		}
		at, a, b, err := d.play(candidate)
		if err != nil || at < 0 {
			return 0, false
		}
		return lastOf(at, a, b), true
	}
	s = slices.Clone(s[:last+1])
	for chunk := (len(s) + 1) / 2; chunk > 0; chunk /= 2 {
		for from := 0; from < len(s); {
			candidate := slices.Delete(slices.Clone(s), from, min(from+chunk, len(s)))
			if at, ok := differs(candidate); ok {
				s = candidate[:at+1]
			} else {
				from += chunk
			}
		}
	}
	for i := range s {
		s[i].Words = shrinkWords(s, i, func(candidate Script) bool { _, ok := differs(candidate); return ok })
	}
	return s
}

// shrinkWords leaves words out of a long command, two at a time, as they stand in ZADD.
func shrinkWords(s Script, i int, differs func(Script) bool) []string {
	words := s[i].Words
	for chunk := len(words) / 4 * 2; chunk > 1; chunk = chunk / 4 * 2 {
		for from := 2; from+chunk <= len(words); {
			fewer := slices.Delete(slices.Clone(words), from, from+chunk)
			candidate := slices.Clone(s)
			candidate[i].Words = fewer
			if differs(candidate) {
				words = fewer
			} else {
				from += chunk
			}
		}
	}
	return words
}
