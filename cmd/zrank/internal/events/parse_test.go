package events

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2010-07-11T20:45:00Z":           "2010-07-11T20:45:00Z",
		"2010-07-11T20:45:00.25+02:00":   "2010-07-11T18:45:00.25Z",
		"0":                              "1970-01-01T00:00:00Z",
		"-0":                             "1970-01-01T00:00:00Z",
		"1500000000":                     "2017-07-14T02:40:00Z",
		"1500000000.000000001":           "2017-07-14T02:40:00.000000001Z",
		"1500000000.0000000019":          "2017-07-14T02:40:00.000000001Z",
		"1500000000123":                  "2017-07-14T02:40:00.123Z",
		"1500000000123.5":                "2017-07-14T02:40:00.1235Z",
		"-1.5":                           "1969-12-31T23:59:58.5Z",
		"-1500000000":                    "1922-06-20T21:20:00Z",
		"-1500000000001":                 "1922-06-20T21:19:59.999Z",
		"99999999999":                    "5138-11-16T09:46:39Z",
		"100000000000":                   "1973-03-03T09:46:40Z",
		"-99999999999":                   "outside",
		"-62167219200":                   "0000-01-01T00:00:00Z",
		"-62167219201":                   "outside",
		"-100000000000":                  "1966-10-31T14:13:20Z",
		"253402300799999":                "9999-12-31T23:59:59.999Z",
		"253402300800000":                "outside",
		"1500000000123456":               "outside",
		"0000-01-01T00:00:00+01:00":      "outside",
		"0001-01-01T00:00:00Z":           "zero time",
		"":                               "missing",
		"-":                              "neither",
		"+5":                             "neither",
		".5":                             "neither",
		"5.":                             "neither",
		"1e9":                            "neither",
		" 5":                             "neither",
		"99999999999999999999":           "neither",
		"2010-07-11":                     "neither",
		"2010-07-11 20:45:00":            "neither",
		"2010-02-30T20:45:00Z":           "neither",
		"2010-07-11T20:45:00":            "neither",
		"٥":                              "neither",
		"2010-07-11T20:45:00Z and so on": "neither",
	} {
		t.Run(text, func(t *testing.T) {
			got, reason := parseTime(text)
			if reason != "" {
				require.Contains(t, reason, want)
				return
			}
			require.Equal(t, want, got.Format(time.RFC3339Nano))
			require.Equal(t, time.UTC, got.Location())
		})
	}
}

// Every way to write one moment reads as that moment.
func TestParseTimeForms(t *testing.T) {
	properties := gopter.NewProperties(nil)
	const year9999 = 253402300799999
	properties.Property("milliseconds", prop.ForAll(func(ms int64) bool {
		want := time.UnixMilli(ms)
		forms := []string{want.UTC().Format(time.RFC3339Nano)}
		if ms <= -millisFrom || ms >= millisFrom {
			forms = append(forms, strconv.FormatInt(ms, 10))
		}
		if sec := ms / 1000; sec > -millisFrom && sec < millisFrom {
			sign := ""
			if ms < 0 {
				sign, ms = "-", -ms
			}
			forms = append(forms, fmt.Sprintf("%s%d.%03d", sign, ms/1000, ms%1000))
		}
		for _, form := range forms {
			if got, reason := parseTime(form); reason != "" || !got.Equal(want) {
				t.Logf("%s: %v %s, want %v", form, got, reason, want)
				return false
			}
		}
		return true
	}, gen.OneGenOf(gen.Int64Range(-62167219200000, year9999), gen.Int64Range(-2*millisFrom, 2*millisFrom))))
	properties.TestingRun(t)
}

func TestParseValue(t *testing.T) {
	for text, want := range map[string]string{
		"22": "22", "-3.25": "-3.25", "+1": "1", "1e21": "1e+21", ".5": "0.5", "-0": "0", "-0.0": "0.0", "1e-400": "0.0", "22.0": "22.0", "9223372036854775807": "9223372036854775807",
		"9007199254740993": "9007199254740993", "9223372036854775808": "out of range",
		"": "missing", "NaN": "not finite", "Inf": "not finite", "-infinity": "not finite", "1e309": "out of range",
		"0x10": "not a number", "1_000": "not a number", "1,5": "not a number", " 1": "not a number", "ten": "not a number",
	} {
		t.Run(text, func(t *testing.T) {
			got, reason := parseValue("delta", text)
			if reason != "" {
				require.Contains(t, reason, want)
				require.Contains(t, reason, "delta")
				return
			}
			require.Equal(t, want, got.String())
		})
	}
}

func TestQuote(t *testing.T) {
	require.Equal(t, `"a\x1b\n"`, quote("a\x1b\n"))
	long := quote(string(make([]byte, 59)) + "é and much more")
	require.Contains(t, long, `\x00"...`, "no character is cut in two")
}
