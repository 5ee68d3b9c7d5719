# Lists the voices of Windows (-List), or speaks the words of a file into a WAV file.
# Plain ASCII: Windows PowerShell 5.1 takes any other letter for one of the system's code page.
param(
  [switch]$List,
  [string]$Voice,
  [string]$Rate = "1",
  [string]$TextFile,
  [string]$Output
)
$ErrorActionPreference = "Stop"
[Console]::OutputEncoding = New-Object System.Text.UTF8Encoding($false)
Add-Type -AssemblyName System.Speech
$newer = $null
try {
  Add-Type -AssemblyName System.Runtime.WindowsRuntime
  $newer = [Windows.Media.SpeechSynthesis.SpeechSynthesizer, Windows.Media.SpeechSynthesis, ContentType = WindowsRuntime]
} catch { }

function Wait-For($operation, $type) {
  $waiting = [System.WindowsRuntimeSystemExtensions].GetMethods() | Where-Object {
    $_.Name -eq "AsTask" -and $_.GetParameters().Count -eq 1 -and
    $_.GetParameters()[0].ParameterType.Name -eq "IAsyncOperation``1"
  } | Select-Object -First 1
  $task = $waiting.MakeGenericMethod($type).Invoke($null, @($operation))
  $task.Wait()
  $task.Result
}

if ($List) {
  $found = @()
  if ($newer -ne $null) {
    foreach ($one in $newer::AllVoices) {
      $found += @{ id = "onecore:" + $one.Id; name = $one.DisplayName; language = $one.Language; gender = "" + $one.Gender }
    }
  }
  $older = New-Object System.Speech.Synthesis.SpeechSynthesizer
  foreach ($one in $older.GetInstalledVoices()) {
    if (-not $one.Enabled) { continue }
    $info = $one.VoiceInfo
    $found += @{ id = "sapi:" + $info.Name; name = $info.Name; language = $info.Culture.Name; gender = "" + $info.Gender }
  }
  $older.Dispose()
  ConvertTo-Json -Compress -InputObject @($found)
  exit 0
}

$text = [System.IO.File]::ReadAllText($TextFile, [System.Text.Encoding]::UTF8)
$pace = [double]::Parse($Rate, [System.Globalization.CultureInfo]::InvariantCulture)
if ($Voice.StartsWith("onecore:")) {
  $speaker = New-Object Windows.Media.SpeechSynthesis.SpeechSynthesizer
  $chosen = $newer::AllVoices | Where-Object { "onecore:" + $_.Id -eq $Voice } | Select-Object -First 1
  if ($chosen -eq $null) { [Console]::Error.WriteLine("This voice is not installed."); exit 2 }
  $speaker.Voice = $chosen
  $speaker.Options.SpeakingRate = [Math]::Max(0.5, [Math]::Min(6, $pace))
  $stream = Wait-For ($speaker.SynthesizeTextToStreamAsync($text)) ([Windows.Media.SpeechSynthesis.SpeechSynthesisStream])
  $reading = [System.IO.WindowsRuntimeStreamExtensions]::AsStreamForRead($stream)
  $file = [System.IO.File]::Create($Output)
  $reading.CopyTo($file)
  $file.Dispose()
  exit 0
}
$speaker = New-Object System.Speech.Synthesis.SpeechSynthesizer
$speaker.SelectVoice($Voice.Substring("sapi:".Length))
# Ten steps are three times as fast.
$speaker.Rate = [int][Math]::Max(-10, [Math]::Min(10, [Math]::Round(10 * [Math]::Log($pace) / [Math]::Log(3))))
$speaker.SetOutputToWaveFile($Output)
$speaker.Speak($text)
# Without it the file stays short.
$speaker.Dispose()
exit 0
