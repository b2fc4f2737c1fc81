package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/server/resp"
)

// passwordEnv has the password of the user default. A flag would show it to everybody on the machine.
const passwordEnv = "ZRANK_PASSWORD"

// readUsers returns the user default, if the environment has a password, and those of a file, if there is one.
func readUsers(path string, log *slog.Logger) (users []resp.User, err error) {
	if password := os.Getenv(passwordEnv); password != "" {
		users = append(users, resp.User{Name: "default", Password: password})
	}
	if path == "" {
		return users, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		log.Warn("others can read the file of users", "path", path, "mode", info.Mode().Perm().String())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		readonly := len(words) == 3 && words[2] == "readonly"
		if len(words) != 2 && !readonly {
			return nil, usagef("--users %s, line %d: want NAME PASSWORD [readonly]", path, i+1) // without the line: it has a password
		}
		users = append(users, resp.User{Name: words[0], Password: words[1], ReadOnly: readonly})
	}
	if len(users) == 0 {
		return nil, usagef("--users %s: there is nobody in it", path)
	}
	return users, nil
}

// byteSize is a flag with a number of bytes: 64MiB, 1GiB, 4096.
type byteSize int64

var byteUnits = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}}

// Set reads it.
func (b *byteSize) Set(text string) error {
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 62)
		if err != nil || int64(n) > (1<<62)/u.bytes {
			break
		}
		*b = byteSize(int64(n) * u.bytes)
		return nil
	}
	return errors.New("want a number of bytes, as 4096, 64MiB or 1GiB")
}

// String writes it.
func (b *byteSize) String() string {
	for i := len(byteUnits) - 3; i >= 0; i-- {
		if u := byteUnits[i]; *b > 0 && int64(*b)%u.bytes == 0 {
			return fmt.Sprint(int64(*b)/u.bytes, u.name)
		}
	}
	return fmt.Sprint(int64(*b))
}

// Type names it in the help.
func (b *byteSize) Type() string { return "bytes" }
