// Package migrations holds the database's tables as numbered SQL files. Wrangler applies the folder
// to D1, worker/sqlite applies the same files to the native database.
package migrations

import "embed"

// Files are the migrations, to be applied in the order of their names.
//
//go:embed *.sql
var Files embed.FS
