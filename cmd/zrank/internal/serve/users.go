package serve

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/server/resp"
)

// passwordEnv is the environment variable with the password of the user default. A flag would show the password to every user of the machine.
const passwordEnv = "ZRANK_PASSWORD"

// userLine is the form of a line in the file of users.
const userLine = "NAME PASSWORD [read|write|moderate|any]"

// readUsers returns the user default, if the environment has a password, and the users of a file, unless path is empty.
func readUsers(path string, log *slog.Logger) (users []resp.User, err error) {
	if password := os.Getenv(passwordEnv); password != "" {
		users = append(users, resp.User{Name: "default", Password: password})
	}
	if path == "" {
		return users, nil
	}
	text, err := readSecret(path, "the file of users", log)
	if err != nil {
		return nil, fmt.Errorf("--users: %w", err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		kind, ok := resp.AnyCommand, true
		if len(words) == 3 {
			kind, ok = resp.ParseUserKind(words[2])
		}
		if !ok || len(words) < 2 || len(words) > 3 {
			return nil, flags.Errorf("--users %s, line %d: want %s", path, i+1, userLine) // it does not quote the line, which has a password
		}
		users = append(users, resp.User{Name: words[0], Password: words[1], Kind: kind})
	}
	if len(users) == 0 {
		return nil, flags.Errorf("--users %s: there is nobody in it", path)
	}
	return users, nil
}
