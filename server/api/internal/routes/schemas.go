package routes

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// The schemas of the types of the contract are made of their fields, and described by the comments of these. What their JSON has beside the fields is here.

// fieldsJSON has the comments of the fields of the contract: see TestFields.
//
//go:embed fields.json
var fieldsJSON []byte

// schemaNames are the names of schemas that differ from those of the types.
var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[RowSchema]():         "Row",
	reflect.TypeFor[standingSchema]():    "Standing",
	reflect.TypeFor[leagueRowSchema]():   "LeagueRow",
	reflect.TypeFor[scoreOnlySchema]():   "ScoreOnly",
	reflect.TypeFor[ChangeSchema]():      "Change",
	reflect.TypeFor[submittedSchema]():   "Submitted",
	reflect.TypeFor[board.Usage]():       "Period",
	reflect.TypeFor[board.Erased]():      "Receipt",
	reflect.TypeFor[board.StoredUnion](): "Union",
	reflect.TypeFor[board.GroupInfo]():   "Group",
	reflect.TypeFor[awards.Difference](): "Correction",
	reflect.TypeFor[awards.Change]():     "AwardChange",
	reflect.TypeFor[audit.Entry]():       "AuditEntry",

	reflect.TypeFor[board.BatchError]():         "Batch",
	reflect.TypeFor[board.ScoreError]():         "ScoreFault",
	reflect.TypeFor[board.PeriodClosedError]():  "PeriodClosed",
	reflect.TypeFor[board.OutsideError]():       "Outside",
	reflect.TypeFor[board.Period]():             "Season",
	reflect.TypeFor[board.UnionError]():         "UnionFault",
	reflect.TypeFor[board.JournalError]():       "Journal",
	reflect.TypeFor[board.BeforeJournalError](): "BeforeJournal",
	reflect.TypeFor[board.UndoError]():          "Undo",
	reflect.TypeFor[board.RelocatedError]():     "Relocated",
	reflect.TypeFor[feed.BehindError]():         "Behind",
}

// registry returns the schemas of types that write their JSON themselves.
func registry() huma.Registry {
	g := huma.NewMapRegistry("#/components/schemas/", func(t reflect.Type, hint string) string {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if name, ok := schemaNames[t]; ok {
			return name
		}
		return huma.DefaultSchemaNamer(t, hint)
	})
	for t, alias := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[board.Value]():     reflect.TypeFor[valueSchema](),
		reflect.TypeFor[boardjson.Value](): reflect.TypeFor[valueSchema](),
		reflect.TypeFor[board.Score]():     reflect.TypeFor[scoreSchema](),
		reflect.TypeFor[[]byte]():          reflect.TypeFor[string](),
		reflect.TypeFor[board.Row]():       reflect.TypeFor[RowSchema](),
		reflect.TypeFor[board.AmongRow]():  reflect.TypeFor[standingSchema](),
		reflect.TypeFor[board.LeagueRow](): reflect.TypeFor[leagueRowSchema](),
		reflect.TypeFor[board.Spec]():      reflect.TypeFor[specSchema](),
		reflect.TypeFor[board.Change]():    reflect.TypeFor[ChangeSchema](),
		reflect.TypeFor[ops.Submitted]():   reflect.TypeFor[submittedSchema](),
		reflect.TypeFor[ops.ScoreOnly]():   reflect.TypeFor[scoreOnlySchema](),
	} {
		g.RegisterTypeAlias(t, alias)
	}
	return g
}

type (
	// RowSchema has what the JSON of a board.Row has beside its fields. It is exported for those that embed it.
	RowSchema struct {
		board.Row
		ScoreText []string `json:"scoreText,omitempty" doc:"The same numbers as strings. Present only if one of them is an integer beyond 2^53, which a float64 does not hold."`
		Within    *int     `json:"within,omitempty" doc:"Of a member beyond the best n: how far the true rank may be from rank. Absent if nothing is known of it."`
	}
	standingSchema struct {
		RowSchema
		Local int `json:"local" doc:"The rank among the members asked for, from 1."`
	}
	leagueRowSchema struct {
		RowSchema
		Zone board.Zone `json:"zone" enum:"up,stay,down" doc:"What becomes of the member if the period ends like this."`
	}
	scoreOnlySchema struct {
		Period    string      `json:"period,omitempty"`
		Score     board.Score `json:"score"`
		ScoreText []string    `json:"scoreText,omitempty"`
	}
	// ChangeSchema has the JSON of a board.Change.
	ChangeSchema struct {
		Moves     []board.Move `json:"moves" doc:"What it did in each window, in the order of the spec."`
		Duplicate bool         `json:"duplicate,omitempty" doc:"A submission with the same key has been counted before. Nothing has changed."`
		Skipped   bool         `json:"skipped,omitempty" doc:"The condition did not hold. Nothing has changed."`
	}
	submittedSchema struct {
		ChangeSchema
		Was *board.Row `json:"was,omitempty" doc:"With look: the row of the member in the first of the windows; absent if it is not ranked."`
	}
)

// scoreSchema has the schema of board.Score.
type scoreSchema struct{}

// Schema implements huma.SchemaProvider.
func (scoreSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Description: "One number for each column; null is absent.", AnyOf: []*huma.Schema{
		{Type: huma.TypeArray, Items: value()}, {Type: huma.TypeNumber}, {Type: huma.TypeString},
	}}
}

// valueSchema has the schema of board.Value.
type valueSchema struct{}

// Schema implements huma.SchemaProvider.
func (valueSchema) Schema(huma.Registry) *huma.Schema { return value() }

// specSchema has the schema of board.Spec: that of spec files.
type specSchema struct{}

// Schema implements huma.SchemaProvider.
func (specSchema) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

func value() *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeNumber, Nullable: true}, {Type: huma.TypeString}}}
}

// enums are the texts of types that have few.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[board.Condition](): {"new", "ranked", "better"},
	reflect.TypeFor[board.Zone]():      {"up", "stay", "down"},
	reflect.TypeFor[board.Ignored]():   {string(board.IgnoredOlder), string(board.IgnoredLater), string(board.IgnoredNotBetter)},
	reflect.TypeFor[awards.State]():    {"waiting", "failed", "granted", "withheld", "expired"},
}

// describeFields describes the fields of the types of the contract.
func describeFields(g huma.Registry) {
	var comments map[string]string
	if json.Unmarshal(fieldsJSON, &comments) != nil { // a test reads them too
		return
	}
	for name, s := range g.Map() {
		for _, f := range reflect.VisibleFields(g.TypeFromRef("#/components/schemas/" + name)) {
			field, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := s.Properties[field]
			if p == nil {
				continue
			}
			if p.Description == "" || f.Tag.Get("doc") == "" {
				if text := comments[fieldName(g.TypeFromRef("#/components/schemas/"+name), f)]; text != "" {
					p.Description = sentence(text)
				}
			}
			if all := enums[f.Type]; all != nil {
				p.Enum = all
			}
		}
	}
}

// fieldName returns the name that comments has of a field of a struct: that of the struct which declares it.
func fieldName(t reflect.Type, f reflect.StructField) string {
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type
	}
	return t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:] + "." + t.Name() + "." + f.Name
}

// sentence returns the comment of a field as a sentence.
func sentence(text string) string {
	r := []rune(text)
	r[0] = unicode.ToUpper(r[0])
	return strings.TrimSuffix(string(r), ".") + "."
}
