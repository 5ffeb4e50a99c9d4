package aws

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file is Signature Version 4 in a header, for every service but S3: each
// part of the path, as it stands on the wire, is escaped once more in what is
// signed.

// unsigned are headers that proxies and transports may change.
var unsigned = []string{"authorization", "user-agent", "x-amzn-trace-id", "expect", "transfer-encoding"}

// sign puts a signature on a request. The body is what is sent with it.
func sign(request *http.Request, body []byte, with keys, service, region string, at time.Time) {
	stamp := at.UTC().Format("20060102T150405Z")
	scope := strings.Join([]string{stamp[:8], region, service, "aws4_request"}, "/")
	request.Header.Set("X-Amz-Date", stamp)
	request.Header.Del("X-Amz-Security-Token")
	if with.token != "" {
		request.Header.Set("X-Amz-Security-Token", with.token)
	}
	names, headers := signedHeaders(request)
	sum := sha256.Sum256(body)
	canonical := strings.Join([]string{
		request.Method, canonicalPath(request.URL), canonicalQuery(request.URL), headers, names, hex.EncodeToString(sum[:]),
	}, "\n")
	sum = sha256.Sum256([]byte(canonical))
	toSign := strings.Join([]string{"AWS4-HMAC-SHA256", stamp, scope, hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + with.secret)
	for _, part := range strings.Split(scope, "/") {
		key = keyed(key, part)
	}
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+with.id+"/"+scope+
		", SignedHeaders="+names+", Signature="+hex.EncodeToString(keyed(key, toSign)))
}

func keyed(key []byte, text string) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(text))
	return hash.Sum(nil)
}

func canonicalPath(address *url.URL) string {
	path := address.EscapedPath()
	if path == "" {
		return "/"
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = escaped(part)
	}
	return strings.Join(parts, "/")
}

func canonicalQuery(address *url.URL) string {
	pairs := []string{}
	for name, values := range address.Query() {
		for _, value := range values {
			pairs = append(pairs, escaped(name)+"="+escaped(value))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// escaped is a text as Signature Version 4 escapes it: all but letters, digits
// and four marks.
func escaped(text string) string {
	const hexadecimal = "0123456789ABCDEF"
	var made strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~':
			made.WriteByte(c)
		default:
			made.WriteByte('%')
			made.WriteByte(hexadecimal[c>>4])
			made.WriteByte(hexadecimal[c&15])
		}
	}
	return made.String()
}

// signedHeaders gives the names of what is signed, and each name with its value
// on a line.
func signedHeaders(request *http.Request) (string, string) {
	host := request.Host
	if host == "" {
		host = request.URL.Host
	}
	values := map[string]string{"host": withoutDefaultPort(request.URL.Scheme, host)}
	if request.ContentLength > 0 {
		values["content-length"] = strconv.FormatInt(request.ContentLength, 10)
	}
	for name, all := range request.Header {
		name = strings.ToLower(name)
		if slices.Contains(unsigned, name) || name == "content-length" || name == "host" {
			continue
		}
		cleaned := make([]string, len(all))
		for i, value := range all {
			cleaned[i] = strings.Join(strings.FieldsFunc(value, func(r rune) bool { return r == ' ' }), " ")
		}
		values[name] = strings.Join(cleaned, ",")
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	var lines strings.Builder
	for _, name := range names {
		lines.WriteString(name + ":" + values[name] + "\n")
	}
	return strings.Join(names, ";"), lines.String()
}

func withoutDefaultPort(scheme, host string) string {
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}

// Sign puts a signature on a request for another service than Bedrock, such as
// the question who one is that a federation takes as proof. The token may be
// empty.
func Sign(request *http.Request, id, secret, token, service, region string, at time.Time) {
	sign(request, nil, keys{id: id, secret: secret, token: token}, service, region, at)
}
