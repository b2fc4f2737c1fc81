package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Decode reads one JSON value. It refuses unknown fields, and text after the value. Its errors name the line if the decoder knows it.
func Decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var at int64
	switch e := err.(type) {
	case nil:
		if _, err := d.Token(); err == io.EOF {
			return nil
		}
		at, err = d.InputOffset(), errors.New("there is more behind the object")
	case *json.SyntaxError:
		at = e.Offset
	case *json.UnmarshalTypeError:
		at = e.Offset
		if of, field, ok := strings.Cut(e.Field, "."); ok && e.Struct == "" { // a struct without a name, which has the one with the field
			e.Struct, e.Field = of, field
		}
	default:
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(at, int64(len(text)))], []byte{'\n'}), err)
}
