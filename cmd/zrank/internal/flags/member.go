package flags

import (
	"strings"

	"github.com/zrankdb/zrank/internal/boardjson"
)

// MemberHelp is the help about the argument MEMBER.
const MemberHelp = `MEMBER is its bytes, UTF-8 or not, as $'\xff\xfe' in bash, or base64: and their base64url, as JSON has them; a MEMBER that begins with - stands
behind --. Tables escape what is not UTF-8 or moves the cursor, and write \ as \\. CSV has the bytes as they are.`

// ParseMember returns the name of a member or a group: its bytes, or those that "base64:" and base64url say. Errors: an Error.
func ParseMember(text string) (string, error) { return ParseName("MEMBER", text) }

// ParseName is ParseMember for an argument or a flag of another name.
func ParseName(argument, text string) (string, error) {
	if !strings.HasPrefix(text, "base64:") {
		return text, nil
	}
	var name boardjson.Text
	if err := name.UnmarshalText([]byte(text)); err != nil {
		return "", Errorf("%s is %q, want base64url behind base64:", argument, text)
	}
	return string(name), nil
}
