module github.com/beonauto/auto

go 1.26.7

require (
	charm.land/bubbletea/v2 v2.1.1 // the inbox: the terminal and its keys
	charm.land/lipgloss/v2 v2.1.0 // the inbox: styles
	github.com/aws/aws-sdk-go-v2 v1.48.0 // peer of the credentials of AWS, in tests
	github.com/aws/aws-sdk-go-v2/config v1.33.18 // peer of the credentials of AWS, in tests
	github.com/charmbracelet/colorprofile v0.4.3 // the inbox: which colours a terminal shows
	github.com/charmbracelet/x/ansi v0.11.9 // the inbox: text with escape sequences
	github.com/getkin/kin-openapi v0.153.0 // peer of engine/tool/openapi, in tests
	github.com/goccy/go-yaml v1.19.2 // peer of engine/frontmatter, in tests
	github.com/gofrs/flock v0.13.2 // locks that a process loses when it dies, on every system
	github.com/google/go-cmp v0.7.0 // differences, in tests
	github.com/google/uuid v1.6.0 // ids of runs, which sort by their time
	github.com/mark3labs/mcp-go v1.2.1 // peer of the client and the server of MCP, in tests
	github.com/mattn/go-runewidth v0.0.31 // the width of a report's text in a terminal
	github.com/osteele/liquid v1.9.2 // peer of engine/liquid, in tests
	github.com/rogpeppe/go-internal v1.16.0 // scripts of the command line, in tests
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // peer of engine/schema, in tests
	github.com/spf13/cobra v1.10.2 // commands, help and completion
	github.com/spf13/pflag v1.0.10 // the flags of cobra
	github.com/xeipuuv/gojsonschema v1.2.0 // peer of engine/schema, in tests
	go.etcd.io/bbolt v1.5.0 // the store
	go.yaml.in/yaml/v4 v4.0.0 // front matter and settings as nodes with lines
	golang.org/x/crypto v0.58.0 // PKCS#12, in which applications of Entra keep certificates
	golang.org/x/oauth2 v0.38.0 // peer of the credentials of Google, in tests
	golang.org/x/sys v0.50.0 // consoles of Windows, and the work of a thread in tests
	golang.org/x/term v0.48.0 // whether a terminal is there, and how wide
)

require (
	cloud.google.com/go/compute/metadata v0.3.0 // indirect
	github.com/aws/aws-sdk-go-v2/credentials v1.21.0 // indirect
	github.com/aws/aws-sdk-go-v2/feature/ec2/imds v1.20.9 // indirect
	github.com/aws/aws-sdk-go-v2/internal/configsources v1.5.12 // indirect
	github.com/aws/aws-sdk-go-v2/internal/endpoints/v2 v2.8.12 // indirect
	github.com/aws/aws-sdk-go-v2/internal/v4a v1.5.12 // indirect
	github.com/aws/aws-sdk-go-v2/service/internal/accept-encoding v1.13.25 // indirect
	github.com/aws/aws-sdk-go-v2/service/internal/presigned-url v1.14.12 // indirect
	github.com/aws/aws-sdk-go-v2/service/signin v1.13.1 // indirect
	github.com/aws/aws-sdk-go-v2/service/sso v1.39.5 // indirect
	github.com/aws/aws-sdk-go-v2/service/ssooidc v1.44.5 // indirect
	github.com/aws/aws-sdk-go-v2/service/sts v1.52.0 // indirect
	github.com/aws/smithy-go v1.28.9 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20261008173134-6b8d4baf91b4 // indirect
	github.com/charmbracelet/x/term v0.2.2 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/google/jsonschema-go v0.4.2 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/osteele/tuesday v1.1.1 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/spf13/cast v1.7.1 // indirect
	github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f // indirect
	github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 // indirect
	github.com/xo/terminfo v1.0.0 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)
