// Package fuzz runs scripts of operations on zrank's layers, under many configurations, and compares every reply with an oracle: naive
// sets of internal/model.
//
//	go run ./fuzz/cmd/zrankfuzz --for 10m       new scripts on all cores, under all configurations
//	go run ./fuzz/cmd/zrankfuzz combinations    how often which features of boards are together in scripts
//	go test ./fuzz                              saved scripts, and some new ones from a seed that is printed
//	go test ./fuzz -run Random -seed 7          the scripts of a seed
//	go test ./fuzz -run Cluster                 scripts about leaderboards on redis-servers, and those of testdata/clusters
//	go test ./fuzz -run '^$' -fuzz FuzzScript   scripts from Go's fuzzer; FuzzBoards: scripts about leaderboards
//
// A failure prints a script, shrunk to a few lines. Tests replay every script that is saved as a file in testdata/scripts: under all
// configurations, or under those that its lines "# config NAME" name.
//
// # Terminology
//
//   - operation: one line of a script, "add arena ada 3.5". The command "zrankfuzz list" lists them all.
//   - script: a list of operations. Any list is a script. An operation that makes no sense where it stands gets a reply and no
//     error, so the shrinker may remove any line.
//   - reply: the answer to an operation, in one line. Two floats have the same text only if all their bits are equal.
//   - history: the replies of a script, followed by the contents of every key that it names.
//   - campaign: many scripts, each with its own seed, for some time.
//   - machine: one or more layers of zrank under one configuration. Scripts run on it.
//   - configuration: a layer, its options, and the operations that the runner adds between blocks.
//   - oracle: the machine that says what the others should reply. One runs in lockstep with each machine.
//   - block: an operation alone, or a transaction: the lines after begin, up to commit, rollback or the end of the script.
//   - world: the contents of the oracle after a block.
//   - promise: after it, no crash may lose the block. At Sync the machine promises a block when it has replied, or when it has
//     acknowledged the block's group; at Interval and None with the next flush, snapshot or reopen.
//   - cut: a power cut. Files keep some part of what was written and not flushed. A planted cut happens in the middle of a
//     later write or flush, and the machine restarts from it after the block.
//
// # Rules
//
//   - F1: a machine replies what its oracle replies. So all have the same history for a script that loses nothing. Replies hide
//     what a configuration must not change: encodings, versions, sizes.
//   - F2: an operation between blocks has no reply and changes no later reply, except by F5 and F7.
//   - F3: a transaction skips these operations, keys, and calls that are transactions of their own: a closure must not call its
//     engine.
//   - F4: a set that is made under a key that begins with "t" has ties 8 bytes wide; others have none, except by F8.
//   - F5: after a kill or a cut a machine holds exactly one world of the oracle: the one after the last promised block, or a later
//     one. The oracle goes on from there. A machine without a disk ignores both.
//   - F6: the machine and its oracle skip what the layer does not have, and reply "skipped".
//   - F7: sleep moves the clock of the machine and that of the oracle; nothing else does.
//   - F8: a set that is made under a key that begins with "n" has int64 scores, where the layer has them; under "nt" with ties 8
//     bytes wide. A score that is not an int64 becomes the nearest one, and NaN becomes 0.
//   - F9: for a client of the Redis protocol an empty set vanishes at once, with its expiry; in an engine it vanishes at the end of
//     its transaction, unless the transaction has filled it again.
//   - F10: layer board begins with the boards of package boardspecs. They survive what sets survive. Of their operations submit,
//     remove, setmeta, claim and reads of live rankings may be part of a transaction, and see what it has changed. After each sleep
//     the machine closes the periods that are due, and before each block about boards it settles the closed ones, and their cohorts. A cut may leave the
//     state after any of the commits of close, which makes several. The board mixed has a spec for each combination of features that Define allows; scripts begin with one,
//     and migrate changes to others. Where Migrate cannot convert its entries and refuses, the board is dropped and defined with the new spec.
//   - F11: a change of a member by an operator, such as ban, is complete or has not happened: a machine that opens after a crash waits until
//     its boards have done the rest of one that had begun.
//   - F12: boards on a cluster have the specs of layer board without what package cluster refuses, and so has their oracle. There is no rollback: the operations of a
//     committed transaction run one after the other. Between blocks another process takes over, and the servers forget their scripts.
//
// Under a configuration that loses nothing, a script has the same history each time. What a cut leaves also depends on when goroutines
// write: a script with cuts that has failed may need more than one run to fail again.
//
// # Where things are
//
// In the order of their imports:
//
//	cmd/zrankfuzz         the command: new scripts, saved ones, seeded bugs
//	internal/campaigns    many scripts under many configurations; failures, shrunk and saved
//	internal/runner       a machine and its oracle in lockstep
//	internal/processes    engines in processes that are killed; processtest: these in tests
//	internal/servers      servers of the Redis protocol
//	internal/clusters     leaderboards on redis-servers
//	internal/engines      engines, with leaderboards or without
//	internal/structures   listpacks, skiplists, sets of zset
//	internal/oracle       the oracle
//	internal/boardoracle  the oracle of leaderboards
//	internal/apply        one operation on one state
//	internal/machine      the interfaces of machines and oracles, configurations
//	internal/script       the language of operations and its generator
//	internal/boardspecs   the leaderboards that scripts know
//
// # Fuzz targets
//
// Go's own fuzzer reads bytes as operations for each layer, and as what is stored or sent for each decoder. Each target runs with
// go test -run '^$' -fuzz '^NAME$' ./FOLDER, and all of them, a second each, with .ci/run fuzz.
//
//	layer                        folder                          target
//	listpack, skiplist           fuzz                            FuzzStructures
//	listpack                     listpack                        FuzzList
//	skiplist                     skiplist                        FuzzList
//	table of members             zset/internal/members           FuzzTable
//	sorted set                   zset                            FuzzSet, FuzzCombine
//	sets and engines together    fuzz                            FuzzScript
//	store                        persist                         FuzzStore
//	engine                       fuzz                            FuzzEngine
//	boards                       fuzz                            FuzzBoards
//	submissions                  board/rules                     FuzzOracle
//	windows of boards            board/window                    FuzzAt
//	server                       fuzz                            FuzzResp
//
//	decoder                      folder                          target
//	listpack                     listpack                        FuzzDecode
//	page of a set                zset                            FuzzLoadPage
//	log group and its effects    persist/internal/format         FuzzGroup
//	notes of a log group         persist/internal/format         FuzzNotes
//	effects, read by an engine   engine                          FuzzLog
//	facts of a set               engine                          FuzzFacts
//	record of a set              persist/internal/format         FuzzSetRecord
//	pointer                      persist/internal/format         FuzzPointer
//	identity, mark               persist/internal/storedir       FuzzIdentity, FuzzMark
//	format, number, stored page  persist/internal/format         FuzzRecords
//	Pebble's log, raw            persist/internal/recovery       FuzzScan
//	damaged store                persist                         FuzzCheck
//	stored by boards             board/internal/state            FuzzStored, FuzzDecodeSettling
//	events of boards             board/internal/events           FuzzEvent, FuzzPosition
//	points of members of groups  board/internal/totals           FuzzPoints
//	closed periods of groups     board/internal/catalog          FuzzPast
//	boards on a cluster          board/cluster/internal/layout   FuzzValue, FuzzStoredBoard
//	form of a score              board/rules                     FuzzForm, FuzzValue
//	spec                         board/internal/state            FuzzSpec
//	window: text, JSON, period   board/window                    FuzzText, FuzzJSON, FuzzParse
//	cursor                       board/local                     FuzzCursor
//	RESP: bytes of any kind      server/resp                     FuzzServer
//	RESP: requests, numbers      server/resp/internal/wire       FuzzReader, FuzzParseScore
//	RESP: replies                server/resp/internal/wire       FuzzWriter
//	RESP: what a source sends    server/resp/replica             FuzzStream
//	string or plain set          server/resp/internal/keyspace   FuzzPlain
//	HTTP: credentials            server/access                   FuzzToken, FuzzTicket, FuzzHeader
//	commands of boards           server/resp/internal/boardcmd   FuzzCommands
//	arguments of operations      board/ops                       FuzzSet
//	JSON of boards               internal/boardjson              FuzzRead, FuzzText, FuzzScore
//	pattern                      internal/glob                   FuzzGlob
//	name as it is shown          internal/printable              FuzzName
//	name as it is typed          server/admin/internal/pages     FuzzMemberOf
//	boards as lines of JSON      board/archive                   FuzzRead
//	CSV of events                cmd/zrank/internal/events       FuzzEvents, FuzzUnits, FuzzPosition
//	RDB: files, dumps            rdb                             FuzzReader, FuzzDump
//	formulas of packed scores    cmd/zrank/internal/mapping      FuzzFormula
//	RDB: listpacks, LZF          rdb                             FuzzBlobs, FuzzLZF
//	script                       fuzz                            FuzzParse
package fuzz
