## A client of zrank's HTTP API for Godot 4: one file without dependencies. Copy it into your project and add it as a node or an autoload.
##
##     var zrank := Zrank.new("https://scores.example", token) # the token of a player; never ship a server key inside a game
##     add_child(zrank)
##     var answer := await zrank.top("arena", "week", 10)
##     if answer.ok():
##         for row in answer.data.rows: print(row.rank, " ", row.member, " ", Zrank.exact(row)[0])
##     else: print(answer.code)
##
## Every call returns an Answer: GDScript has no exceptions. A request is sent again, after a pause that grows, if the server could not be reached, was too slow or
## answered 429, 502, 503 or 504. Only reads are, and submissions, which carry a key that the server counts once.
##
## JSON numbers are floats in Godot: exact returns a row's score as ints, from scoreText where a float would not do. Scores that are sent may be ints, or strings.
## A name that is no UTF-8, or begins with "base64:", is "base64:" and base64url.
##
## Godot's HTTPRequest reads whole answers only, so that the feed is polled: poll_events returns what has happened behind a position.
##
## Routes are URI templates (RFC 6570), which a test of zrank looks up in the server's OpenAPI document. No test has run this file: see README.md.
class_name Zrank
extends Node

## What a call has answered.
class Answer:
	var status := 0 ## 0: there was no answer
	var code := "" ## of the problem; no_answer, timeout or http without one; "" if all is well
	var data: Variant ## the body: a Dictionary, or a String if it is no JSON
	var retry_after := 0.0 ## seconds

	func ok() -> bool:
		return code == ""

	func temporary() -> bool:
		return status in [0, 429, 502, 503, 504]

var url: String
var key: String
var timeout := 10.0 ## seconds for one try
var retries := 4
var first_pause := 0.2 ## seconds
var longest_pause := 10.0 ## seconds; a Retry-After of more ends the tries

func _init(server := "", credentials := "") -> void:
	url = server.trim_suffix("/")
	key = credentials

func boards() -> Answer:
	return await call_api("GET /v1/boards", {})

## Submits a result to all windows. more: at, meta, windows, skill, if, near, overtaken. once: the Idempotency-Key; "": a random one.
func submit(board: String, member: String, score: Variant, more := {}, once := "") -> Answer:
	return await call_api("POST /v1/boards/{board}/scores", {"board": board}, _submission(member, score, more), _key(once))

## Submits a result and answers only whether that changed anything.
func apply(board: String, member: String, score: Variant, more := {}, once := "") -> Answer:
	return await call_api("POST /v1/boards/{board}/scores/apply", {"board": board}, _submission(member, score, more), _key(once))

## Submits several results in one commit: all or none. Each is a Dictionary with member and score; those without once get a key.
func batch(board: String, submissions: Array) -> Answer:
	for s in submissions:
		s["once"] = _key(s.get("once", ""))
	return await call_api("POST /v1/boards/{board}/scores/batch", {"board": board}, {"submissions": submissions}, "", true)

## Submits the result of a ticket that the game server has issued: the way by which players submit. It counts once.
func redeem_ticket(board: String, ticket: String) -> Answer:
	return await call_api("POST /v1/boards/{board}/tickets/redeem", {"board": board}, {"ticket": ticket}, "", true)

func issue_ticket(board: String, member: String, score: Variant) -> Answer:
	return await call_api("POST /v1/boards/{board}/tickets", {"board": board}, {"member": member, "score": score})

## The reads of rankings. select: period, which (closed, latest), at, baseline, asOf, mode; empty: the live ranking.
func top(board: String, window: String, n := 10, select := {}) -> Answer:
	return await _read("top{?n}", board, window, {"n": n}, select)

func places(board: String, window: String, first: int, last: int, select := {}) -> Answer:
	return await _read("places{?first,last}", board, window, {"first": first, "last": last}, select)

## The row of a member. code not_ranked: it has none.
func rank(board: String, window: String, member: String, select := {}) -> Answer:
	return await _read("rank{?member}", board, window, {"member": member}, select)

func around(board: String, window: String, member: String, each := 2, select := {}) -> Answer:
	return await _read("around{?member,each}", board, window, {"member": member, "each": each}, select)

## The first rows, those around a member and the number of members, of one moment.
func card(board: String, window: String, member: String, n := 10, each := 2, select := {}) -> Answer:
	return await _read("card{?member,top,each}", board, window, {"member": member, "top": n, "each": each}, select)

## A page: rows, next, done. cursor is next of the page before.
func page(board: String, window: String, n := 100, cursor := "", select := {}) -> Answer:
	return await _read("page{?cursor,n}", board, window, {"cursor": cursor, "n": n}, select)

## The rows of some members, such as friends, with their ranks among themselves.
func among(board: String, window: String, members: Array) -> Answer:
	return await call_api("POST /v1/boards/{board}/windows/{window}/among", {"board": board, "window": window}, {"members": members}, "", true)

## The rows of a group's members on a board.
func among_group(kind: String, group: String, board: String, window: String) -> Answer:
	return await call_api("GET /v1/groups/{kind}/group/among{?group,board,window}", {"kind": kind, "group": group, "board": board, "window": window})

func periods(board: String, window: String) -> Answer:
	return await call_api("GET /v1/boards/{board}/windows/{window}/periods", {"board": board, "window": window})

## When the next period begins: at.
func reset(board: String, window: String) -> Answer:
	return await call_api("GET /v1/boards/{board}/windows/{window}/reset", {"board": board, "window": window})

func awards(board: String, member: String) -> Answer:
	return await call_api("GET /v1/boards/{board}/awards{?member}", {"board": board, "member": member})

