package report

import "github.com/zrankdb/zrank/bench/internal/measure"

// Rule says how a target's figure comes about and when it is met.
type Rule string

const (
	// AtMost: zset's own figure is no greater than the limit.
	AtMost Rule = "at most"
	// RatioToPeer: zset's figure over the peer's is no greater than the limit.
	RatioToPeer Rule = "ratio to peer"
	// RatioToSelf: zset's figure over zset's figure of the metric Base is no greater than the limit.
	RatioToSelf Rule = "ratio to self"
	// WithinNoise: as RatioToSelf, or some repetition of the metric is no greater than some repetition of Base.
	WithinNoise Rule = "within noise"
	// None: the figure, an average, is below noAllocs.
	None Rule = "none"
)

// noAllocs is what counts as no allocation per operation: the runtime makes a few objects of its own, which come to 0.00003
// in a loop of 200,000 and up to 0.0002 in one of 20,000. A structure that grows now and then shows above that.
const noAllocs = 0.0003

// Target is one row of the design's section 8.
type Target struct {
	What   string         `json:"what"`
	Metric measure.Metric `json:"metric"`
	Rule   Rule           `json:"rule"`
	Limit  float64        `json:"limit"`
	Peer   string         `json:"peer,omitempty"` // for RatioToPeer
	Base   measure.Metric `json:"base,omitempty"` // for RatioToSelf and WithinNoise
	At     int            `json:"at"`             // number of members the design states it for; 0 for any
}

// Targets are the rows of the design's section 8 that concern the sorted set alone, and that memory follows the members
// that leave. Those that name Redis are limits in bytes there, and so here.
var Targets = []Target{
	{What: "memory per member", Metric: measure.Bytes, Rule: AtMost, Limit: 50, At: 1e6},
	{What: "memory, listpack of 128", Metric: measure.BytesSmall, Rule: AtMost, Limit: 31},
	{What: "score look-up", Metric: measure.Score, Rule: RatioToPeer, Limit: 1.2, Peer: "map", At: 1e6},
	{What: "update to a new random score", Metric: measure.Update, Rule: RatioToPeer, Limit: 0.7, Peer: "tidwall", At: 1e6},
	{What: "increment, zipf", Metric: measure.Incr, Rule: RatioToPeer, Limit: 0.8, Peer: "tidwall", At: 1e6},
	{What: "rank of a member", Metric: measure.Rank, Rule: RatioToPeer, Limit: 0.33, Peer: "tidwall", At: 1e6},
	{What: "rank of a member", Metric: measure.Rank, Rule: RatioToPeer, Limit: 0.25, Peer: "bytedance", At: 1e6},
	{What: "page of 100 in the middle", Metric: measure.Page, Rule: RatioToPeer, Limit: 0.5, Peer: "bytedance", At: 1e6},
	{What: "full GC, live over none", Metric: measure.GC, Rule: WithinNoise, Limit: 1, Base: measure.GCEmpty, At: 1e7},
	{What: "memory with 90 % removed, over anew", Metric: measure.BytesLeft, Rule: RatioToSelf, Limit: 1.5, Base: measure.BytesAnew, At: 1e7},
	{What: "slowest update while growing", Metric: measure.Slowest, Rule: AtMost, Limit: 2, At: 1e7},
	{What: "update, all over 1,000 members", Metric: measure.Update, Rule: RatioToSelf, Limit: 12, Base: measure.Update1k, At: 1e7},
	{What: "allocations, update", Metric: measure.AllocsUpdate, Rule: None},
	{What: "allocations, score", Metric: measure.AllocsScore, Rule: None},
	{What: "allocations, rank", Metric: measure.AllocsRank, Rule: None},
	{What: "allocations, range walk", Metric: measure.AllocsWalk, Rule: None},
}

// Verdict is what a run says about a target.
type Verdict string

// The verdicts.
const (
	Met         Verdict = "met"
	Missed      Verdict = "missed"
	NotMeasured Verdict = "not measured"
)

// Judgement is a target with what was found.
type Judgement struct {
	Target
	Found   float64 `json:"found"`
	Verdict Verdict `json:"verdict"`
}

// Judge holds every target against the figures.
func Judge(s Summary) []Judgement {
	judged := make([]Judgement, len(Targets))
	for i, t := range Targets {
		judged[i] = t.judge(s)
	}
	return judged
}

func (t Target) judge(s Summary) Judgement {
	j := Judgement{Target: t, Verdict: NotMeasured}
	own, ok := s.Stat(ours, t.Metric)
	over := Stat{Value: 1}
	switch t.Rule {
	case RatioToPeer:
		over, ok = s.and(ok, t.Peer, t.Metric)
	case RatioToSelf, WithinNoise:
		over, ok = s.and(ok, ours, t.Base)
	}
	if !ok || over.Value == 0 {
		return j
	}
	j.Found = own.Value / over.Value
	met := j.Found <= t.Limit
	switch t.Rule {
	case WithinNoise:
		met = met || own.Min <= over.Max
	case None:
		met = j.Found < noAllocs
	}
	j.Verdict = Missed
	if met {
		j.Verdict = Met
	}
	return j
}
