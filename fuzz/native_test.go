package fuzz

import (
	"slices"
	"testing"
)

// fuzzLayers reads its input as one of the configurations of some layers, and a script from the mix of its layer.
func fuzzLayers(f *testing.F, layers ...string) {
	var configs []Config
	for _, c := range All() {
		if slices.Contains(layers, c.Layer) {
			configs = append(configs, c)
		}
	}
	for i := range configs {
		data := []byte{byte(i)}
		for j := range 300 {
			data = append(data, byte(j*j*7+j/3+i*31))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0 {
			c := configs[int(data[0])%len(configs)]
			check(t, []Config{c}, c.Decode(data[1:], 60))
		}
	})
}

// FuzzStructures fuzzes the structures below zset, as sorted sets.
func FuzzStructures(f *testing.F) { fuzzLayers(f, "listpack", "skiplist") }

// FuzzEngine fuzzes engines: transactions, whole sets, expiry, and what is left by kills and power cuts.
func FuzzEngine(f *testing.F) { fuzzLayers(f, "engine") }

// FuzzResp fuzzes servers, with a client that means well: any bytes are given to them by FuzzServer of server/resp.
func FuzzResp(f *testing.F) { fuzzLayers(f, "resp") }
