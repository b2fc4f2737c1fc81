package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/zrankdb/zrank/server/access"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// keyLine is the form of a line in the file of API keys.
const keyLine = "NAME RIGHTS SECRET|sha256:HEX [BOARD...]"

// readKeys returns the keys of a file: lines, or an array of keys as JSON. No path is no keys. No error has a secret in it.
func readKeys(path string, log *slog.Logger) (keys []access.Key, err error) {
	if path == "" {
		return nil, nil
	}
	text, err := readSecret(path, "the file of API keys", log)
	if err != nil {
		return nil, fmt.Errorf("--api-keys: %w", err)
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		read := json.NewDecoder(bytes.NewReader(text))
		read.DisallowUnknownFields()
		if err := read.Decode(&keys); err != nil {
			return nil, flags.Errorf("--api-keys %s: %w", path, err)
		}
	} else if keys, err = keyLines(path, string(text)); err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, flags.Errorf("--api-keys %s: there is no key in it", path)
	}
	return keys, nil
}

// keyLines parses a file of lines.
func keyLines(path, text string) (keys []access.Key, err error) {
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		wrong := flags.Errorf("--api-keys %s, line %d: want %s; RIGHTS are all, or some of read,submit,moderate", path, i+1, keyLine) // it does not quote the line, which has a secret
		if len(words) < 3 {
			return nil, wrong
		}
		k := access.Key{Name: words[0], Boards: words[3:]}
		if k.Rights.UnmarshalText([]byte(words[1])) != nil {
			return nil, wrong
		}
		if sum, ok := strings.CutPrefix(words[2], "sha256:"); ok {
			k.SHA256 = sum
		} else {
			k.Secret = words[2]
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// readSecret reads a file of secrets, and warns if others can read it.
func readSecret(path, what string, log *slog.Logger) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		log.Warn("others can read "+what, "path", path, "mode", info.Mode().Perm().String())
	}
	text, err := os.ReadFile(path)
	return jsontext.TrimBOM(text), err
}
