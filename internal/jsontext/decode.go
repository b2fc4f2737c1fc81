package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	default:
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(at, int64(len(text)))], []byte{'\n'}), err)
}