func claimable(board: String, member: String) -> Answer:
	return await call_api("GET /v1/boards/{board}/claimable{?member}", {"board": board, "member": member})

## Grants an award to its member, once.
func claim(board: String, member: String, id: String) -> Answer:
	return await call_api("POST /v1/boards/{board}/awards/claim", {"board": board}, {"member": member, "id": id})

func ban(board: String, member: String, reason := "") -> Answer:
	return await call_api("POST /v1/boards/{board}/moderation/ban", {"board": board}, {"member": member, "reason": reason})

func unban(board: String, member: String, reason := "") -> Answer:
	return await call_api("POST /v1/boards/{board}/moderation/unban", {"board": board}, {"member": member, "reason": reason})

## The events behind a position that are there: data.events. after: the position of the last event that was seen, or oldest. A player must name itself as member.
func poll_events(after := "oldest", filter := {}) -> Answer:
	var parameters := {"after": after, "wait": "false"}
	parameters.merge(filter)
	var answer := await call_api("GET /v1/events{?boards,windows,member,kinds,after,wait}", parameters)
	if not answer.ok():
		return answer
	var events := []
	for block in str(answer.data).split("\n\n", false):
		var kind := ""
		for line in block.split("\n"):
			if line.begins_with("event: "):
				kind = line.substr(7)
			elif line.begins_with("data: "):
				var event: Variant = JSON.parse_string(line.substr(6))
				if kind == "error": # such as fell_behind: read the rankings anew
					answer.code = event.code
					answer.status = int(event.status)
				else:
					events.append(event)
	answer.data = {"events": events}
	return answer

## The score of a row as ints; a float where a column is no integer, null where it is absent.
static func exact(row: Dictionary) -> Array:
	var numbers := []
	for i in row.score.size():
		var text := str(row.scoreText[i]) if row.has("scoreText") else ""
		if text.is_valid_int():
			numbers.append(text.to_int())
		elif row.score[i] is float and row.score[i] == floor(row.score[i]):
			numbers.append(int(row.score[i]))
		else:
			numbers.append(row.score[i])
	return numbers

## Any operation: "METHOD /path{?query}", the values of its parameters, its body.
func call_api(route: String, parameters: Dictionary, body: Variant = null, once := "", safe := false) -> Answer:
	safe = safe or once != "" or route.begins_with("GET ")
	var tries := 0
	while true:
		var answer := await _once(route, parameters, body, once)
		if answer.ok() or not answer.temporary() or not safe or tries >= retries or answer.retry_after > longest_pause:
			return answer
		var pause := minf(first_pause * pow(2, tries), longest_pause) * randf_range(0.5, 1.0)
		await get_tree().create_timer(maxf(pause, answer.retry_after)).timeout
		tries += 1
	return null # not reached

func _read(rest: String, board: String, window: String, more: Dictionary, select: Dictionary) -> Answer:
	var parameters := {"board": board, "window": window}
	parameters.merge(more)
	parameters.merge(select)
	var parts := rest.split("{?")
	return await call_api("GET /v1/boards/{board}/windows/{window}/" + parts[0] + "{?mode,period,which,at,baseline,asOf," + parts[1], parameters)

func _submission(member: String, score: Variant, more: Dictionary) -> Dictionary:
	var submission := {"member": member, "score": score}
	submission.merge(more)
	return submission

func _key(once: String) -> String:
	return once if once != "" else Crypto.new().generate_random_bytes(16).hex_encode()

func _once(route: String, parameters: Dictionary, body: Variant, once: String) -> Answer:
	var method := route.get_slice(" ", 0)
	var parts := route.substr(method.length() + 1).split("{?")
	var path := parts[0]
	for parameter in parameters:
		path = path.replace("{" + str(parameter) + "}", str(parameters[parameter]).uri_encode())
	if parts.size() > 1:
		var query := PackedStringArray()
		for parameter in parts[1].trim_suffix("}").split(","):
			if str(parameters.get(parameter, "")) != "":
				query.append(parameter + "=" + str(parameters[parameter]).uri_encode())
		if query.size() > 0:
			path += "?" + "&".join(query)
	var headers := PackedStringArray()
	if key != "":
		headers.append("Authorization: Bearer " + key)
	if once != "":
		headers.append("Idempotency-Key: " + once)
	if body != null:
		headers.append("Content-Type: application/json")
	var methods := {"GET": HTTPClient.METHOD_GET, "PUT": HTTPClient.METHOD_PUT, "POST": HTTPClient.METHOD_POST, "DELETE": HTTPClient.METHOD_DELETE}
	var request := HTTPRequest.new()
	request.timeout = timeout
	add_child(request)
	var answer := Answer.new()
	if request.request(url + path, headers, methods[method], "" if body == null else JSON.stringify(body)) == OK:
		var result: Array = await request.request_completed
		_fill(answer, result)
	else:
		answer.code = "no_answer"
	request.queue_free()
	return answer

func _fill(answer: Answer, result: Array) -> void:
	if result[0] != HTTPRequest.RESULT_SUCCESS:
		answer.code = "timeout" if result[0] == HTTPRequest.RESULT_TIMEOUT else "no_answer"
		return
	answer.status = result[1]
	var text: String = result[3].get_string_from_utf8()
	var json := JSON.new()
	answer.data = json.data if text != "" and json.parse(text) == OK else text
	for header in result[2]:
		if header.to_lower().begins_with("retry-after:"):
			answer.retry_after = header.get_slice(":", 1).to_float()
	if answer.status >= 400:
		answer.code = answer.data.get("code", "http") if answer.data is Dictionary else "http"
