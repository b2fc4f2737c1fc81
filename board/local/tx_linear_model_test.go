package local

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

const (
	linearMembers = 5
	linearGuilds  = 3
)

// linearBoards are boards that split, keep the best only, and roll. The guilds follow the first one.
var linearBoards = []board.Spec{
	{Name: "plain", Op: board.Sum, Windows: []board.Window{board.All, {Kind: window.Hour}}},
	{Name: "growing", Op: board.Sum, PartMembers: 2, Windows: []board.Window{board.All, {Kind: window.Hour}}},
	{Name: "top", Op: board.Sum, Top: &board.Top{N: 2, Reserve: 1}},
	{Name: "elo", Op: board.Last, Windows: []board.Window{board.All, board.Rolling("hours", 3*time.Hour)}},
}

// linearState is what the boards, the guilds, the set and the private keys should have.
type linearState struct {
	points [4][linearMembers]int64 // of the boards, of all time; 0: not ranked
	coins  [linearMembers]int64    // of private keys
	gifts  [linearMembers]int64    // of a set
	guild  [linearMembers]int      // of a member, from 1; 0: none
	moves  [linearMembers]int64    // how often a closure was to move the member: a private key, so that no two states look the same
	exists [linearGuilds]bool
	founds [linearGuilds]int64 // how often the guild was founded or dissolved: a private key, too
}

// linearStep is what a closure does to one of them. It reads a number.
type linearStep struct {
	what                 string
	board, member, guild int
	by                   int64
}

// linearCall is a transaction: its steps, and how it ends.
type linearCall struct {
	steps []linearStep
	end   string // commit, fail or view; the last two change nothing
}

// randomLinearCall returns a transaction whose closure asks for some things in random order.
func randomLinearCall(rng *rand.Rand) (c linearCall) {
	for range 1 + rng.IntN(4) {
		c.steps = append(c.steps, linearStep{[]string{"points", "points", "points", "coins", "coins", "hoard", "gifts", "join", "found", "sum", "best"}[rng.IntN(11)],
			rng.IntN(len(linearBoards)), rng.IntN(linearMembers), rng.IntN(linearGuilds), 1 + rng.Int64N(9)})
	}
	c.end = []string{"commit", "commit", "commit", "fail", "view"}[rng.IntN(5)]
	return c
}

// do makes a step of the model, and returns what it reads.
func (s *linearState) do(x linearStep, view bool) int64 {
	if view {
		x.by = 0
	}
	switch x.what {
	case "points":
		s.points[x.board][x.member] += x.by
		return s.points[x.board][x.member]
	case "coins":
		s.coins[x.member] += x.by
		return s.coins[x.member]
	case "hoard":
		return s.hoard()
	case "gifts":
		s.gifts[x.member] += x.by
		return s.gifts[x.member]
	case "join":
		was := int64(s.guild[x.member])
		if view {
			return was + 10*s.moves[x.member]
		}
		s.moves[x.member]++
		switch {
		case !s.exists[x.guild]:
		case was == int64(x.guild+1):
			s.guild[x.member] = 0
		default:
			s.guild[x.member] = x.guild + 1
		}
		return was + 10*s.moves[x.member]
	case "found":
		return s.found(x.guild, view)
	}
	return s.score(x)
}

// hoard returns the coins of all members.
func (s *linearState) hoard() (sum int64) {
	for _, n := range s.coins {
		sum += n
	}
	return sum
}

// found founds a guild, or dissolves the one that there is. It reads the number of its members, 9 if there was none.
func (s *linearState) found(guild int, view bool) (members int64) {
	was := s.exists[guild]
	if !view {
		s.exists[guild] = !was
		s.founds[guild]++
	}
	for i, g := range s.guild {
		if was && g == guild+1 {
			if members++; !view {
				s.guild[i] = 0
			}
		}
	}
	if !was {
		members = 9
	}
	return members + 10*s.founds[guild]
}

// score returns the score of a guild.
func (s *linearState) score(x linearStep) (score int64) {
	for i, points := range s.points[0] {
		switch {
		case s.guild[i] != x.guild+1:
		case x.what == "best":
			score = max(score, points)
		default:
			score += points
		}
	}
	return score
}

// linearModel says what transactions may have read.
var linearModel = porcupine.Model{
	Init: func() any { return linearState{} },
	Step: func(state, input, output any) (bool, any) {
		s, c := state.(linearState), input.(linearCall)
		var reads []int64
		for _, x := range c.steps {
			reads = append(reads, s.do(x, c.end == "view"))
		}
		if c.end != "commit" {
			s = state.(linearState)
		}
		return slices.Equal(reads, output.([]int64)), s
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprint(input, " ", output) },
}

