package engine_test

// This file tests who is who in a local runtime.

import (
	"path/filepath"
	"testing"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/request"
)

func TestWhomARequestWaitsOn(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "campaigns")
	mkdir(t, folder)
	runtime := open(t, folder, "", map[string]string{"AUTO_EMAIL": "Priya@acme.example"})
	nameless := open(t, folder, "", nil)
	for _, c := range []struct {
		to, waits   string
		me, without engine.Waiting
	}{
		{"priya@ACME.example", "priya@acme.example", engine.OnMe, engine.OnAnother},
		{"ana@acme.example", "ana@acme.example", engine.OnAnother, engine.OnAnother},
		{"person:local-developer", "person:local-developer", engine.OnMe, engine.OnMe},
		{"person:user_7kLm2", "person:user_7kLm2", engine.OnAnother, engine.OnAnother},
		{"person:", "any_member", engine.OnAnyone, engine.OnAnyone},
		{"#campaigns", "any_member", engine.OnAnyone, engine.OnAnyone},
		{"Priya", "any_member", engine.OnAnyone, engine.OnAnyone},
	} {
		if got := request.WaitsOn(c.to); got != c.waits {
			t.Errorf("%s waits on %s, want %s", c.to, got, c.waits)
		}
		if got, without := runtime.WaitsOnMe(c.to), nameless.WaitsOnMe(c.to); got != c.me || without != c.without {
			t.Errorf("%s waits on %s, and without an address on %s", c.to, got, without)
		}
	}
	if runtime.Playbook() != "campaigns" {
		t.Errorf("the playbook is %s", runtime.Playbook())
	}
}
