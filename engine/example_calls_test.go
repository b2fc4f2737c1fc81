package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// empty returns an engine in memory.
func empty() *engine.Engine {
	e, err := engine.New(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return e
}

// started returns an engine in memory with the set "arena", which the examples of single calls begin with.
func started() *engine.Engine {
	e := empty()
	if err := errors.Join(score(e, "arena", "ada", 15), score(e, "arena", "bea", 40)); err != nil {
		log.Fatal(err)
	}
	return e
}

// score gives a member of a set a score, in a transaction of its own.
func score(e *engine.Engine, key, member string, points float64) error {
	return e.Update(context.Background(), func(tx *engine.Tx) error {
		s, err := tx.Set(key)
		if err == nil {
			_, err = s.Add([]byte(member), points)
		}
		return err
	}, key)
}

// What Update has returned is on the disk: after a crash Open has it.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "zrank")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for range 2 {
		e, err := engine.Open(filepath.Join(dir, "db"), engine.Options{})
		if err != nil {
			log.Fatal(err)
		}
		n, err := e.Count()
		fmt.Println(n, err)
		if err := errors.Join(score(e, "arena", "ada", 15), e.Close()); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 <nil>
	// 1 <nil>
}

// An error rolls the transaction back.
func ExampleEngine_Update() {
	e := started()
	defer e.Close()
	err := e.Update(context.Background(), func(tx *engine.Tx) error {
		s, err := tx.Set("arena")
		if err != nil {
			return err
		}
		points, err := s.IncrBy([]byte("ada"), 100)
		if err == nil && points > 100 {
			err = fmt.Errorf("%v points are too many", points)
		}
		return err
	}, "arena")
	fmt.Println(err)
	// Output: 115 points are too many
}

// A View sees all its keys at one moment.
func ExampleEngine_View() {
	e := started()
	defer e.Close()
	err := e.View(context.Background(), func(tx *engine.Tx) error {
		s, err := tx.Set("arena")
		if err != nil {
			return err
		}
		for member, points := range s.RevRange(0, 10) {
			fmt.Printf("%s %v\n", member, points)
		}
		return nil
	}, "arena")
	fmt.Println(err)
	// Output:
	// bea 40
	// ada 15
	// <nil>
}

// Scores that are int64 are exact beyond 2^53.
func ExampleTx_IntSet() {
	e := started()
	defer e.Close()
	err := e.Update(context.Background(), func(tx *engine.Tx) error {
		s, err := tx.IntSet("gold", engine.Form{})
		if err != nil {
			return err
		}
		if _, err := s.Add([]byte("ada"), 1<<53); err != nil {
			return err
		}
		fmt.Println(s.IncrBy([]byte("ada"), 1))
		return nil
	}, "gold")
	fmt.Println(err)
	// Output:
	// 9007199254740993 <nil>
	// <nil>
}

// Keys in order, by prefix or by a pattern as Redis's KEYS has it.
func ExampleEngine_Keys() {
	e := started()
	defer e.Close()
	fmt.Println(score(e, "arena:week", "ada", 5), score(e, "gold", "ada", 5))
	fmt.Println(e.Keys("arena"))
	fmt.Println(e.Glob("?old"))
	// Output:
	// <nil> <nil>
	// [arena arena:week] <nil>
	// [gold] <nil>
}

// As EXPIRE and PERSIST.
func ExampleEngine_ExpireIn() {
	ctx := context.Background()
	e := started()
	defer e.Close()
	fmt.Println(e.ExpireIn(ctx, "arena", time.Hour))
	fmt.Println(e.ExpireIn(ctx, "nothing", time.Hour))
	fmt.Println(e.Persist(ctx, "arena"))
	// Output:
	// true <nil>
	// false <nil>
	// true <nil>
}

// A set takes another key in one commit: the board that was filled beside the old one replaces it.
func ExampleEngine_Rename() {
	ctx := context.Background()
	e := started()
	defer e.Close()
	fmt.Println(score(e, "arena:next", "cai", 25), e.Rename(ctx, "arena:next", "arena"))
	fmt.Println(e.Exists(ctx, "arena", "arena:next"))
	// Output:
	// <nil> <nil>
	// 1 <nil>
}

// Sets that are empty do not exist.
func ExampleEngine_Delete() {
	e := started()
	defer e.Close()
	fmt.Println(e.Delete(context.Background(), "arena", "nothing"))
	fmt.Println(e.Count())
	// Output:
	// 1 <nil>
	// 0 <nil>
}

// A backup is taken of a store in use. Restore checks it and makes a store of it.
func ExampleEngine_Backup() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "zrank")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	e, err := engine.Open(filepath.Join(dir, "db"), engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	backup := filepath.Join(dir, "backup")
	err = errors.Join(score(e, "arena", "ada", 15), e.Backup(ctx, backup), e.Close())
	fmt.Println(err)
	report, err := engine.Restore(ctx, backup, filepath.Join(dir, "again"), engine.Options{})
	fmt.Println(report.Sets, err)
	// Output:
	// <nil>
	// 1 <nil>
}