// linearTx is a transaction of the boards.
type linearTx struct {
	*engine.Tx
	w    *linearWorld
	view bool
}

// do makes a step, and returns what it reads.
func (t *linearTx) do(x linearStep) (int64, error) {
	member, guild := fmt.Sprint("m", x.member), fmt.Sprint("guild", x.guild)
	switch x.what {
	case "points":
		return t.points(x, member)
	case "coins":
		return t.count("coins:"+member, x.by)
	case "hoard":
		return t.hoard()
	case "gifts":
		set, err := t.Set("gifts")
		if err != nil {
			return 0, err
		}
		if !t.view {
			_, err = set.IncrBy([]byte(member), float64(x.by))
		}
		n, _ := set.Score([]byte(member))
		return int64(n), err
	case "join":
		return t.join(member, guild)
	case "found":
		return t.found(guild)
	}
	return scoreIn(t, t.w.boards[x.what], guild)
}

// scoreIn returns the score of a member of all time, 0 for none.
func scoreIn(t *linearTx, b board.Board, member string) (int64, error) {
	r, err := in(b, t.Tx).Live("all")
	if err != nil {
		return 0, err
	}
	score, ok, err := r.Score(t.Context(), member)
	if err != nil || !ok {
		return 0, err
	}
	return whole(score.At(0).Units()), nil
}

func (t *linearTx) points(x linearStep, member string) (int64, error) {
	b := t.w.boards[linearBoards[x.board].Name]
	if t.view {
		return scoreIn(t, b, member)
	}
	sub := board.Submission{Member: member, Score: board.Ints(x.by)}
	if linearBoards[x.board].Op != board.Last {
		c, err := in(b, t.Tx).Submit(sub)
		if err != nil {
			return 0, err
		}
		return whole(c.After.Score.At(0).Units()), nil
	}
	c, err := in(b, t.Tx).SubmitFunc(sub, func(was board.Row, ranked bool) (board.Score, bool) {
		if !ranked {
			return board.Ints(x.by), true
		}
		return board.Ints(whole(was.Score.At(0).Units()) + x.by), true
	})
	if err != nil {
		return 0, err
	}
	return whole(c.After.Score.At(0).Units()), nil
}

// hoard returns the sum of the numbers under private keys of coins.
func (t *linearTx) hoard() (sum int64, err error) {
	for kv, err := range t.Scan("coins:") {
		if err != nil {
			return 0, err
		}
		n := int64(0)
		if _, err := fmt.Sscan(string(kv.Value), &n); err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// count adds to the number under a private key, and returns it. A View adds nothing.
func (t *linearTx) count(key string, by int64) (n int64, err error) {
	value, ok, err := t.Get(key)
	if ok {
		_, err = fmt.Sscan(string(value), &n)
	}
	if err != nil || t.view {
		return n, err
	}
	return n + by, t.Put(key, fmt.Append(nil, n+by))
}

// join makes a member join a guild, go to it, or leave it. It reads the number of the guild in which the member was.
func (t *linearTx) join(member, guild string) (int64, error) {
	guilds := groupsIn(t.w.guilds, t.Tx)
	is, _, err := guilds.Of(member)
	if err != nil {
		return 0, err
	}
	runtime.Gosched() // others go on, if they can
	was := int64(0)
	if is != "" {
		_, err = fmt.Sscanf(is, "guild%d", &was)
		was++
	}
	switch {
	case err != nil || t.view:
	case is == "":
		err = guilds.Join(member, guild)
	case is == guild:
		err = guilds.Leave(member)
	default:
		err = guilds.Move(member, guild)
	}
	if err != nil && !errors.Is(err, board.ErrNoGroup) {
		return 0, err
	}
	moves, err := t.count("moves:"+member, 1)
	return was + 10*moves, err
}

// found founds a guild, or dissolves the one that there is. It reads the number of its members, 9 if there was none.
func (t *linearTx) found(guild string) (int64, error) {
	guilds := groupsIn(t.w.guilds, t.Tx)
	info, err := guilds.Info(guild)
	members, none := int64(info.Members), errors.Is(err, board.ErrNoGroup)
	switch {
	case none:
		members = 9
	case err != nil:
		return 0, err
	}
	switch {
	case t.view:
	case none:
		err = guilds.Create(guild, nil)
	default:
		err = guilds.Dissolve(guild)
	}
	if err != nil && !(t.view && none) {
		return 0, err
	}
	founds, err := t.count("founds:"+guild, 1)
	return members + 10*founds, err
}
