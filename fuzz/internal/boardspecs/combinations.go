package boardspecs

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
)

// Combinations iterates over all combinations, each with the error of Spec.Validate for its specs.
func Combinations(yield func(Combination, error) bool) {
	for c := (Combination{}); ; {
		if !yield(c, mixed(c, 0).Validate()) {
			return
		}
		d := len(c) - 1
		for ; d >= 0 && int(c[d]) == len(Dimensions[d].Values)-1; d-- {
			c[d] = 0
		}
		if d < 0 {
			return
		}
		c[d]++
	}
}

// CombinationOf returns the combination of the i-th spec of Mixed, from 0.
func CombinationOf(i int) Combination {
	list := allowed()
	return list[i%len(list)]
}

// allowed returns the combinations that Spec.Validate allows: the plainest one, then the others in an
// order drawn at random.
var allowed = sync.OnceValue(func() (list []Combination) {
	for c, err := range Combinations {
		if err == nil {
			list = append(list, c)
		}
	}
	rest := list[1:]
	rand.New(rand.NewPCG(0, 49)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	return list
})

// Reasons returns why Spec.Validate refuses combinations: how many for each reason. One that has
// several counts for each of them. Reasons are without the name of the board and with N for numbers
// and names of windows.
func Reasons() map[string]int {
	counts := map[string]int{}
	for _, err := range Combinations {
		if err == nil {
			continue
		}
		for line := range strings.Lines(err.Error()) {
			counts[normal(line)]++
		}
	}
	return counts
}

// names are texts that differ between reasons which are the same: names of windows, and numbers.
var names = regexp.MustCompile(`"[^"]*"|[0-9]+`)

// normal returns a reason of an error of Spec.Validate.
func normal(line string) string {
	_, reason, _ := strings.Cut(strings.TrimSpace(line), `"`+Mixed+`": `)
	return names.ReplaceAllString(reason, "N")
}
