//go:build !js

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestEqualSourcesGiveEqualBytes(t *testing.T) {
	shell, err := os.ReadFile("../../index.html")
	if err != nil {
		t.Fatal(err)
	}
	var first []byte
	for range 3 {
		b, err := paint(shell, 12345)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		} else if !bytes.Equal(b, first) {
			t.Fatal("two builds differ")
		}
	}
	page := string(first)
	for _, want := range []string{`data-bytes="12345"`, `data-test="lab"`, `data-state="static"`, `data-test="bar"`,
		`data-test="metric"`, `data-test="divergence"`, `id="hadarlab-boot"`, `data-test="why"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the first paint lacks %s", want)
		}
	}
	for _, no := range []string{" style=", "\n<div></div>", "undefined", "NaN", "<nil>", "http://127", "https://"} {
		if strings.Contains(page, no) {
			t.Errorf("the first paint holds %q", no)
		}
	}
}

func TestTidy(t *testing.T) {
	for in, want := range map[string]string{
		`<p b="2" a="1">x</p>`:                      `<p a="1" b="2">x</p>`,
		`<button disabled="false" aria-pressed>`:    `<button aria-pressed="true">`,
		`<button disabled>`:                         `<button disabled>`,
		"<div>\n<b>x</b>\n</div>":                   `<div><b>x</b></div>`,
		`<p title="a \"b\" <c>">`:                   `<p title="a &quot;b&quot; &lt;c>">`,
		`<svg><rect x="1"/></svg>`:                  `<svg><rect x="1"></rect></svg>`,
		`<input value="1"></input>`:                 `<input value="1">`,
		`<option value="" selected="true">a &lt; b`: `<option selected value="">a &lt; b`,
	} {
		got, err := tidy(in)
		if err != nil || got != want {
			t.Errorf("tidy(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
	for _, bad := range []string{"<p", `<p a=1>`, `<p ="1">`} {
		if _, err := tidy(bad); err == nil {
			t.Errorf("tidy(%s) is content", bad)
		}
	}
}
