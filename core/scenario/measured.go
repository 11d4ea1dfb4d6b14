package scenario

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
)

// gavelSpeeds are steps per second of the 26 job types measured for Gavel (OSDI 2020), to 4 digits:
// model, batch (0 = none), then for k80, p100 and v100 the speeds of gangs of 1, 2, 4 and 8 on one
// node, or of one GPU only where the model is not distributed. Source and licence stand in DATA.md.
const gavelSpeeds = `resnet-18 16 4.795/8.758/16.12/26.92 35.87/60.91/94.32/130.1 32.35/100.1/123.9/382.6
resnet-18 32 7.176/13.18/22.53/43.92 35.83/57.52/97.04/142 29.95/94.25/114.7/340
resnet-18 64 7.052/12.5/21.63/42.64 22.3/41.48/74.99/120 24.09/74.14/95.59/255.8
resnet-18 128 1.807/3.631/6.982/13.66 11.68/24.23/45.35/85.08 17.99/23.99/69.95/162.1
resnet-18 256 0.8856/1.674/3.405/6.975 7.723/14.23/27.73/53.96 10.3/15.88/27.78/81.51
resnet-50 16 2.301/4.301/7.704/15.06 9.053/16.19/30.8/44.76 11.4/13.86/23.2/27.8
resnet-50 32 1.237/2.353/4.379/8.792 4.888/9.749/18.55/33.57 7.787/10.83/13.76/24.07
resnet-50 64 0.619/1.264/2.412/4.569 2.619/5.516/10.36/18.22 4.395/7.922/9.452/17.3
resnet-50 128 0.3472/0/0/0 1.584/2.881/5.191/9.935 2.497/4.223/7.029/10.29
transformer 16 5.467/7.047/10.27/18.62 9.537/14.31/21.23/29.02 11.06/14.15/20.08/71.65
transformer 32 3.507/5.097/7.985/13.91 7.869/11.22/18.16/26.22 10.62/13.33/22.82/63.98
transformer 64 1.752/3.063/5.031/8.976 5.092/7.887/13.31/19.94 8.618/15.88/19.66/49.65
transformer 128 0.9816/1.657/2.865/5.257 3.074/5.087/8.774/13.68 5.446/10.07/14.17/30.88
transformer 256 0.4583/0.8492/1.513/2.923 1.678/2.941/5.243/9.253 1.595/2.885/4.763/9.717
lm 5 25.49/32.39/44.09/76.86 90.78/76.92/110.2/133.5 109.2/185.7/126.7/698.8
lm 10 23.79/29.98/42.96/75.57 77.08/72.53/105.2/127.8 81.65/163.1/121.5/615.1
lm 20 17.14/23.77/35.7/61.45 58.17/62.33/93.81/116.6 64.74/132.2/111/497.3
lm 40 11.5/16.07/22.99/43.15 35.77/48.04/76.05/102.2 45.24/91.59/96.03/359.3
lm 80 6.054/10.01/16.39/28.29 21.16/31.84/55/82.93 28.24/58.09/74.81/231.2
recommendation 512 32.86 48.88 23.32
recommendation 1024 20.05 30.74 13.28
recommendation 2048 10.44 16.6 7.47
recommendation 4096 5.3 8.897 3.906
recommendation 8192 2.699 5.548 2.842
a3c 0 3.439 5.681 7.176
cyclegan 0 0.5048 2.403 4.426`

const gavelSource = "Gavel, measured"

// modernTypes are the types of modernSpeeds, in its order.
var modernTypes = [...]string{"v100", "a100", "a100-80", "h100", "h200", "rtx3090"}

// modernSpeeds are examples per second in mixed precision, as Lambda measured them from 2021 to 2025: model, batch (the
// examples of a step; measured was what fits a GPU), then for each of modernTypes gangs of 1, 2, 4 and 8 on one node,
// - where none was measured. The figures of bert-base on eight GPUs are left out: they are over twice those on four.
// Source and licence stand in DATA.md.
const modernSpeeds = `ssd-fp16 128 229/440/871/1715 395 458/884/1766/3360 859/1707/3407/6763 946/-/-/7253 236/459
bert-base-fp16 64 189/340/637 368 443/815/1654 858/1662/3373 932 172/327
bert-large-fp16 32 57/87/157/286 117 152/246/488/746 311/603/1218/2340 350/-/-/2674 52/89
resnet-50-fp16 256 833/1571/3107/6174 1396 1582/3038/6070/11439 2791/5531/11057/22059 3079/-/-/24479 905/1751`

// Measured are the built-in rows of measured throughputs, with what they say about types of GPU: 26 models of the Gavel
// project on k80, p100 and v100, and four in mixed precision on newer types (DATA.md). Rows that say nothing about
// types are left out. Spread gangs run as on one node, as in Gavel's own simulations.
func Measured(types []string) []Row { return append(measuredRows(types), modernRows(types)...) }

// modernRows are those of newer types. A gang that was not measured is as fast as its GPUs one by one, which those that
// were come within a few per cent of.
func modernRows(types []string) (rows []Row) {
	for line := range strings.SplitSeq(modernSpeeds, "\n") {
		part := strings.Split(line, " ")
		r := Row{Model: part[0], PerGPU: map[string]float64{}, Gang: map[string]map[string]float64{},
			Source: "Lambda, measured in mixed precision"}
		r.Batch, _ = strconv.Atoi(part[1])
		for i, typ := range modernTypes {
			if !slices.Contains(types, typ) {
				continue
			}
			for k, of := range strings.Split(part[2+i], "/") {
				v, err := strconv.ParseFloat(of, 64)
				switch v = jsondoc.Round9(v / float64(r.Batch)); {
				case err != nil:
				case k == 0:
					r.PerGPU[typ] = v
				default:
					if r.Gang[typ] == nil {
						r.Gang[typ] = map[string]float64{}
					}
					r.Gang[typ][strconv.Itoa(1<<k)] = v
				}
			}
		}
		if len(r.PerGPU) > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// measuredRows are those of Gavel, which generated jobs train where a document has no rows; a size that was not
// measured cannot run.
func measuredRows(types []string) (rows []Row) {
	for _, line := range strings.Split(gavelSpeeds, "\n") {
		part := strings.Split(line, " ")
		r := Row{Model: part[0], PerGPU: map[string]float64{}, Gang: map[string]map[string]float64{},
			Source: gavelSource}
		r.Batch, _ = strconv.Atoi(part[1])
		for i, typ := range [...]string{"k80", "p100", "v100"} {
			if !slices.Contains(types, typ) {
				continue
			}
			speeds := strings.Split(part[2+i], "/")
			r.PerGPU[typ], _ = strconv.ParseFloat(speeds[0], 64)
			r.Gang[typ] = map[string]float64{"2": 0, "4": 0, "8": 0}
			for k, v := range speeds[1:] {
				r.Gang[typ][strconv.Itoa(2<<k)], _ = strconv.ParseFloat(v, 64)
			}
		}
		if len(r.PerGPU) > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}
