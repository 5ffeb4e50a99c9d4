package entra

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file takes the token of a person who signed in with one of Azure's
// command lines.

// toolTime is how long a command line may take: some start slowly.
const toolTime = 30 * time.Second

// printed runs a command line that prints JSON. Whatever goes wrong, the next
// way is tried.
func (s *surroundings) printed(ctx context.Context, command, hint string, into any) error {
	out, err := s.run(ctx, command, toolTime)
	switch {
	case errors.Is(err, obtain.ErrNotInstalled):
		return &unavailable{err}
	case err != nil:
		return notSet(err.Error() + hint)
	}
	// What it printed may hold a token: it is never shown.
	if err := json.Unmarshal(out, into); err != nil {
		return notSet("what the program printed cannot be read")
	}
	return nil
}

func (s *surroundings) ofAzureCLI(ctx context.Context) (token, error) {
	var read struct {
		AccessToken string `json:"accessToken"`
		ExpiresOn   int64  `json:"expires_on"`
		Expires     string `json:"expiresOn"` // of versions before 2.54, in local time
	}
	if err := s.printed(ctx, "az account get-access-token -o json --resource "+resource, "; run `az login`", &read); err != nil {
		return token{}, err
	}
	expires := time.Unix(read.ExpiresOn, 0)
	if read.ExpiresOn == 0 {
		parsed, err := time.ParseInLocation("2006-01-02 15:04:05.999999", read.Expires, time.Local)
		if err != nil {
			return token{}, notSet("the end of the token cannot be read")
		}
		expires = parsed
	}
	return token{read.AccessToken, expires}, nil
}

func (s *surroundings) ofDeveloperCLI(ctx context.Context) (token, error) {
	var read struct {
		Token     string    `json:"token"`
		ExpiresOn time.Time `json:"expiresOn"`
	}
	if err := s.printed(ctx, "azd auth token -o json --no-prompt --scope "+scope, "; run `azd auth login`", &read); err != nil {
		return token{}, err
	}
	if read.ExpiresOn.IsZero() {
		return token{}, notSet("the end of the token cannot be read")
	}
	return token{read.Token, read.ExpiresOn}, nil
}

// script prints the token of the module Az.Accounts, whose versions give it as a
// text or as a secure string.
const script = `$ErrorActionPreference = 'Stop'
$module = Import-Module Az.Accounts -MinimumVersion 2.2.0 -PassThru
$asked = @{ ResourceUrl = '` + resource + `'; WarningAction = 'Ignore' }
if ((Get-Command Get-AzAccessToken).Parameters.ContainsKey('AsSecureString')) { $asked['AsSecureString'] = $true }
$got = Get-AzAccessToken @asked
$text = $got.Token
if ($text -is [System.Security.SecureString]) { $text = [System.Net.NetworkCredential]::new('', $text).Password }
@{ Token = $text; ExpiresOn = $got.ExpiresOn.ToUnixTimeSeconds() } | ConvertTo-Json`

func (s *surroundings) ofPowerShell(ctx context.Context) (token, error) {
	var read struct {
		Token     string
		ExpiresOn int64
	}
	program := "pwsh"
	if runtime.GOOS == "windows" {
		// Windows brings its own PowerShell; a newer one is taken first.
		program = "where /q pwsh.exe && pwsh"
	}
	arguments := " -NoProfile -NonInteractive -OutputFormat Text -EncodedCommand " + encoded(script)
	if runtime.GOOS == "windows" {
		arguments += " || powershell" + arguments
	}
	if err := s.printed(ctx, program+arguments, "; run `Connect-AzAccount`", &read); err != nil {
		return token{}, err
	}
	return token{read.Token, time.Unix(read.ExpiresOn, 0)}, nil
}

// encoded is a script as -EncodedCommand takes it.
func encoded(text string) string {
	var bytes []byte
	for _, unit := range utf16.Encode([]rune(strings.TrimSpace(text))) {
		bytes = binary.LittleEndian.AppendUint16(bytes, unit)
	}
	return base64.StdEncoding.EncodeToString(bytes)
}
