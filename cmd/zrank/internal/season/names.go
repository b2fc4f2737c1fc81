package season

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Two lists of 64 words: with four digits they make 40,960,000 names.
var (
	adjectives = strings.Fields(`
		able agile amber ample azure bold brave brisk bright calm clever cosmic crisp curious daring deft
		eager early epic fair fierce fleet fond frosty gentle giant glad golden grand happy hardy honest
		humble icy jolly keen kind lively loyal lucky lunar mellow merry mighty neat nimble noble polite
		proud quick quiet rapid royal shiny silent silver sly snowy solar steady swift tidy vivid witty`)
	nouns = strings.Fields(`
		badger bear beaver bison bobcat camel cobra condor coyote crane crow deer dingo dolphin eagle egret
		elk falcon ferret finch fox gecko gibbon goose hare hawk heron hornet ibex ibis jackal jaguar
		koala lemur leopard lion lizard llama lynx magpie marmot marten moose newt ocelot orca osprey otter
		owl panda panther pelican puffin puma rabbit raven salmon seal shark sparrow tiger turtle walrus wolf`)
)

const (
	words    = 64
	numbers  = 10_000
	maxNames = words * words * numbers
)

// nameAll returns n different names such as "brave-otter-0417". Multiplying by a number that has no factor in common with
// maxNames (2^16 * 5^4) visits every name once before it comes back to the first.
func nameAll(rng *rand.Rand, n int) []string {
	first, step := rng.Uint64N(maxNames), rng.Uint64N(maxNames/10)*10+1
	names := make([]string, n)
	for i := range names {
		at := (first + uint64(i)*step) % maxNames
		names[i] = fmt.Sprintf("%s-%s-%04d", adjectives[at/numbers%words], nouns[at/numbers/words], at%numbers)
	}
	return names
}
