package boardkey

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// Private keys begin with a name and a zero byte. Zero bytes separate their parts, which cannot contain any; the member comes last, which can.

// Spec returns the key of a board's spec, or the prefix of all of them without a name.
func Spec(name string) string { return "board.spec\x00" + name }

// Window returns the key of the time up to which a window is closed.
func Window(name, window string) string { return WindowPrefix(name) + window }

// WindowPrefix returns the prefix of the keys of Window: of a board, or of all without a name.
func WindowPrefix(name ...string) string { return "board.window\x00" + Join(name) }

// Record returns the key of the record of a closed period.
func Record(name, window, period string) string { return RecordPrefix(name, window) + period }

// RecordPrefix returns the prefix of the keys of Record: of a board, of a window of it, or of all.
func RecordPrefix(nameWindow ...string) string { return "board.period\x00" + Join(nameWindow) }

// Meta returns the key of the metadata of an entry.
func Meta(name, window, period, member string) string {
	return MetaPrefix(name, window, period) + member
}

// MetaPrefix returns the prefix of the keys of Meta: of a board, of a window of it, or of a period of that.
func MetaPrefix(nameWindowPeriod ...string) string {
	return "board.meta\x00" + Join(nameWindowPeriod)
}

// Kept returns the key of the results that the operator keeps for a member in a period.
func Kept(name, window, period, member string) string {
	return KeptPrefix(name, window, period) + member
}

// KeptPrefix returns the prefix of the keys of Kept: of a board, of a window of it, or of a period of that; or of all.
func KeptPrefix(nameWindowPeriod ...string) string { return "board.kept\x00" + Join(nameWindowPeriod) }

// Points returns the key of what is stored of the points of a member in a period of a derived board.
func Points(name, window, period, member string) string {
	return PointsPrefix(name, window, period) + member
}

// PointsPrefix returns the prefix of the keys of Points: of a board, of a window of it, or of a period of that; or of all.
func PointsPrefix(nameWindowPeriod ...string) string {
	return "board.points\x00" + Join(nameWindowPeriod)
}

// Layout returns the key of the layout of the parts of a period's ranking under a version of the board.
func Layout(name, window, period string, version int) string {
	return LayoutPrefix(name, window, period) + strconv.Itoa(version)
}

// LayoutPrefix returns the prefix of the keys of Layout: of a board, of a window of it, or of a period of that; or of all.
func LayoutPrefix(nameWindowPeriod ...string) string {
	return "board.parts\x00" + Join(nameWindowPeriod)
}

// ParseLayout takes the rest of a key of Layout behind LayoutPrefix() apart, and returns false for another text. O(length).
func ParseLayout(rest string) (name, window, period string, version int, ok bool) {
	list := strings.Split(rest, "\x00")
	if len(list) != 4 {
		return "", "", "", 0, false
	}
	version, err := strconv.Atoi(list[3])
	return list[0], list[1], list[2], version, err == nil
}

// Settlement returns the key of the settlement of a closed period.
func Settlement(name, window, period string) string {
	return SettlementPrefix(name, window) + period
}

// SettlementPrefix returns the prefix of the keys of Settlement: of a board, of a window of it, or of all.
func SettlementPrefix(nameWindow ...string) string { return "board.settlement\x00" + Join(nameWindow) }

// Cohorts returns the key that says that the cohorts of a closed period are not settled yet.
func Cohorts(name, window, period string) string { return CohortsPrefix(name, window) + period }

// CohortsPrefix returns the prefix of the keys of Cohorts: of a board, of a window of it, or of all.
func CohortsPrefix(nameWindow ...string) string { return "board.cohorts\x00" + Join(nameWindow) }

// Waiting returns the key of the number of awards of a period that wait.
func Waiting(name, window, period string) string { return WaitingPrefix(name, window) + period }

// WaitingPrefix returns the prefix of the keys of Waiting: of a board, of a window of it, or of all.
func WaitingPrefix(nameWindow ...string) string { return "board.waiting\x00" + Join(nameWindow) }

// Note returns the key of what is noted of a member's award: failures, or why it is withheld.
func Note(name, window, period, member string) string {
	return NotePrefix(name, window, period) + member
}

