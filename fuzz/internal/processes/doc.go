// Package processes runs scripts on engines in child processes, with files of the operating system, and kills these by SIGKILL.
//
// Parent and child speak gob over the standard input and output of the child: a question with the operations of a block, an answer with the
// replies.
//
// # Where things are
//
//	process.go  Configs, and process: the parent, which starts, asks and kills a child
//	serve.go    Serve: the child, which answers
package processes
