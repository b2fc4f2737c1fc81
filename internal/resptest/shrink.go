package resptest

import "slices"

const shrinkTries = 1500 // the most scripts that shrink plays

// comparison plays the same scripts on two peers.
type comparison struct {
	reference, other *Player
}

// play plays a script on both peers and returns the first step whose replies differ, or -1. The error is one of Play.
func (d *comparison) play(s Script) (step int, a, b Transcript, err error) {
	if a, err = d.reference.Play(s, nil); err != nil {
		return -1, a, b, err
	}
	if b, err = d.other.Play(s, &a); err != nil {
		return -1, a, b, err
	}
	return Compare(s, a, b), a, b, nil
}

// lastOf returns the step after which both peers have answered step.
func lastOf(step int, a, b Transcript) int { return max(step, a.After[step], b.After[step]) }

// shrink returns a smaller script whose replies differ too: it removes steps after last, then other steps, then words of long commands.
func (d *comparison) shrink(s Script, last int) Script {
	d.other.wait = ReplyTimeout / 50 // a reply that has not come by then will most likely not come
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

// shrinkWords removes words from a long command, an even number at a time, as ZADD has pairs of score and member.
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
