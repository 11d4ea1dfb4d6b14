package scenario

import "hadarlab/core/model"

// catalogue holds what is known of GPU types without being told: board power, on-demand price of
// one GPU (2026), memory, single-precision rate. Sources and licences stand in DATA.md. A K80 is
// one of the board's two dies. Sorted by name.
var catalogue = []model.GPUType{
	{Name: "a100", Watts: 400, USDPerHour: 2.74, MemoryGiB: 40, FP32TFLOPS: 19.5},
	{Name: "a100-80", Watts: 400, USDPerHour: 3.43, MemoryGiB: 80, FP32TFLOPS: 19.5},
	{Name: "a10g", Watts: 150, USDPerHour: 1.006, MemoryGiB: 24, FP32TFLOPS: 31.2},
	{Name: "h100", Watts: 700, USDPerHour: 6.88, MemoryGiB: 80, FP32TFLOPS: 67},
	{Name: "h200", Watts: 700, USDPerHour: 7.57, MemoryGiB: 141, FP32TFLOPS: 67},
	{Name: "k80", Watts: 150, USDPerHour: 0.90, MemoryGiB: 12, FP32TFLOPS: 4.1},
	{Name: "l4", Watts: 72, USDPerHour: 0.8048, MemoryGiB: 24, FP32TFLOPS: 30.3},
	{Name: "p100", Watts: 250, USDPerHour: 2.07, MemoryGiB: 16, FP32TFLOPS: 9.3},
	{Name: "rtx-a2000", Watts: 70, USDPerHour: 0.12, MemoryGiB: 6, FP32TFLOPS: 7.99},
	{Name: "rtx3090", Watts: 350, USDPerHour: 0.25, MemoryGiB: 24, FP32TFLOPS: 35.6},
	{Name: "t4", Watts: 70, USDPerHour: 0.526, MemoryGiB: 16, FP32TFLOPS: 8.1},
	{Name: "t400", Watts: 30, USDPerHour: 0.03, MemoryGiB: 4, FP32TFLOPS: 1.09},
	{Name: "titan-rtx", Watts: 280, USDPerHour: 0.30, MemoryGiB: 24, FP32TFLOPS: 16.3},
	{Name: "v100", Watts: 300, USDPerHour: 3.06, MemoryGiB: 16, FP32TFLOPS: 15.7},
}

// Catalogue is a copy of the catalogue, sorted by name.
func Catalogue() []model.GPUType { return append([]model.GPUType(nil), catalogue...) }

// PriceGuessed says that a type's price is our guess, since no cloud was found that lets it.
func PriceGuessed(name string) bool {
	return name == "rtx-a2000" || name == "t400" || name == "titan-rtx"
}

// CatalogueType is what the catalogue knows of a type of GPU: nothing but the name, and false, of one it does not list.
func CatalogueType(name string) (model.GPUType, bool) {
	for _, t := range catalogue {
		if t.Name == name {
			return t, true
		}
	}
	return model.GPUType{Name: name}, false
}
