package fuzz_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zrankdb/zrank/fuzz"
)

func TestZZHist(t *testing.T) {
	f, err := os.Create(os.Getenv("HIST"))
	if err != nil {
		t.Skip()
	}
	defer f.Close()
	for _, c := range fuzz.All() {
		for seed := range uint64(3) {
			s := c.Generate(7+seed, 120)
			fmt.Fprintf(f, "%s %d script %x\n", c.Name, seed, sha256.Sum256([]byte(fuzz.Print(s))))
			r, err := fuzz.RunWithin(context.Background(), c, s, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			d := c.Decode([]byte(fmt.Sprint(s)), 80)
			fmt.Fprintf(f, "%s %d decoded %x\n", c.Name, seed, sha256.Sum256([]byte(fuzz.Print(d))))
			if strings.Contains(c.Name, "interval") || strings.Contains(c.Name, "none") || strings.Contains(c.Name, "group") {
				continue
			}
			fmt.Fprintf(f, "%s %d history %x\n", c.Name, seed, sha256.Sum256([]byte(strings.Join(r.History, "\n"))))
		}
	}
	for _, op := range fuzz.Operations() {
		fmt.Fprintln(f, op)
	}
}
