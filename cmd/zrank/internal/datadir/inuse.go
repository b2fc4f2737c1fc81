package datadir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zrankdb/zrank/engine"
)

// Server is how to reach the process that serves a data directory.
type Server struct {
	PID   int    `json:"pid"`
	API   string `json:"api,omitempty"`   // URL of the HTTP API
	Redis string `json:"redis,omitempty"` // address of the Redis protocol: HOST:PORT, or unix:PATH
}

// serverName is the file in a data directory that says how to reach the process that serves it. The process has the file locked, so that one that
// was left by a process which was killed is known to be stale. The store ignores the file.
const serverName = "serve.json"

// maxServer is the most bytes of the file that are read.
const maxServer = 64 << 10

// Announce writes how to reach the process that serves a directory, until stop is called, which removes the file. The process must have the directory
// open. Errors: those of the file system.
func Announce(dir string, s Server) (stop func() error, err error) {
	path := filepath.Join(dir, serverName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err == nil {
		_, err = lockFile(f, true)
	}
	if err == nil {
		_, err = f.Write(append(text, '\n'))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return func() error { return errors.Join(f.Close(), os.Remove(path)) }, nil // Windows removes no file that is open
}

// announced returns how to reach the process that serves a directory now. It is false if no process has announced itself, or it has ended since.
func announced(dir string) (s Server, ok bool) {
	f, err := os.Open(filepath.Join(dir, serverName))
	if err != nil {
		return s, false
	}
	defer f.Close()
	if free, err := lockFile(f, false); err != nil || free {
		return s, false
	}
	text, err := io.ReadAll(io.LimitReader(f, maxServer))
	return s, err == nil && json.Unmarshal(text, &s) == nil && s.PID > 0
}

// InUseError is returned for a directory that another process has open and serves.
type InUseError struct {
	Dir    string
	Server Server
	err    error
}

// Error says where the process serves the directory.
func (e *InUseError) Error() string {
	return fmt.Sprintf("%s is in use by process %d, which serves it at %s", e.Dir, e.Server.PID, cmp.Or(e.Server.API, e.Server.Redis))
}

// Unwrap returns the error of the engine.
func (e *InUseError) Unwrap() error { return e.err }

// Explain returns an *InUseError in place of engine.ErrLocked if a process serves the directory, and else the error.
func Explain(dir string, err error) error {
	if errors.Is(err, engine.ErrLocked) {
		if s, ok := announced(dir); ok {
			return &InUseError{dir, s, err}
		}
	}
	return err
}
