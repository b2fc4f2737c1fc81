package flags

import (
	"encoding/hex"

	"github.com/spf13/cobra"
)

// MemberHelp is the help about the argument MEMBER.
const MemberHelp = `MEMBER is its bytes, UTF-8 or not, as $'\xff\xfe' in bash; a MEMBER that begins with - stands behind --. With --hex it is
their hexadecimal digits. Tables escape what is not UTF-8 or moves the cursor, and write \ as \\. CSV has the bytes as they are. JSON has
memberHex beside member where the bytes are not UTF-8.`

// Hex adds --hex.
func Hex(c *cobra.Command, inHex *bool) {
	c.Flags().BoolVar(inHex, "hex", false, "MEMBER is in hexadecimal, two digits a byte, as memberHex of --format json")
}

// ParseMember parses the argument MEMBER. Errors: an Error, if inHex is set and the text is not hexadecimal.
func ParseMember(text string, inHex bool) (string, error) {
	if !inHex {
		return text, nil
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return "", Errorf("MEMBER is %q with --hex, want two hexadecimal digits a byte", text)
	}
	return string(b), nil
}
