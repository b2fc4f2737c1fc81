package boardtest

// commands are all there are.
var commands = allCommands()

func allCommands() map[string]*command {
	all := map[string]*command{
		"now":          {parse: parseNow},
		"reopen":       {parse: restart(Backend.Reopen)},
		"kill":         {parse: restart(Backend.Kill)},
		"board":        {parse: parseBoard, writes: true},
		"use":          {parse: parseUse},
		"migrate":      {parse: parseMigrate, writes: true},
		"drop":         {parse: parseDrop},
		"submit":       {parse: parseSubmit, writes: true},
		"multiply":     {parse: parseMultiply, writes: true},
		"batch":        {parse: parseBatch, writes: true},
		"atonce":       {parse: parseAtOnce},
		"remove":       {parse: parseRemove, writes: true},
		"meta":         {parse: parseMeta, writes: true},
		"close":        {parse: parseClose, writes: true},
		"baseline":     {parse: parseBaseline, writes: true},
		"dropbaseline": {parse: parseDropBaseline, writes: true},
		"pin":          {parse: parsePin},
		"keep":         {parse: parseKeep},
		"page":         {parse: parsePage},
	}
	for name, parse := range reads {
		all[name] = &command{parse: parse, reads: true}
	}
	return all
}

// reads are the commands that only read.
var reads = map[string]func(a *args) action{
	"top":          looks(parseTop),
	"rank":         looks(parseRank),
	"score":        looks(parseScore),
	"places":       looks(parsePlaces),
	"around":       looks(parseAround),
	"aroundscore":  looks(parseAroundScore),
	"between":      looks(parseBetween),
	"count":        looks(parseCount),
	"rankof":       looks(parseRankOf),
	"among":        looks(parseAmong),
	"percentile":   looks(parsePercentile),
	"atpercentile": looks(parseAtPercentile),
	"histogram":    looks(parseHistogram),
	"gap":          looks(parseGap),
	"card":         looks(parseCard),
	"arrows":       parseArrows,
	"info":         parseInfo,
	"periods":      parsePeriods,
	"reset":        parseReset,
	"deadline":     parseDeadline,
	"best":         parseBest,
	"baselines":    parseBaselines,
}
