// Package fuzz runs scripts of operations on zrank's layers, under many configurations, and compares what they answer with an
// oracle that is made of the naive sets of internal/model.
//
//	go run ./fuzz/cmd/zrankfuzz --for 10m       new scripts on all cores, under all configurations
//	go test ./fuzz                              saved scripts, and some new ones from a seed that is printed
//	go test ./fuzz -run Random -seed 7          the scripts of a seed
//	go test ./fuzz -run '^$' -fuzz FuzzScript   scripts that Go's fuzzer makes; FuzzBoards: of leaderboards
//
// A failure prints a script, shrunk to few lines. Saved as a file in testdata/scripts, it is replayed for ever: under all
// configurations, or under those that lines "# config NAME" say.
//
// # Terminology
//
//   - operation: one line of a script, "add arena ada 3.5". The tables in kinds.go list them all.
//   - script: a list of operations. Any list is a script: what makes no sense where it stands is answered, not refused, so
//     that lines can be taken out.
//   - reply: what an operation answers, in one line. Scores are written so that each float has one text.
//   - history: the replies of a script, and then the contents of every key it names.
//   - campaign: many scripts, each with a seed of its own, for some time.
//   - machine: what scripts run on, a few layers of zrank under one configuration.
//   - configuration: a layer, its options, and what the runner does to it between blocks.
//   - oracle: the machine that says what the others should answer. One runs in lockstep with each machine.
//   - block: an operation alone, or a transaction: the lines after begin, up to commit, rollback or the end of the script.
//   - world: all that the oracle holds after a block.
//   - promise: from where on a block may not be lost. At Sync each block is promised when it has been answered, or when its
//     group has been acknowledged; at Interval and None by the next flush, snapshot or reopen.
//   - cut: of the power. Of what was written to files but not flushed some part is there afterwards. A planted one happens
//     in the middle of whatever writes or flushes a file then, and the machine restarts from it after the block.
//
// # Rules
//
//   - F1: a machine answers what its oracle answers; so all have the same history for a script that loses nothing. What a
//     configuration must not change is not in a reply: the encoding, versions, sizes.
//   - F2: what happens between blocks answers nothing and changes no later reply, but for what F5 and F7 say.
//   - F3: inside a transaction they, keys, and what is a transaction of its own are skipped: a closure must not call its engine.
//   - F4: a set that is made under a key that begins with "t" has ties 8 bytes wide; others have none, but for F8.
//   - F5: after a kill or a cut a machine holds exactly a world of the oracle: the one after the last promised block, or a later
//     one. The oracle goes on from there. Where there is no disk nothing is lost, and nothing happens.
//   - F6: what a layer does not have is skipped by its machine and the oracle alike, and answered "skipped".
//   - F7: sleep moves the machine's clock and the oracle's; nothing else does.
//   - F8: a set that is made under a key that begins with "n" has int64 scores, where the layer has them; under "nt" with ties 8
//     bytes wide. The nearest int64 stands for a score that is none, and 0 for what is no number.
//   - F9: to a client of the Redis protocol a set that is empty has vanished at once, with its expiry, and in an engine at the end of
//     its transaction, which may have filled it again.
//   - F10: on layer board the boards of boards.go are there from the beginning. They survive what sets survive. Of their operations
//     submit alone may be part of a transaction. What is due is closed when sleep has moved the clock. A call that makes several
//     commits, close, may after a cut be there up to any of them.
//
// A script has the same history each time under a configuration that loses nothing. What a cut leaves hangs on when
// goroutines write, too: a script with cuts that has failed may need more than one run to fail again.
//
// # Fuzz targets
//
// Go's own fuzzer reads bytes as operations for each layer, and as what is stored or sent for each decoder. Each target runs with
// go test -run '^$' -fuzz '^NAME$' ./FOLDER, and all of them, a second each, with .ci/run fuzz.
//
//	layer                        folder                       target
//	listpack, skiplist           fuzz                         FuzzStructures
//	listpack                     listpack                     FuzzList
//	skiplist                     skiplist                     FuzzList
//	table of members             zset/internal/members        FuzzTable
//	sorted set                   zset                         FuzzSet, FuzzCombine
//	sets and engines together    fuzz                         FuzzScript
//	store                        persist                      FuzzStore
//	engine                       fuzz                         FuzzEngine
//	boards                       fuzz, engine/board/rules     FuzzBoards, FuzzOracle
//	windows of boards            engine/board/window          FuzzAt
//	server                       fuzz                         FuzzResp
//
//	decoder                      folder                       target
//	listpack                     listpack                     FuzzDecode
//	page of a set                zset                         FuzzLoadPage
//	log group and its effects    persist                      FuzzGroup
//	effects, read by an engine   engine                       FuzzLog
//	facts of a set               engine                       FuzzFacts
//	record of a set              persist                      FuzzSetRecord
//	pointer, identity, mark      persist                      FuzzPointer, FuzzIdentity, FuzzMark
//	format, number, stored page  persist                      FuzzRecords
//	Pebble's log, raw            persist                      FuzzScan
//	damaged store                persist                      FuzzCheck
//	stored by boards             engine/board/internal/state  FuzzStored
//	form of a score              engine/board/rules           FuzzForm, FuzzValue
//	spec                         engine/board/internal/specs  FuzzSpec
//	window: text, JSON, period   engine/board/window          FuzzText, FuzzJSON, FuzzParse
//	cursor                       engine/board                 FuzzCursor
//	RESP: bytes of any kind      server/resp                  FuzzServer
//	RESP: requests, numbers      server/resp/internal/wire    FuzzReader, FuzzParseScore
//	RESP: replies                server/resp/internal/wire    FuzzWriter
//	string or plain set          server/resp                  FuzzPlain
//	pattern                      internal/glob                FuzzGlob
//	CSV of events                cmd/zrank/internal/events    FuzzEvents, FuzzUnits, FuzzPosition
//	script                       fuzz                         FuzzParse
//
// There is no decoder of RDB yet.
package fuzz
