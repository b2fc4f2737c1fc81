package fuzz

// Bug is a mistake that builds with -tags seeded can have, one at a time: see package seeded.
type Bug struct {
	Name  string // as asked for with seeded.Bug
	Layer string // where it is
}

// Bugs are those that a campaign of a minute must find. The list has been chosen by trying: 36 others of persist and engine are not
// on it. Six of those were looked for and not found; the rest were not tried with all operations that there are now. They have
// tests of their own beside the code, TestSeededBugs.
var Bugs = []Bug{
	{"an entry that moves up keeps the length of another", "listpack"},
	{"the last of the entries with a score is not compared", "listpack"},
	{"an entry at the end is compared without its tie", "listpack"},
	{"an entry of a new leaf is counted above it only", "skiplist"},
	{"higher links keep the first entry that a leaf had", "skiplist"},
	{"a frame that is widened rounds its pieces up", "skiplist"},
	{"a leaf does not hear of a new one before it", "skiplist"},
	{"a removal counts as passed where it ends", "members"},
	{"a freed record is given out twice", "members"},
	{"the move to a skiplist loses ties", "zset"},
	{"an interval of members begins with one that it leaves out", "zset"},
	{"minus zero is kept", "zset"},
	{"the end of the log is read without ties", "engine"},
	{"a transaction that fails is not rolled back", "engine"},
	{"reply before the log is flushed", "engine"},
	{"the facts lose what kind of scores a set has", "engine"},
	{"a renamed set keeps its old key in the snapshot", "engine"},
	{"an expired set is not dropped before its key is used again", "engine"},
	{"ack before sync", "persist"},
	{"base off by one", "persist"},
	{"publish early", "persist"},
	{"half a batch", "persist"},
	{"keep a changed page", "persist"},
	{"forget the directory sync", "persist"},
	{"a replaced page stays", "persist"},
	{"HWM ahead of the sync", "persist"},
	{"a late result counts in the live period", "board"},
	{"a score reached earlier by a late result stays behind", "board"},
	{"a period that was closed by hand takes results until it is opened again", "board"},
	{"a Once key is not kept if the first window stays as it is", "board"},
	{"a modified rank is the first of its score", "board"},
	{"an exclusive bound of scores is taken in", "resp"},
	{"ZREM counts members that are not there", "resp"},
}
