package aws

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// TestSignature compares to what another signer, aws4fetch, gives: the / and :
// of an ARN are one path segment, escaped once on the wire and twice in what is
// signed.
func TestSignature(t *testing.T) {
	t.Parallel()
	const address = "https://bedrock-runtime.eu-central-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Ainference-profile%2Feu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	sign(request, []byte(`{"a":1}`), keys{id: "AKID", secret: "SECRET", token: "TOKEN"}, "bedrock", "eu-central-1", time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	want := "AWS4-HMAC-SHA256 Credential=AKID/20260301/eu-central-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=454d06a3c14e3813eac8fb22d233c40cef552696c14483df00cbeb9d2a75c3d6"
	if got := request.Header.Get("Authorization"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if request.Header.Get("X-Amz-Security-Token") != "TOKEN" || request.URL.String() != address {
		t.Errorf("%s with %v", request.URL, request.Header)
	}
}

// TestSignaturePeer signs the same requests with AWS's own signer, which is here
// for the test alone: no service tells a signature that is wrong from keys that
// are.
func TestSignaturePeer(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	for _, address := range []string{
		"https://host.test", "https://host.test/", "https://host.test:443/a", "http://host.test:80/a", "http://host.test:8080/a/b/", "https://host.test/a//b",
		"https://host.test/model/eu.anthropic.claude-3%3A0/invoke", "https://host.test/a%20b/%C3%A9/~x-y_z.1", "https://host.test/a?b=c", "https://host.test/?z=1&a=2&a=1&b",
		"https://host.test/?q=a+b%20c%2Fd&%C3%A9=%7E", "https://host.test/a%2Fb/c+d/e@f", "https://[::1]:8443/x?y=%25",
	} {
		for _, body := range []string{"", "{}", "Action=AssumeRole&Version=2011-06-15"} {
			for _, token := range []string{"", "TOKEN/+="} {
				t.Run(fmt.Sprintf("%s %q %q", address, body, token), func(t *testing.T) {
					t.Parallel()
					made := func() *http.Request {
						request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader([]byte(body)))
						if err != nil {
							t.Fatal(err)
						}
						request.Header = http.Header{
							"Content-Type": {"application/json"}, "User-Agent": {"auto"}, "X-Spaces": {"  a   b  "}, "X-Two": {"one", "two"}, "Expect": {"100-continue"},
						}
						return request
					}
					ours, theirs := made(), made()
					sign(ours, []byte(body), keys{id: "AKID", secret: "SECRET", token: token}, "bedrock", "eu-west-1", at)
					sum := sha256.Sum256([]byte(body))
					credentials := aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "SECRET", SessionToken: token}
					if err := v4.NewSigner().SignHTTP(t.Context(), credentials, theirs, hex.EncodeToString(sum[:]), "bedrock", "eu-west-1", at); err != nil {
						t.Fatal(err)
					}
					for _, name := range []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"} {
						if got, want := ours.Header.Get(name), theirs.Header.Get(name); got != want {
							t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
						}
					}
				})
			}
		}
	}
}
