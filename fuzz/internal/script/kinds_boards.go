package script

// boardKinds are for one board, B. W is the name of a window. S and Z are scores: columns with commas between them. A is the time of a result,
// in seconds from now. U and V are small numbers.
var boardKinds = []kind{
	{"submit", "BPSAO", OnBoard, "member P's result, and its row in a live ranking then; O is nothing, or once=KEY, if=new, if=ranked, if=better, meta=TEXT"},
	{"batch", "BSUV", OnBoard | Alone, "the results of the U-th to the (V-1)-th member, now, in one commit"},
	{"remove", "BP", OnBoard, "a member, from all that takes results"},
	{"setmeta", "BWPX", OnBoard, "of an entry of the live period"},
	{"claim", "BPU", OnBoard, "member P claims its award of the (U/4)-th settled period from the newest, round and round, or the next member's if U%4 is 3; it is written down under Paid"},
	{"close", "BW", OnBoard | Alone, "the live period, by hand"},
	{"baseline", "BWY", OnBoard | Alone, "saves the live ranking under name Y"},
	{"unbase", "BWY", OnBoard | Alone, "drops it"},
	{"migrate", "BU", OnBoard | Alone, "to the board's U-th spec"},
	{"dropboard", "B", OnBoard | Alone, "drops the board, and defines it again with its first spec"},
	{"unite", "BWU", OnBoard | Alone, "stores the union of U/3+1 periods of the window, doubled, and the live period of the first, under the board's name"},
	{"united", "BWU", readsBoard, "that union, computed now"},
	{"stored", "B", readsBoard, "the stored union with the board's name"},
	{"place", "BWP", readsLive, "a member's row in the live ranking, rank in each mode, percentile, gap and best rank"},
	{"places", "BWUV", readsLive, "rows at places U to V of the live ranking"},
	{"pages", "BWU", readsLive, "the whole live ranking in pages of U rows"},
	{"around", "BWPU", readsLive, "U rows on each side of a member"},
	{"between", "BWSZ", readsLive, "rows with scores from S to Z, and the ranks of a new member with S"},
	{"ended", "BW", readsBoard, "the last closed period"},
	{"period", "BWU", readsBoard, "the U-th of the periods that hold anybody, from the newest, round and round"},
	{"base", "BWY", readsBoard, "a baseline"},
	{"board", "B", readsBoard, "everything"},
}
