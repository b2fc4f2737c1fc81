// Package fuzz runs the same script of operations under many configurations of zrank's layers and compares what they answer,
// with each other and with the oracle of internal/model.
//
//	go test ./fuzz                              saved scripts, and some new ones from a seed that is printed
//	go test ./fuzz -run Random -seed 7          the scripts of a seed
//	go test ./fuzz -run '^$' -fuzz FuzzScript   scripts that Go's fuzzer makes
//
// A failure prints a script, shrunk to few lines. Saved as a file in testdata/scripts, it is replayed for ever.
//
// # Terminology
//
//   - operation: one line of a script, "add arena ada 3.5". The table in op.go lists them all.
//   - script: a list of operations. Any list is a script: what makes no sense where it stands is answered, not refused, so
//     that lines can be taken out.
//   - reply: what an operation answers, in one line. Scores are written so that each float has one text.
//   - history: the replies of a script, and then the contents of every key it names.
//   - machine: what scripts run on, a few layers of zrank under one configuration.
//   - block: an operation alone, or a transaction: the lines after begin, up to commit, rollback or the end of the script.
//
// # Rules
//
//   - F1: all machines have the same history for a script. What a configuration must not change is not in a reply: the
//     encoding, versions, sizes, times.
//   - F2: snapshot, flush and reopen answer nothing and change no later reply.
//   - F3: inside a transaction they, and keys, are skipped: a closure must not call its engine.
//   - F4: a key that begins with "t" is a set with ties 8 bytes wide; others have none.
package fuzz
