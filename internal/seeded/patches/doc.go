// Package patches reads the seeded bugs and puts them into a copy of the code.
//
// A seeded bug is a deliberate mistake. It proves that the tests notice such mistakes. Shipped code has none. Each bug is a patch in
// fuzz/testdata/bugs:
//
//	Bug: minus zero is kept
//	Layer: zset
//	Found-By: scripts
//
//	--- a/zset/add.go
//	+++ b/zset/add.go
//	@@ ...
//	+	if seeded.Bug("minus zero is kept") && ...
//
// What a patch adds runs only where seeded.Bug says so, by the name of the bug. So all patches are applied to one copy, one build has
// all bugs, and a process has one of them at a time: a build for each bug would take too long. Found-By says who must notice the bug:
// "scripts" (the command zrankfuzz bugs finds it within a minute), "TestSeededBugs of persist", of engine or of board.
//
// Overlay writes the copy and a file for the flag -overlay of go build and go test. A patch that no longer applies is an error: adapt
// it, with "git diff" of a tree that has the bug, in the commit that changes the code. A patch does not import package seeded; Overlay
// does.
//
// # Where things are
//
//	read.go      Bug; Read reads the patches
//	overlay.go   Overlay applies them
package patches