// NotePrefix returns the prefix of the keys of Note: of a board, of a window of it, or of a period of that; or of all.
func NotePrefix(nameWindowPeriod ...string) string { return "board.note\x00" + Join(nameWindowPeriod) }

// MemberID returns what stands for a member in the index of members: SHA-256 of its name, cut to 128 bits, as hexadecimal digits. O(length).
func MemberID(member string) string {
	sum := sha256.Sum256([]byte(member))
	return fmt.Sprintf("%x", sum[:16])
}

// Place returns the key of a member's place in a closed period, by the MemberID of the member.
func Place(name, id, window, period string) string {
	return PlacePrefix(name, id) + window + "\x00" + period
}

// PlacePrefix returns the prefix of the keys of Place: of a member of a board, of a board, or of all.
func PlacePrefix(nameID ...string) string { return "board.place\x00" + Join(nameID) }

// Ban returns the key of the ban of a member.
func Ban(name, member string) string { return BanPrefix(name) + member }

// BanPrefix returns the prefix of the keys of Ban: of a board, or of all.
func BanPrefix(name ...string) string { return "board.ban\x00" + Join(name) }

// Hide returns the key that says that a member is hidden.
func Hide(name, member string) string { return HidePrefix(name) + member }

// HidePrefix returns the prefix of the keys of Hide: of a board, or of all.
func HidePrefix(name ...string) string { return "board.hide\x00" + Join(name) }

// Watch returns the key that says that a member wants to hear of everybody who overtakes it.
func Watch(name, member string) string { return WatchPrefix(name) + member }

// WatchPrefix returns the prefix of the keys of Watch: of a board, or of all.
func WatchPrefix(name ...string) string { return "board.watch\x00" + Join(name) }

// ErasedBan returns the key of the ban of an erased member, by the salted hash of its name.
func ErasedBan(name, hash string) string { return ErasedBanPrefix(name) + hash }

// ErasedBanPrefix returns the prefix of the keys of ErasedBan: of a board, or of all.
func ErasedBanPrefix(name ...string) string { return "board.banned\x00" + Join(name) }

// Job returns the key of a change of closed periods that is in progress, by the number of its entry in the audit log.
func Job(name string, number uint64) string { return JobPrefix(name) + hex(number) }

// JobPrefix returns the prefix of the keys of Job: of a board, or of all.
func JobPrefix(name ...string) string { return "board.job\x00" + Join(name) }

// AuditCount returns the key of the number of entries that the audit log of a board has had.
func AuditCount(name string) string { return "board.audited\x00" + name + "\x00" }

// Audit returns the key of an entry of a board's audit log.
func Audit(name string, number uint64) string { return AuditPrefix(name) + hex(number) }

// AuditPrefix returns the prefix of the keys of Audit of a board.
func AuditPrefix(name string) string { return "board.audit\x00" + name + "\x00" }

// AuditPlaces returns the key of a part of the places that an entry of a board's audit log lists.
func AuditPlaces(name string, number, part uint64) string {
	return AuditPlacesPrefix(name, number) + hex(part)
}

// AuditPlacesPrefix returns the prefix of the keys of AuditPlaces: of an entry, or of a board.
func AuditPlacesPrefix(name string, number ...uint64) string {
	prefix := "board.audit.places\x00" + name + "\x00"
	for _, n := range number {
		prefix += hex(n) + "\x00"
	}
	return prefix
}

// AuditSalt is the key of what is hashed with the names of erased members.
const AuditSalt = "board.audit.salt"

// hex returns a number as 16 hexadecimal digits, which sort as the numbers do.
func hex(n uint64) string { return fmt.Sprintf("%016x", n) }

// Groups returns the key of what is stored of a kind of groups, or the prefix of all of them without a name.
func Groups(kind string) string { return "board.groups\x00" + kind }

// GroupCount returns the key of the number of groups that a kind has had.
func GroupCount(kind string) string { return "board.grouped\x00" + kind }

// Group returns the key of a group.
func Group(kind, group string) string { return GroupPrefix(kind) + group }

// GroupPrefix returns the prefix of the keys of Group: of a kind.
func GroupPrefix(kind string) string { return AllGroups + kind + "\x00" }

// AllGroups is the prefix of the keys of Group of all kinds.
const AllGroups = "board.group\x00"

