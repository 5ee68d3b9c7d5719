/** Parameters of a preset for small proxies, as presets write them: pixels, Mbit/s and kbit/s; 1 is one pass. */
const PROXY: Readonly<Record<string, string>> = {
  ADBEVideoWidth: "640",
  ADBEVideoHeight: "360",
  ADBEVideoBitrateEncoding: "1",
  ADBEVideoTargetBitrate: "1.",
  ADBEVideoMaxBitrate: "1.5",
  ADBEAudioBitrate: "128",
};

/** Identity of the preset that is made: its own, for Premiere keeps presets apart by it. */
const PRESET_ID = "6a7d0c52-3f2e-4b0e-9a44-1f0f0a6d5c31";

/**
 * A preset for small proxies, made from one of the host's own for H.264 by changing its size, rates and passes. Where it follows
 * the size of the sequence by more than a switch, it goes on doing so, at the small rate. `null` for what is no such preset.
 */
export function proxyPreset(source: string, name: string): string | null {
  if (!source.includes("<ExporterClassID>") || !source.includes("<ParamIdentifier>ADBEVideoTargetBitrate<"))
    return null;
  const parts = source.split("</ExporterParam>").map((part) => {
    const identifier = /<ParamIdentifier>([^<]*)</.exec(part)?.[1] ?? "";
    const wanted = PROXY[identifier];
    if (wanted !== undefined) return withValue(part, wanted);
    return identifier === "ADBEVideoMatchSource" && statedValue(part) === "true" ? withValue(part, "false") : part;
  });
  return parts
    .join("</ExporterParam>")
    .replace(/<PresetName>[^<]*</, `<PresetName>${name.replaceAll("&", "&amp;")}<`)
    .replace(/<PresetID>[^<]*</, `<PresetID>${PRESET_ID}<`);
}

function statedValue(part: string): string | undefined {
  return /<ParamValue>([^<]*)</.exec(part)?.[1];
}

function withValue(part: string, value: string): string {
  return part.replace(/<ParamValue>[^<]*</, `<ParamValue>${value}<`);
}
