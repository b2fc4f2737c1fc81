package fuzz

// Bug is a mistake that builds with -tags seeded can have, one at a time: see package seeded.
type Bug struct {
	Name  string // as asked for with seeded.Bug
	Layer string // where it is
}

// Bugs are those that a campaign must find. The others of persist and engine are about what no reply shows, such as a file that is
// damaged or a backup: their own tests prove that they are noticed.
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
}
