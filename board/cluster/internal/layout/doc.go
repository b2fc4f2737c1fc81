// Package layout says what package cluster stores of a board: the keys, the fields of hashes, and the stored forms of values. It reads and writes nothing itself. The scripts of
// packages commit and moving have the same letters and words as it.
//
// The keys are listed in the doc of package cluster. What they hold:
//
//	fence      dropped              the board was dropped
//	           moving               see Destination
//	           arrivals             the number of the last arrival, if the board has one partition
//	           t/WINDOW             up to when the window is closed, in microseconds after 1970
//	           p/WINDOW/PERIOD      the period has had members
//	           b/WINDOW/NAME        there is a baseline
//	records    WINDOW/PERIOD        the record of a closed period
//	standings  mMEMBER              letters: b banned, h hidden, w and a time: an operator's call holds the member until then
//	           eHASH                likewise of an erased member
//	audit      NUMBER               an entry
//	           NUMBER/places        its places
//	           last                 in the first partition, the last number
//	boards     NAME                 id, number of partitions and spec
//	           \0coming\0NAME       likewise of a board that comes from another store
//	           \0left\0NAME         id of a board that has left, and the address
//
// # Where things are
//
//	keys.go      Keys, partitions
//	text.go      texts of sorted sets
//	value.go     Value: what a hash has of a member
//	fence.go     fields of the fence and of the records
//	standing.go  Standing: what operators have said of a member
//	audit.go     entries of the audit log
//	catalog.go   Board: boards in the catalog
package layout
