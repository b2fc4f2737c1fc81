package boardspecs

import (
	"cmp"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// Names are the names of all boards, those that scripts use most often first. One begins with another, to show mix-ups of their keys.
var Names = []string{Rolling, Mixed, "prizes", "logged", "leagues", "lastof", "best", "logged/top", "growing", "logged/rolling", "dropworst", "top", "divided", "absent", "sum", "bestof", "logged/of", "sum/icpc", "last", "parts", "first"}

// gold are the columns of a board: one, with bounds.
var gold = []board.Column{{Name: "gold", Min: value(-20), Max: value(20)}}

// specsOf are the specs of each board; it begins with the first, and migrate changes to another. Windows of the same name have the same
// calendar and grace in all specs, since closed periods depend on both. Entries can be converted from any spec to any other.
var specsOf = map[string][]board.Spec{
	"best": {
		{Windows: []board.Window{board.All, hours(90*time.Minute, 2), board.Rolling("1h", time.Hour)}, MaxMeta: 8, BestRanks: true},
		{Op: board.Last, Ties: board.LastToReach, Windows: []board.Window{hours(90*time.Minute, 1), board.Day, rolling("buckets", 3*time.Hour, 50*time.Minute)},
			MaxMeta: 8, BestRanks: true},
	},
	"sum": {
		{Op: board.Sum, Ties: board.LastToReach, Columns: gold, MaxMeta: 8,
			Windows: []board.Window{week("", "Asia/Shanghai", window.Monday), board.All}, OnceFor: window.Duration(3 * time.Hour)},
		{Op: board.Sum, Ties: board.FirstToReach, Columns: []board.Column{{Name: "gold", Min: value(-20), Max: value(20)}, {Name: "silver", Kind: board.Float64}}, MaxMeta: 8,
			Windows: []board.Window{board.All, board.Hour}, OnceFor: window.Duration(time.Hour)},
	},
	"sum/icpc": {
		{Op: board.Sum, Columns: []board.Column{{Name: "solved"}, {Name: "penalty", Order: board.Asc}, {Name: "at", Order: board.Asc, Op: board.Max}},
			Windows: []board.Window{board.All, day("Asia/Shanghai", 2*time.Hour, 2), week("late", "America/New_York", window.Sunday)}, BestRanks: true},
		{Op: board.Max, Columns: []board.Column{{Name: "penalty", Order: board.Asc}, {Name: "solved"}},
			Windows: []board.Window{day("Asia/Shanghai", 2*time.Hour, 1), board.All}, BestRanks: true, OnceFor: window.Forever},
	},
	"last": {
		{Op: board.Last, Ties: board.ByMember, Columns: []board.Column{{Name: "ms", Order: board.Asc}, {Name: "coins"}},
			Windows: []board.Window{hours(0, 0)}, MaxMeta: 8},
		{Op: board.Last, Ties: board.FirstToReach, Columns: []board.Column{{Name: "ms", Order: board.Asc}}, Windows: []board.Window{hours(0, 3), every(7 * time.Hour)},
			MaxMeta: 8},
	},
	"parts": {
		{Op: board.Min, Ties: board.LastToReach, Columns: []board.Column{{Name: "laps", Kind: board.Float64, Order: board.Asc}, {Name: "top", Op: board.Max},
			{Name: "seen", Op: board.Last}}, Windows: []board.Window{{Name: "open", Kind: window.Day, Grace: window.Forever}, every(7 * time.Hour)}},
		{Op: board.Max, Columns: []board.Column{{Name: "laps", Kind: board.Float64, Order: board.Asc}, {Name: "seen", Op: board.First}},
			Windows: []board.Window{every(7 * time.Hour), {Name: "open", Kind: window.Day, Grace: window.Forever, Keep: 1}}},
	},
	Rolling: {
		{Op: board.Sum, Windows: []board.Window{board.Rolling("2h", 2*time.Hour), board.All}, MaxMeta: 8, OnceFor: window.Duration(3 * time.Hour)},
		{Op: board.Sum, Windows: []board.Window{rolling("buckets", 3*time.Hour, 50*time.Minute), board.Rolling("2h", 2*time.Hour)}, MaxMeta: 8, BestRanks: true},
	},
	"bestof": {
		{Op: board.BestOf, K: 2, Columns: gold, MaxMeta: 8,
			Windows: []board.Window{board.All, hours(90*time.Minute, 2)}},
		{Op: board.BestOf, K: 2, Columns: gold, MaxMeta: 8, BestRanks: true,
			Windows: []board.Window{every(7 * time.Hour), board.All}},
	},
	"lastof": {
		{Op: board.LastOf, K: 2, Ties: board.ByMember, Columns: []board.Column{{Name: "ms", Order: board.Asc}, {Name: "coins"}},
			Windows: []board.Window{board.All, day("Asia/Shanghai", 2*time.Hour, 1)}},
	},
	"dropworst": {
		{Op: board.DropWorst, K: 2, Ties: board.LastToReach, Windows: []board.Window{{Name: "open", Kind: window.Day, Grace: window.Forever}, hours(0, 3)}},
	},
	"top": {
		{Op: board.Last, Top: &board.Top{N: 2, Reserve: 1, Segments: 3}, Windows: []board.Window{board.All, hours(90*time.Minute, 2)}, MaxMeta: 8, BestRanks: true},
		{Op: board.Last, Top: &board.Top{N: 3, Reserve: 2}, Windows: []board.Window{every(7 * time.Hour), board.All}, MaxMeta: 8, BestRanks: true},
	},
	"divided": {
		{Op: board.Best, Parts: 3, Windows: []board.Window{board.All, hours(90*time.Minute, 2)}, MaxMeta: 8},
		{Op: board.Last, Parts: 5, Ties: board.LastToReach, Windows: []board.Window{every(7 * time.Hour), board.All}, MaxMeta: 8, BestRanks: true},
	},
	"growing": { // a step looks at one entry, so that most operations come in the middle of a split or a merge
		{Op: board.Best, PartMembers: 2, Windows: []board.Window{board.All, hours(90*time.Minute, 2)}, MaxMeta: 8},
		{Op: board.Last, PartMembers: 1, Ties: board.LastToReach, Windows: []board.Window{every(7 * time.Hour), board.All}, MaxMeta: 8, BestRanks: true},
	},
	"absent": { // its windows are those of both specs, since a union of it is refused before it looks for them
		{Op: board.Max, Columns: []board.Column{{Name: "total", Of: map[string]board.Value{"gold": board.Int(2), "silver": board.Int(-1)}},
			{Name: "gold", Op: board.Min, Absent: board.AbsentLast}, {Name: "silver", Op: board.Sum, Min: value(-20), Max: value(20), Absent: board.AbsentFirst}},
			Windows: []board.Window{board.All, hours(90*time.Minute, 2)}},
		{Op: board.Min, Columns: []board.Column{{Name: "silver", Min: value(-20), Max: value(20), Absent: board.AbsentLast}, {Name: "gold", Absent: board.AbsentLast},
			{Name: "total", Of: map[string]board.Value{"gold": board.Int(2), "silver": board.Int(-1)}}},
			Windows: []board.Window{hours(90*time.Minute, 2), board.All}},
	},
	"prizes": { // awards are made of each hour, and claimed
		{Op: board.Sum, Windows: []board.Window{hours(0, 0), board.All}, MaxMeta: 8, Awards: []awards.Plan{{Window: "hour", Claim: true, Mode: board.Competition,
			Tiers: []awards.Tier{{Name: "gold", From: 1}, {Name: "silver", From: 2, To: 3}, {Name: "rest", Everyone: true}}}}},
		{Op: board.Sum, Parts: 3, Windows: []board.Window{hours(0, 0)}, MaxMeta: 8, Awards: []awards.Plan{{Window: "hour", Claim: true, Stack: true,
			Tiers: []awards.Tier{{Name: "half", Percent: 50}, {Name: "all", Everyone: true}}}}},
	},
	"leagues": { // cohorts are small, so that many go up and down
		{Op: board.Sum, Windows: []board.Window{hours(0, 0), board.All}, MaxMeta: 8, Leagues: leagues(1, 1)},
		{Op: board.Sum, Ties: board.LastToReach, PartMembers: 2, Windows: []board.Window{board.All, hours(0, 2)}, MaxMeta: 8, Leagues: leagues(1, 0)},
		{Op: board.Sum, Windows: []board.Window{hours(0, 0), board.All}, MaxMeta: 8},
		{Op: board.Sum, Top: &board.Top{N: 2, Reserve: 1}, Windows: []board.Window{hours(0, 0), board.All}, MaxMeta: 8, Leagues: leagues(0, 1)},
	},
	"logged": { // the journal is short, so that some of what is to be reverted is not there any more
		{Op: board.Sum, Journal: 9, Columns: gold, Windows: []board.Window{board.All, hours(90*time.Minute, 2)}, MaxMeta: 8},
		{Op: board.Last, Journal: 9, Ties: board.LastToReach, Columns: gold, BestRanks: true, MaxMeta: 8,
			Windows: []board.Window{hours(90*time.Minute, 1), every(7 * time.Hour)}},
		{Op: board.Sum, Journal: 4, Columns: gold, Windows: []board.Window{board.All, hours(90*time.Minute, 2)}, MaxMeta: 8},
	},
	"logged/top": {
		{Op: board.Best, Journal: 30, Top: &board.Top{N: 2, Reserve: 1}, Windows: []board.Window{board.All, hours(0, 0)}, MaxMeta: 8},
		{Op: board.Sum, Journal: 30, Parts: 3, Ties: board.ByMember, Windows: []board.Window{hours(0, 3), board.All}, MaxMeta: 8},
	},
	"logged/of": {
		{Op: board.DropWorst, K: 1, Journal: 30, Windows: []board.Window{board.All, hours(0, 0)}},
		{Op: board.DropWorst, K: 1, Windows: []board.Window{board.All, hours(0, 0)}},
	},
	"logged/rolling": { // each other window has another name, with its rules
		{Op: board.Max, Journal: 9, Windows: []board.Window{board.Rolling("1h", time.Hour), hours(0, 2)}, MaxMeta: 8},
		{Op: board.Sum, Journal: 9, Ties: board.LastToReach, Windows: []board.Window{rolling("buckets", 2*time.Hour, 10*time.Minute)}, MaxMeta: 8},
		{Op: board.First, Journal: 30, Ties: board.LastToReach, Windows: []board.Window{hours(0, 2), board.Rolling("2h", 2*time.Hour)}, MaxMeta: 8},
		{Op: board.Last, Journal: 9, Windows: []board.Window{board.Rolling("3h", 3*time.Hour), board.All}, MaxMeta: 8},
	},
	"first": {
		{Op: board.First, Windows: []board.Window{day("", 30*time.Minute, 3), board.Rolling("1h", time.Hour)}, MaxMeta: 8},
		{Op: board.First, Ties: board.ByMember, Windows: []board.Window{day("", 30*time.Minute, 3), board.All}, MaxMeta: 8},
	},
}

// Rolling is a board with rolling windows under all its specs.
const Rolling = "rolling"

// Mixed is the board with a spec for each combination of Dimensions that Spec.Validate allows.
const Mixed = "mixed"

// Awarding is the board whose closed periods award something, in its first window.
const Awarding = "prizes"

// Leagued is the board with leagues.
const Leagued = "leagues"

// Logged are the boards with a journal under their first spec, and Mixed, which often has one; the first one is listed again, so that it is drawn more often.
var Logged = []string{"logged", "logged/top", "logged", "logged/of", "logged/rolling", Mixed}

// LeastTop is the least n of the boards of the best n.
const LeastTop = 2

// leagues returns the leagues of hours that so many leave upwards and downwards. Members whose skill is 2 or more are by themselves.
func leagues(up, down int) *board.Leagues {
	return &board.Leagues{Window: "hour", Tiers: []string{"bronze", "silver", "gold"}, Size: 2, Up: up, Down: down, Bands: []int64{2}}
}

func value(i int64) *board.Value { v := board.Int(i); return &v }

func hours(grace time.Duration, keep int) board.Window {
	return board.Window{Kind: window.Hour, Grace: window.Duration(grace), Keep: keep}
}

func day(zone string, grace time.Duration, keep int) board.Window {
	return board.Window{Kind: window.Day, TimeZone: zone, Grace: window.Duration(grace), Keep: keep}
}

func week(name, zone string, start window.Weekday) board.Window {
	return board.Window{Name: name, Kind: window.Week, TimeZone: zone, Start: start, Grace: window.Duration(10 * time.Minute)}
}

func every(d time.Duration) board.Window {
	return board.Window{Kind: window.Every, Every: window.Duration(d), Keep: 2}
}

func rolling(name string, span, bucket time.Duration) board.Window {
	return board.Window{Name: name, Kind: window.Rolling, Span: window.Duration(span), Bucket: window.Duration(bucket)}
}

// WithDefaults fills in what a spec leaves out.
func WithDefaults(spec board.Spec) board.Spec {
	spec.Op = cmp.Or(spec.Op, board.Best)
	spec.Ties = cmp.Or(spec.Ties, board.FirstToReach)
	spec.OnceFor = cmp.Or(spec.OnceFor, window.Duration(24*time.Hour))
	if spec.Columns = slices.Clone(spec.Columns); len(spec.Columns) == 0 {
		spec.Columns = []board.Column{{Name: "score"}}
	}
	for i := range spec.Columns {
		c := &spec.Columns[i]
		c.Kind, c.Order, c.Op = cmp.Or(c.Kind, board.Int64), cmp.Or(c.Order, board.Desc), cmp.Or(c.Op, spec.Op)
	}
	spec.Windows = slices.Clone(spec.Windows)
	for i := range spec.Windows {
		spec.Windows[i].Name = spec.Windows[i].Label()
	}
	return spec
}
