// Package boardkey makes the keys under which boards are stored: the keys of their sets, and their private keys.
//
// It is the only package that puts such keys together and takes them apart. Stored keys never change their form.
//
// The sets of boards have keys board/<name>/<kind>/<period>/v<version>: see Key. A stored union belongs to no board: its set has the key
// board.union/<name>/v<version>, and its record, which names that version, the private key board.union, a zero byte and the name.
//
// # Where things are
//
//	keys.go     Key: the key of a set; PartKind
//	private.go  private keys
package boardkey
