package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zrankdb/zrank/internal/jsontext"
)

// Read reads a map file. Errors: those of the file, and every problem of its rules.
func Read(path string) ([]*Rule, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rules, err := Parse(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return rules, err
}

// Parse parses the text of a map file.
func Parse(text []byte) (rules []*Rule, err error) {
	if text, err = jsontext.Clean(text); err != nil {
		return nil, fmt.Errorf("mapping: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&rules); err != nil {
		return nil, fmt.Errorf("mapping: no JSON array of rules: %w", readable(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("mapping: byte %d: there is more behind the array of rules", d.InputOffset())
	}
	if len(rules) == 0 {
		return nil, errors.New("mapping: there are no rules")
	}
	var errs []error
	for i, r := range rules {
		if r == nil {
			errs = append(errs, fmt.Errorf("rule %d: is null", i+1))
		} else if err := r.compile(); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	return rules, errors.Join(errs...)
}

// readable says in the words of the file what the decoder says in those of Go.
func readable(err error) error {
	wrong := new(json.UnmarshalTypeError)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file ends within it")
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("byte %d: %s is a JSON %s", wrong.Offset, wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("byte %d: a JSON %s", wrong.Offset, wrong.Value)
	}
	return err
}

// compile checks a rule.
func (r *Rule) compile() error {
	var errs []error
	if r.Board == "" {
		errs = append(errs, errors.New("mapping: board is missing"))
	}
	errs = append(errs, r.compileKey())
	var err error
	if r.formula, err = ParseFormula(r.Score); err != nil {
		errs = append(errs, err)
	}
	switch r.Unit {
	case "", "s":
	case "ms":
		r.formula.Millis = true
	default:
		errs = append(errs, fmt.Errorf("mapping: unit is %q, want s or ms", r.Unit))
	}
	if r.formula.WithoutTime = r.WithoutTime; r.WithoutTime && r.formula.Sign == 0 {
		errs = append(errs, errors.New("mapping: withoutTime is set, and score has no time"))
	}
	return errors.Join(errs...)
}

// Find returns the first rule that a key matches, and what the key has; nil: none.
func Find(rules []*Rule, key string) (r *Rule, m Match) {
	for _, r := range rules {
		texts := r.pattern.FindStringSubmatch(key)
		if texts == nil {
			continue
		}
		if i := r.pattern.SubexpIndex(placePeriod); i > 0 {
			m.Period = texts[i]
		}
		if i := r.pattern.SubexpIndex(placeName); i > 0 {
			m.Name = texts[i]
		}
		return r, m
	}
	return nil, m
}
