package patches

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// Overlay copies the files that the patches change to dir, applies the patches to the copies, and writes the JSON file for the flag
// -overlay of go build, whose path it returns. It writes only below dir. It runs the command git, but needs no git repository.
func Overlay(root, dir string, list []Bug) (overlay string, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, bug := range list {
		for _, name := range bug.Files {
			from, to := filepath.Join(root, filepath.FromSlash(name)), filepath.Join(dir, filepath.FromSlash(name))
			if _, copied := replace[from]; copied {
				continue
			}
			if err := copyFile(from, to); err != nil {
				return "", fmt.Errorf("%s: %w", bug.Patch, err)
			}
			replace[from] = to
		}
	}
	for _, bug := range list {
		if err := apply(dir, bug); err != nil {
			return "", err
		}
	}
	for _, to := range replace {
		if err := addImport(to); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// apply applies one patch to the copies. One line of context is enough, because another patch may have changed lines close by.
func apply(dir string, bug Bug) error {
	patch, err := filepath.Abs(bug.Patch)
	if err != nil {
		return err
	}
	cmd := exec.Command("git", "apply", "-C1", patch)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_DIR="+filepath.Join(dir, "none")) // ignore any repository around dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s does not apply: %w: %s", bug.Patch, err, text)
	}
	return nil
}

var packageClause = regexp.MustCompile(`(?m)^package \w+`)

// addImport lets a copy import package seeded, on the line of its package clause: line numbers stay.
func addImport(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	at := packageClause.FindIndex(data)
	if at == nil {
		return errors.New(name + " has no package clause")
	}
	text := string(data[:at[1]]) + `; import "github.com/zrankdb/zrank/internal/seeded"` + string(data[at[1]:])
	return os.WriteFile(name, []byte(text), 0o600)
}
