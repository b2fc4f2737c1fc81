package rules_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board/rules"
)

// A contest: the numbers of solved problems add up, and so do the penalties; a lower penalty is better.
func Example() {
	r, err := rules.New([]rules.Column{{Name: "solved"}, {Name: "penalty", Order: rules.Asc}}, rules.Sum, rules.FirstToReach)
	if err != nil {
		fmt.Println(err)
		return
	}
	ada, _, _ := r.Apply(rules.Entry{}, false, rules.Entry{Score: rules.Ints(1, 23), Reached: 23})
	ada, _, _ = r.Apply(ada, true, rules.Entry{Score: rules.Ints(1, 95), Reached: 95})
	ben, _, _ := r.Apply(rules.Entry{}, false, rules.Entry{Score: rules.Ints(2, 120), Reached: 60})
	fmt.Println("ada", ada.Score, "ben", ben.Score, "ada is better:", r.Compare(ada.Score, ben.Score) < 0)
	// Output: ada 2 118 ben 2 120 ada is better: true
}

// Best replaces the whole score or none of it.
func ExampleRules_Apply() {
	r, _ := rules.New(make([]rules.Column, 2), rules.Best, rules.FirstToReach)
	entry, _, _ := r.Apply(rules.Entry{}, false, rules.Entry{Score: rules.Ints(100, 5), Reached: 1})
	for _, sub := range []rules.Score{rules.Ints(50, 99), rules.Ints(100, 5), rules.Ints(100, 6)} {
		next, changed, _ := r.Apply(entry, true, rules.Entry{Score: sub, Reached: 2})
		fmt.Println(sub, "->", next.Score, changed)
		entry = next
	}
	// Output:
	// 50 99 -> 100 5 false
	// 100 5 -> 100 5 false
	// 100 6 -> 100 6 true
}

// The set's score, and then the bytes of the tie, sort the best score first.
func ExampleRules_Encode() {
	r, _ := rules.New([]rules.Column{{}, {Order: rules.Asc}}, "", rules.ByMember)
	for _, score := range []rules.Score{rules.Ints(2, -1), rules.Ints(2, 0), rules.Ints(-2, 0)} {
		code, tie := r.Encode(nil, rules.Entry{Score: score})
		fmt.Printf("%d %x %v\n", code, tie, r.Decode(code, tie).Score)
	}
	// Output:
	// -3 7fffffffffffffff 2 -1
	// -3 8000000000000000 2 0
	// 1 8000000000000000 -2 0
}

// An error says which column, and why.
func ExampleScoreError() {
	most := rules.Int(100)
	r, _ := rules.New([]rules.Column{{Name: "level", Max: &most}}, "", "")
	_, err := r.Check(rules.Ints(101))
	var fault *rules.ScoreError
	fmt.Println(errors.Is(err, rules.ErrBounds), errors.As(err, &fault) && fault.Column == 0)
	fmt.Println(err)
	// Output:
	// true true
	// board: value is out of bounds: 101 in column "level", want ..100
}

// A score is a number in JSON, or an array of numbers.
func ExampleScore_MarshalJSON() {
	for _, score := range []rules.Score{rules.Ints(15), rules.Ints(9, 935), rules.Values(rules.Int(9), rules.Float(1))} {
		b, _ := json.Marshal(map[string]rules.Score{"score": score})
		fmt.Println(string(b))
	}
	// Output:
	// {"score":15}
	// {"score":[9,935]}
	// {"score":[9,1.0]}
}

// A migration: a column gets a new kind, and a new column is added after it.
func ExampleConvert() {
	from, _ := rules.New([]rules.Column{{Name: "meters"}}, "", "")
	to, _ := rules.New([]rules.Column{{Name: "meters", Kind: rules.Float64}, {Name: "style"}}, "", "")
	entry, err := rules.Convert(from, to)(rules.Entry{Score: rules.Ints(842)})
	fmt.Println(entry.Score, err)
	// Output: 842.0 0 <nil>
}
