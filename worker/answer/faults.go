package answer

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
	"hadarlab/worker/logs"
	"hadarlab/worker/vault"
)

// Faults is how errors of a store are answered.
type Faults struct {
	Store vault.Store
	// Damaged is set as a row is read that is not what was stored.
	Damaged *atomic.Bool
	Log     logs.Logger
}

// Fail answers an error of the store. What it says about a row names the row, never the database.
func (f *Faults) Fail(w http.ResponseWriter, r *http.Request, err error) {
	switch id := r.PathValue("id"); {
	case errors.Is(err, vault.ErrNotFound):
		Refuse(w, r, http.StatusNotFound,
			"there is no scenario, or no text of one, with this id; it may have been mistyped or never stored here")
	case errors.Is(err, vault.ErrDamaged):
		f.Damaged.Store(true)
		f.Log.Error("damaged row", "error", err)
		Refuse(w, r, http.StatusInternalServerError, "the stored scenario is damaged and is not shown",
			jsondoc.Error("/s/"+id, "damaged-row", words.Own(strings.TrimPrefix(err.Error(), "vault: ")),
				words.Say("share the scenario again from its file or its long link")))
	case errors.Is(err, vault.ErrFull) && f.Store.State(r.Context()) == vault.ReadOnly:
		Refuse(w, r, http.StatusInsufficientStorage, "the server's database cannot be written",
			jsondoc.Error("", "read-only",
				words.Say("the server's database cannot be written just now; what is stored can be read"),
				words.Say("keep it as a file or as a long link, which holds the whole scenario")))
	case errors.Is(err, vault.ErrFull): // the store has said so once
		Refuse(w, r, http.StatusInsufficientStorage, "the server has no room to store more",
			jsondoc.Error("", "storage-full",
				words.Say("the server's database, or its disk, is full; what is stored can be read"),
				words.Say("keep it as a file or as a long link, which holds the whole scenario")))
	default:
		f.Log.Error("store", "route", r.Pattern, "error", err)
		Refuse(w, r, http.StatusInternalServerError, "the store cannot be used just now; the server has logged why")
	}
}
