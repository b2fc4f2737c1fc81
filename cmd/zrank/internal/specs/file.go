package specs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// ReadFile reads a spec file: one spec, or an array of them. Errors: those of the file and of the specs, with their index.
func ReadFile(path string) (all []board.Spec, array bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, false, err
	}
	text = jsontext.TrimBOM(text)
	parts := []json.RawMessage{text}
	if text = bytes.TrimLeft(text, " \t\r\n"); bytes.HasPrefix(text, []byte("[")) {
		array = true
		if err := json.Unmarshal(text, &parts); err != nil {
			return nil, false, fmt.Errorf("%s: %w", path, err)
		}
		if len(parts) == 0 {
			return nil, false, fmt.Errorf("%s: has no spec", path)
		}
	}
	for i, part := range parts {
		spec, err := board.ReadSpec(bytes.NewReader(part))
		if err == nil && slices.ContainsFunc(all, func(s board.Spec) bool { return s.Name == spec.Name }) {
			err = fmt.Errorf("board %q is there twice", spec.Name)
		}
		if err != nil && array {
			err = fmt.Errorf("spec %d: %w", i+1, err)
		}
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, spec)
	}
	return all, array, nil
}
