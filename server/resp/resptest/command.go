package resptest

// command is a command that scripts have: its name, perhaps with a subcommand, how often it comes, and its arguments, right as a rule.
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

// walk is the arguments of a scan behind its key.
func (g *generator) walk() []string {
	cursor := "*"
	if g.IntN(8) == 0 {
		cursor = g.oneOf([]string{"0"}, badInts)
	}
	return append([]string{cursor}, g.shuffled(g.maybe(3, "MATCH", pick(g, patterns...)), g.maybe(3, "COUNT", g.count()))...)
}
