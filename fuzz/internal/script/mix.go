package script

import (
	"slices"
	"strconv"
	"strings"
)

// mixes lists the kinds to draw from, by layer; a kind that is listed twice is drawn twice as often. "" is for layers without a mix.
var mixes = map[string][]string{
	"":         mix(everyday + wholeSets),
	"zset":     mix(everyday),
	"listpack": mix(everyday),
	"skiplist": mix(everyday),
	boardLayer: boardMix,
}

// boardLayer is the layer of leaderboards.
const boardLayer = "board"

const (
	everyday = "16 add 12 commit 8 addt incr rem 4 fill put 3 begin rank addif 2 incrif drain remrange popmin popmax score range 1 len" +
		" revrange count lex lexpage revlexpage remlex dump del get scan keys rollback panic snapshot flush reopen "
	wholeSets = "2 expire 1 drop rename copy persist expiry stat expect absent union inter diff rangestore clone common" +
		" delete renamenx clear sleep evict preload listpack check backup restore salvage compact kill cut plant "
)

// mix reads a list of kinds. A number is the weight of the kinds after it.
func mix(text string) (list []string) {
	times := 1
	for _, word := range strings.Fields(text) {
		if n, err := strconv.Atoi(word); err == nil {
			times = n
		} else {
			list = append(list, slices.Repeat([]string{word}, times)...)
		}
	}
	return list
}

func mixOf(layer string) []string {
	if list, ok := mixes[layer]; ok {
		return list
	}
	return mixes[""]
}

// boardMix is the mix for boards.
var boardMix = mix("36 submit 6 batch commit sleep claim 5 revert 3 unban show ban hide renamed merge erase remove setmeta place between 2 begin league close withhold release resettle baseline places pages around ended period base board unite united member journal" +
	" 1 settier stored unbase migrate dropboard rollback panic add addt rem put del get scan keys rank snapshot flush reopen kill cut plant evict check compact")
