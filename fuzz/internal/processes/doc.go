// Package processes runs scripts on engines in processes of their own, with files of the operating system, and kills them by SIGKILL.
//
// Parent and child speak gob over the standard input and output of the child: a question with the operations of a block, an answer with the
// replies.
//
// # Where things are
//
//	process.go  Configs; the parent: starts, asks and kills
//	serve.go    Serve; the child: answers
package processes
