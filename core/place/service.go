package place

import (
	"hadarlab/core/model"
	"hadarlab/core/sim"
)

// InService is how many GPUs are in service now, of all that the cluster ever has.
func InService(c *model.Cluster, v sim.View) (n, all int32) {
	for t := range c.Types {
		n += v.CapacityOf(model.TypeID(t))
	}
	return n, c.GPUs()
}
