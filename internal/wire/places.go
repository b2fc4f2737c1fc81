package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// Action is board.Action.
type Action struct {
	By        string `json:"by,omitempty" doc:"Who does it: 1 to 256 bytes. A key or a token that names its holder may leave it out."`
	Reason    string `json:"reason,omitempty" doc:"Why: at most 4 KiB. It is in the audit log."`
	DryRun    bool   `json:"dryRun,omitempty" doc:"Change nothing, and only return what would change."`
	KeepRanks bool   `json:"keepRanks,omitempty" doc:"Of ban and erase: the others keep their ranks in closed periods."`
}

// ActionOf returns an action as JSON has it.
func ActionOf(a board.Action) Action {
	return Action{By: a.By, Reason: a.Reason, DryRun: a.DryRun, KeepRanks: a.KeepRanks}
}

// Board is the inverse of ActionOf.
func (a Action) Board() board.Action {
	return board.Action{By: a.By, Reason: a.Reason, DryRun: a.DryRun, KeepRanks: a.KeepRanks}
}

// Place is board.Place.
type Place struct {
	Window   string `json:"window"`
	Period   string `json:"period"`
	Closed   bool   `json:"closed,omitempty"`
	Hidden   bool   `json:"hidden,omitempty" doc:"The member is hidden, or was until it was removed."`
	Rank     int    `json:"rank,omitempty" doc:"From 1; before a change; absent if the member was not ranked."`
	Members  int    `json:"members,omitempty" doc:"Of a closed period, before a change."`
	Score    Score  `json:"score,omitempty" doc:"Before a change."`
	NewRank  int    `json:"newRank,omitempty" doc:"After a change; absent if the member is not ranked any more."`
	NewScore Score  `json:"newScore,omitempty" doc:"After a change."`
	Moved    int    `json:"moved,omitempty" doc:"How many others in a closed period have another rank because of the change."`
}

func placeOf(p board.Place) Place {
	return Place{Window: p.Window, Period: p.Period, Closed: p.Closed, Hidden: p.Hidden, Rank: p.Rank, Members: p.Members, Score: ScoreOf(p.Score), NewRank: p.NewRank,
		NewScore: ScoreOf(p.NewScore), Moved: p.Moved}
}

// Board is the inverse of placeOf.
func (p Place) Board() board.Place {
	return board.Place{Window: p.Window, Period: p.Period, Closed: p.Closed, Hidden: p.Hidden, Rank: p.Rank, Members: p.Members, Score: p.Score.Board(), NewRank: p.NewRank,
		NewScore: p.NewScore.Board(), Moved: p.Moved}
}

// PlacesOf returns places as JSON has them.
func PlacesOf(all []board.Place) []Place { return list(all, placeOf) }

// BoardPlaces is the inverse of PlacesOf.
func BoardPlaces(all []Place) []board.Place { return each(all, Place.Board) }

// somePlace returns a place that may not be there.
func somePlace(p board.Place) *Place {
	if p.Window == "" {
		return nil
	}
	place := placeOf(p)
	return &place
}

// orNowhere is the inverse of somePlace.
func orNowhere(p *Place) board.Place {
	if p == nil {
		return board.Place{}
	}
	return p.Board()
}

// Trace is audit.Trace.
type Trace struct {
	Kind  string `json:"kind" doc:"best rank, award, baseline, Once key, journal row or union."`
	Name  string `json:"name,omitempty"`
	Count int    `json:"count"`
}

func traceOf(t audit.Trace) Trace { return Trace{t.Kind, t.Name, t.Count} }

func (t Trace) board() audit.Trace { return audit.Trace{Kind: t.Kind, Name: t.Name, Count: t.Count} }

// AuditEntry is audit.Entry.
type AuditEntry struct {
	Number    uint64    `json:"number"`
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"`
	Member    Text      `json:"member,omitempty"`
	To        Text      `json:"to,omitempty" doc:"The other member of a rename or merge."`
	Hash      string    `json:"hash,omitempty" doc:"In the place of the name of an erased member."`
	ToHash    string    `json:"toHash,omitempty"`
	By        string    `json:"by"`
	Reason    string    `json:"reason,omitempty"`
	KeepRanks bool      `json:"keepRanks,omitempty"`
	Tier      string    `json:"tier,omitempty"`
	Rows      []uint64  `json:"rows,omitempty" doc:"The rows of the journal that a revert has reverted."`
	Places    int       `json:"places"`
	Awards    int       `json:"awards,omitempty" doc:"How many awards were withheld."`
	Traces    []Trace   `json:"traces,omitempty"`
	Done      bool      `json:"done" doc:"The change is complete."`
}

// AuditEntryOf returns an entry of the audit log as JSON has it.
func AuditEntryOf(e audit.Entry) AuditEntry {
	return AuditEntry{Number: e.Number, At: e.At, Kind: string(e.Kind), Member: Text(e.Member), To: Text(e.To), Hash: e.Hash, ToHash: e.ToHash, By: e.By, Reason: e.Reason,
		KeepRanks: e.KeepRanks, Tier: e.Tier, Rows: e.Rows, Places: e.Places, Awards: e.Awards, Traces: each(e.Traces, traceOf), Done: e.Done}
}

// Board is the inverse of AuditEntryOf.
func (e AuditEntry) Board() audit.Entry {
	return audit.Entry{Number: e.Number, At: e.At, Kind: audit.Kind(e.Kind), Member: string(e.Member), To: string(e.To), Hash: e.Hash, ToHash: e.ToHash, By: e.By,
		Reason: e.Reason, KeepRanks: e.KeepRanks, Tier: e.Tier, Rows: e.Rows, Places: e.Places, Awards: e.Awards, Traces: each(e.Traces, Trace.board), Done: e.Done}
}
