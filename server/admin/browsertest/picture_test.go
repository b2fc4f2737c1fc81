package browsertest

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
)

// colours is how many colours a picture keeps.
const colours = 64

// small returns a PNG with few colours, which looks the same: pages are a few flat colours, and the edges of letters.
func small(data []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	picture := image.NewPaletted(full.Bounds(), palette(full))
	nearest := map[color.RGBA]uint8{}
	for y := full.Bounds().Min.Y; y < full.Bounds().Max.Y; y++ {
		for x := full.Bounds().Min.X; x < full.Bounds().Max.X; x++ {
			c := rgba(full.At(x, y))
			i, ok := nearest[c]
			if !ok {
				i = uint8(picture.Palette.Index(c))
				nearest[c] = i
			}
			picture.SetColorIndex(x, y, i)
		}
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture)
	return b.Bytes(), err
}

func rgba(c color.Color) color.RGBA { return color.RGBAModel.Convert(c).(color.RGBA) }

// palette returns the colours of a picture that are the most frequent, and far enough from each other.
func palette(full image.Image) color.Palette {
	count := map[color.RGBA]int{}
	for y := full.Bounds().Min.Y; y < full.Bounds().Max.Y; y++ {
		for x := full.Bounds().Min.X; x < full.Bounds().Max.X; x++ {
			count[rgba(full.At(x, y))]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var p color.Palette
	for apart := 24; apart >= 0 && len(p) < colours; apart -= 8 {
		for _, c := range all {
			if len(p) < colours && (len(p) < 16 && apart == 24 || far(p, c, apart)) {
				p = append(p, c)
			}
		}
	}
	return p
}

// far reports whether a colour is that far from those of a palette.
func far(p color.Palette, c color.RGBA, apart int) bool {
	for _, x := range p {
		x := x.(color.RGBA)
		if max(abs(int(x.R)-int(c.R)), abs(int(x.G)-int(c.G)), abs(int(x.B)-int(c.B))) <= apart {
			return false
		}
	}
	return true
}

func abs(n int) int { return max(n, -n) }
