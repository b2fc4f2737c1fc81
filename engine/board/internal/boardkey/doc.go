// Package boardkey makes the keys under which boards are stored: the keys of their sets, and their private keys.
//
// It is the only package that puts such keys together and takes them apart. Stored keys never change their form.
//
// # Where things are
//
//	keys.go     Key: the key of a set
//	private.go  private keys
package boardkey
