package edit

import (
	"reflect"
	"strings"
	"testing"

	"hadarlab/core/scenario"
)

// TestANewNetworkHasSharedLinks: what the editor adds is the shortest network of a document, with shared links, and it
// can be taken away again.
func TestANewNetworkHasSharedLinks(t *testing.T) {
	d := New()
	before := string(d.Marshal(false))
	AddNetwork().Change(d)
	written := string(d.Marshal(false))
	const short = `"network":{"node_gb_per_s":130,"nic_gb_per_s":11,"shared_links":true}`
	if !strings.Contains(written, short) || !Networked(d) || !Gradients(d) {
		t.Errorf("it writes %s", written)
	}
	again, diags := scenario.Parse([]byte(written), scenario.FileLimits)
	if diags.HasErrors() || !reflect.DeepEqual(again.Scenario.Cluster.Network, d.Scenario.Cluster.Network) {
		t.Errorf("read again it is %+v, %v", again.Scenario.Cluster.Network, diags)
	}
	RemoveNetwork().Change(d)
	if got := string(d.Marshal(false)); got != before {
		t.Errorf("taken away it leaves %s", got)
	}
}
