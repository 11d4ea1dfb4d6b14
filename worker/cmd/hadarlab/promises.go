//go:build !js

package main

import (
	"fmt"

	"hadarlab/core/class"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/worker/release"
)

// promise is what people may rely on of one format.
type promise struct {
	Format, Version string
	Says            string // where it says its version itself
	Changes         string // what may change while the version stays
	Opens           string // for how long
}

// promises are those of everything that outlives a release. e2e/released opens what each release wrote; another test
// reads each version from what the program writes.
func promises() []promise {
	const always = "Every later release opens those of every release since 0.1.0, before and after 1.0."
	one := func(v int) string { return fmt.Sprint(v) }
	return []promise{
		{"Scenario document", one(scenario.Version), "the member version, and the $id of its JSON Schema",
			"Members, choices and higher limits are added; a document without them means what it meant, and keeps its id. " +
				"A member that this release does not know is kept. Until 1.0 a default of a policy’s parameter may change with the " +
				"policy’s revision and a line in the changelog; a lane that names its revision (rev) is not run by another.", always},
		{"Share link", one(link.Version), "its first characters: the number, and a letter for how it is packed (d, z or j)",
			"Letters are added. A letter’s dictionary never changes, so that the same link gives the same scenario.", always},
		{"HTTP interface", "v1", "its path, /api/v1; the OpenAPI document has the version of the release",
			"Operations, statuses and members are added, so clients must not stop at members that they do not know. " +
				"Until 1.0 one may go after a minor release whose changelog says so; from 1.0 on none goes.",
			"/api/v1 is answered by every release before 2.0, and beside a /api/v2 for as long as the major version is 2."},
		{"Command line", release.Version, "hadarlab version, with the commit; /healthz says the same of a server",
			"Commands, flags, columns at the end of CSV and members of JSON are added; tables for people may read otherwise. " +
				"Until 1.0 a flag may go after a minor release whose changelog says so; from 1.0 on none goes before 2.0.",
			"What a script of one release calls, later ones of the same major version take."},
		{"Result of run and sweep", one(message.LatestResult), "the member version, 1 where it is absent (0.1.0); " +
			"engine and rev of each lane say what made it",
			"Members and metrics are added. Figures change with the minor part of engine or with a lane’s rev: such a result " +
				"is shown as old, and can be run again; a patch changes none. A run that waits while its server is upgraded ends as " +
				"engine-changed, and its status names the run of the new version (next), which has its place in the queue.",
			"hadarlab verify reads those of every release since 0.1.0."},
		{"Trace", "3 or 4", "its fourth byte, after HLT: 4 where nodes are slow for a while, else 3",
			"Nothing: other bytes are another version.",
			"Every release reads the versions that releases since 0.1.0 wrote, 2 to 4. From 1.0 on, those of the same major " +
				"version."},
		{"Assignment, hand-in and record of a class", one(class.Version), "the member version",
			"Members are added; tables get columns at their end.", always},
	}
}
