package resptest

// command is a command of random scripts: its name, perhaps with a subcommand, its weight in random draws, and its arguments, which are mostly
// valid.
type command struct {
	name   string
	weight int
	args   func(g *generator) []string
}

func oneKey(g *generator) []string { return []string{g.key()} }

func keyAndMember(g *generator) []string { return []string{g.key(), g.member()} }

func keyAndMembers(g *generator) []string {
	words := []string{g.key()}
	for range 1 + g.IntN(4) {
		words = append(words, g.member())
	}
	return words
}

// walk returns the arguments of SCAN, or of ZSCAN after its key.
func (g *generator) walk() []string {
	cursor := "*"
	if g.IntN(8) == 0 {
		cursor = g.oneOf([]string{"0"}, badInts)
	}
	return append([]string{cursor}, g.shuffled(g.maybe(3, "MATCH", pick(g, patterns...)), g.maybe(3, "COUNT", g.count()))...)
}
