// Package clients has clients of the HTTP API in other languages, one file each, and the tests that keep them true: README.md says how to use them. It has no code
// in Go but tests, and is a module of its own, so that what the tests need never enters zrank's.
//
// What is tested, of all three: every route that a client has, with its parameters and the fields of what it sends, is in the document of the server. Those for
// TypeScript and C# also run against a live server, whose answers get lost and whose connections break. That for Godot is only parsed, by the grammar of
// tree-sitter: no Godot 4 can be installed where the tests run.
//
// Requests that are made from the document, valid and invalid ones, go to every operation: no answer may be one that the document does not have.
//
// # Where things are
//
//	typescript/zrank.ts   browsers and node; zrank_test.ts runs it, package.json is for tests
//	csharp/Zrank.cs       .NET and Unity; ZrankTest.cs runs it
//	gdscript/zrank.gd     Godot 4
package clients
