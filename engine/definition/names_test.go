package definition

import (
	"strings"
	"testing"
)

func TestNamesOfServersAndTools(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"chat": true, "a": true, "graph-2": true, strings.Repeat("a", 32): true,
		"": false, "Chat": false, "2chat": false, "-chat": false, "my_server": false, "chat/x": false, strings.Repeat("a", 33): false, "chät": false,
	} {
		if got := IsServerName(name); got != want {
			t.Errorf("IsServerName(%q) = %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"post_message": true, "Post.Message-2": true, "9": true, strings.Repeat("a", 128): true,
		"": false, "a b": false, "a/b": false, "*": false, strings.Repeat("a", 129): false, "é": false,
	} {
		if got := IsToolName(name); got != want {
			t.Errorf("IsToolName(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestHostNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a.", 126) + "a" // 253 bytes
	for name, want := range map[string]bool{
		"portal.supplier.example": true, "localhost": true, "xn--bcher-kva.example": true, "10.0.0.1": true, long: true,
		"": false, "Portal.example": false, "https://portal.example": false, "portal.example/path": false, "portal.example:443": false,
		"portal..example": false, ".example": false, "example.": false, "-a.example": false, "a-.example": false, long + "a.b": false,
		"{{ input.site }}": false, "bücher.example": false,
	} {
		if got := isHostName(name); got != want {
			t.Errorf("isHostName(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestFoldWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"Yes!": "yes", "«OK».": "ok", "approve": "approve", "**Approve**": "approve", "don't": "don't", "...": "", "ÄNDERN": "ändern",
		"👍": "👍", "👍🏽": "👍", "👎!": "👎", "**✔️**": "✔", "✔": "✔", "approve👍": "approve", "❤️no": "no", "+": "+", "-": "", "~yes~": "yes",
	} {
		if got := FoldWord(word); got != want {
			t.Errorf("FoldWord(%q) = %q, want %q", word, got, want)
		}
	}
}
