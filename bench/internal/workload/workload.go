package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Workload is a way to draw a Load.
type Workload struct {
	Name string // short, as in flags; of a replay: the file, as it was asked for
	What string // in one line
	// Provenance says in a paragraph which real traffic it stands for, and where its numbers are from.
	Provenance  string
	N           int // members, if the workload brings its own; 0: as many as are asked for
	MemberBytes int // the mean
	// Draw draws a load of n members, 100 or more, and ops operations of each kind. The same seed draws the same load.
	Draw func(n, ops int, seed uint64) *Load
}

// Uniform is the workload that stands where none is named. The design states its targets for it.
const Uniform = "uniform"

// All is every workload that needs no file.
var All = []Workload{
	generated(Uniform, "any member, any score", `Every member is as likely as any other, and an update gives it a random whole number below 2^40, so that it moves across the
whole board: the worst case for caches and for structures that gain by neighbours. Increments are by 1 to 1,000 and zipfian, exponent
1.1. It is the load of the tables that peers publish of themselves, and of Redis's own redis-benchmark, which draws its keys so (-r).
Nobody's traffic is like that: it tells structures apart, and results of years can be compared.`, uniform),
	generated("zipf", "few members make most operations", `All operations, look-ups and removals too, take member k with a probability in proportion to 1/k^1.1. Then the first of a million
takes 12 % of them and the first hundred about half, which is a game with whales and bots, or videos that are watched. YCSB's zipfian, the
field's usual choice, has 0.99; here it is a little more, as math/rand draws it only above 1. Hot members are spread over the board.`, zipf),
	generated("hottail", "most stand, and move, at the lowest scores", `Score k has a share in proportion to 1/k^1.8 of the members, so that 53 % of them stand at 1 and 15 % at 2, in groups of equal
score that only the member's bytes order. Members are drawn uniformly: so most operations are at the low end too, and increments are by
one. The exponent is that of the goals of international football in ../shared/data/goals: of 20,916 scorers in 20 tournaments 55 % have
one goal, 19 % two; 45 % of all goals are a scorer's first. New players of any game crowd there, and most go no further.`, hotTail),
	generated("append", "every update is the newest, highest score", `Scores are milliseconds since 1970 that go on by 1 to 20 with each operation, so that every new one is the highest: a feed, a set of
who was last seen, a delayed queue, the window of a rate limiter, which ZADD with the time as the score and ZREMRANGEBYSCORE make in
Redis's own documentation. 100 events a second is a busy one. The members come in at the right end, in their order; removals take the
oldest first. Trees whose right edge splits badly, and lists that search from the left, show it here.`, newest),
	generated("small", "many boards of 50 to 100 members", `The members are parted into boards of 50 to 100, all sizes as likely, and each operation goes to the board of its member: guilds,
classes, friends, the rounds of one lobby, the tables of one contest. ../shared/data/icpcwf has seven of 117 to 141 teams, goals twenty, of
which half have fewer than 500. Scores are as in uniform. zset keeps such a board in a listpack, as Redis does up to 128 members. A page is the whole
board. The boards are in a slice for every peer: the look-up of a key, which all would need, is not measured here but by keyspace.`, small),
}

func generated(name, what, provenance string, draw func(*rand.Rand, int) shape) Workload {
	return Workload{Name: name, What: what, Provenance: strings.ReplaceAll(provenance, "\n", " "), MemberBytes: MemberLen,
		Draw: func(n, ops int, seed uint64) *Load {
			r := rand.New(rand.NewPCG(seed, stream))
			return draw(r, n).load(r, n, ops)
		}}
}

// Find returns the workload of a name. For a name with ".csv" in it, it returns the replay of that file; see Replay. It fails for an unknown
// name, and if Replay does.
func Find(name string) (*Workload, error) {
	for _, w := range All {
		if w.Name == name {
			return &w, nil
		}
	}
	if strings.Contains(name, ".csv") {
		return Replay(name)
	}
	return nil, fmt.Errorf("no workload %q; there are %s, and FILE.csv or FILE.csv.gz", name, strings.Join(Names(), ", "))
}

// Names returns the names of All.
func Names() []string {
	names := make([]string, len(All))
	for i, w := range All {
		names[i] = w.Name
	}
	return names
}

// ReplayHelp describes the replay of a file.
var ReplayHelp = Workload{Name: "FILE.csv[.gz]", What: "replay of a file", Provenance: `The events of a file in its order: deltas are added up, or
scores set. Then the same operations as everywhere, on its members, each as often as it is in the file. The file is CSV, compressed if its
name ends in .gz; its first line names the columns: member; delta or score; board, if there are several. Other columns are ignored, and
others can be named behind the file: 'FILE.csv.gz?delta=delta_solved&member=team'.`}