// Joined returns the key that says which group of a kind a member is in.
func Joined(kind, member string) string { return JoinedPrefix(kind) + member }

// JoinedPrefix returns the prefix of the keys of Joined: of a kind.
func JoinedPrefix(kind string) string { return "board.joined\x00" + kind + "\x00" }

// Stays returns the key of the groups of a kind that a member has been in before, which closed periods need.
func Stays(kind, member string) string { return StaysPrefix(kind) + member }

// StaysPrefix returns the prefix of the keys of Stays: of a kind.
func StaysPrefix(kind string) string { return AllStays + kind + "\x00" }

// AllStays is the prefix of the keys of Stays of all kinds.
const AllStays = "board.stays\x00"

// Stayed returns the key that says that Stays of a member has a group, by the number of that.
func Stayed(kind string, group int64, member string) string {
	return StayedPrefix(kind, group) + member
}

// StayedPrefix returns the prefix of the keys of Stayed of a group.
func StayedPrefix(kind string, group int64) string {
	return "board.stayed\x00" + kind + "\x00" + hex(uint64(group)) + "\x00"
}

// Dissolved returns the key of a group that has been dissolved, by its number.
func Dissolved(kind string, group int64) string { return DissolvedPrefix(kind) + hex(uint64(group)) }

// DissolvedPrefix returns the prefix of the keys of Dissolved: of a kind.
func DissolvedPrefix(kind string) string { return AllDissolved + kind + "\x00" }

// AllDissolved is the prefix of the keys of Dissolved of all kinds.
const AllDissolved = "board.dissolved\x00"

// ParseDissolved returns the number of the group of a key of Dissolved without its prefix.
func ParseDissolved(rest string) (group int64, err error) { return strconv.ParseInt(rest, 16, 64) }

// FollowerCount returns the key of the number of derived boards of groups of a kind that there have been.
func FollowerCount(kind string) string { return "board.followers\x00" + kind }

// Since returns the key that says from when on a derived board knows who was in which group.
func Since(name string) string { return AllSince + name + "\x00" }

// AllSince is the prefix of the keys of Since of all boards.
const AllSince = "board.since\x00"

// Renamed returns the key of the number of the group that a member was in when a period of a derived board closed, if it has another name since.
func Renamed(name, window, period, member string) string {
	return RenamedPrefix(name, window, period) + member
}

// RenamedPrefix returns the prefix of the keys of Renamed: of a board, of a window of it, or of a period of that; or of all.
func RenamedPrefix(nameWindowPeriod ...string) string {
	return "board.renamed\x00" + Join(nameWindowPeriod)
}

// MemberLock returns the key of a set that there never is. A transaction that moves a member from one group to another has it locked.
func MemberLock(kind, member string) string { return "board.joins\x00" + kind + "\x00" + member }

// GroupLock returns the key of a set that there never is. A transaction that makes, changes or dissolves a group, or moves members of it, has it locked.
func GroupLock(kind, group string) string { return "board.founds\x00" + kind + "\x00" + group }

// Relocated returns the key that says where a board has left for, or the prefix of all of them without a name.
func Relocated(name string) string { return "board.relocated\x00" + name }

// Deletion returns the key of the intent to delete a board, a window of it, or a period of that; the rest is "". The value is the keys of a
// period's sets, see JoinKeys, or empty.
func Deletion(name, window, period string) string {
	return DeletionPrefix(name) + window + "\x00" + period
}

// DeletionPrefix returns the prefix of the keys of Deletion: of a board, or of all without a name.
func DeletionPrefix(name ...string) string { return "board.gone\x00" + Join(name) }

// JoinKeys returns the keys of sets as one value, with zero bytes between them.
func JoinKeys(keys []string) []byte { return []byte(strings.Join(keys, "\x00")) }

// SplitKeys is the inverse of JoinKeys.
func SplitKeys(value []byte) []string {
	if len(value) == 0 {
		return nil
	}
	return strings.Split(string(value), "\x00")
}

// Union returns the key of the record of a stored union, or the prefix of all of them without a name.
func Union(name string) string { return "board.union\x00" + name }

// UnionVersion is the key of the version that the next stored union gets.
const UnionVersion = "board.unions"

// Join joins parts of a private key, with a zero byte after each.
func Join(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "\x00") + "\x00"
}
