package jsondoc

import (
	"math"
	"testing"
)

func TestNumbersAsECMAScript(t *testing.T) {
	// Bit patterns and texts of RFC 8785, appendix B.
	for bits, want := range map[uint64]string{
		0: "0", 0x8000000000000000: "0", 1: "5e-324", 0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308", 0x4340000000000000: "9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22", 0x44b52d02c7e14af6: "1e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef50: "1e+21", 0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7", 0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0xbecbf647612f3696: "-0.0000033333333333333333", 0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		if got := Number(math.Float64frombits(bits)); got != want {
			t.Errorf("%x is %s, want %s", bits, got, want)
		}
	}
	for in, want := range map[float64]float64{
		1.23456789012: 1.23456789, 1.234567896e-7: 1.2345679e-7, 123456789.4: 123456789, 999999999.5: 1e9,
		12345678949: 12345678900, -0.1: -0.1, 360: 360,
	} {
		if got := Round9(in); got != want || Round9(got) != got {
			t.Errorf("Round9(%v) is %v, want %v", in, got, want)
		}
	}
}
