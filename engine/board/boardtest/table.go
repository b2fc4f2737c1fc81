package boardtest

// commands are all commands by name.
var commands = allCommands()

func allCommands() map[string]*command {
	all := map[string]*command{
		"now":          {parse: parseNow},
		"reopen":       {parse: parseRestart(Backend.Reopen)},
		"kill":         {parse: parseRestart(Backend.Kill)},
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
		"union":        {parse: parseUnion},
		"storeunion":   {parse: parseStoreUnion, writes: true},
		"dropunion":    {parse: parseDropUnion, writes: true},
		"keep":         {parse: parseKeep},
		"page":         {parse: parsePage},
		"deliver":      {parse: parseDeliver, writes: true},
		"settle":       {parse: parseSettle},
		"claim":        {parse: parseClaim, writes: true},
		"withhold":     {parse: parseWithhold, writes: true},
		"release":      {parse: parseRelease, writes: true},
		"revert":       {parse: parseRevert, writes: true},
		"correct":      {parse: parseCorrect, writes: true},
		"ban":          {parse: parseModeration(Board.Ban), writes: true},
		"unban":        {parse: parseModeration(unban), writes: true},
		"hide":         {parse: parseModeration(Board.Hide), writes: true},
		"show":         {parse: parseModeration(Board.Show), writes: true},
		"erase":        {parse: parseModeration(Board.Erase), writes: true},
		"rename":       {parse: parseMove(Board.Rename), writes: true},
		"merge":        {parse: parseMove(Board.Merge), writes: true},
		"resettle":     {parse: parseResettle, writes: true},
	}
	for name, parse := range reads {
		all[name] = &command{parse: parse, reads: true}
	}
	return all
}

// reads are the commands that only read.
var reads = map[string]func(a *args) action{
	"top":          parseRead(parseTop),
	"rank":         parseRead(parseRank),
	"score":        parseRead(parseScore),
	"places":       parseRead(parsePlaces),
	"around":       parseRead(parseAround),
	"aroundscore":  parseRead(parseAroundScore),
	"between":      parseRead(parseBetween),
	"count":        parseRead(parseCount),
	"rankof":       parseRead(parseRankOf),
	"among":        parseRead(parseAmong),
	"percentile":   parseRead(parsePercentile),
	"atpercentile": parseRead(parseAtPercentile),
	"histogram":    parseRead(parseHistogram),
	"gap":          parseRead(parseGap),
	"card":         parseRead(parseCard),
	"arrows":       parseArrows,
	"info":         parseInfo,
	"periods":      parsePeriods,
	"reset":        parseReset,
	"nextchange":   parseNextChange,
	"deadline":     parseDeadline,
	"best":         parseBest,
	"baselines":    parseBaselines,
	"unions":       parseUnions,
	"awards":       parseAwards,
	"awardsof":     parseAwardsOf,
	"claimable":    parseClaimable,
	"settlements":  parseSettlements,
	"coins":        parseCoins,
	"journal":      parseJournal,
	"member":       parseMember,
	"audit":        parseAudit,
}
