/**
 * Bits per second of what an export preset (`.epr`) makes: the target bit rates that it states for picture (Mbit/s) and
 * sound (kbit/s). Absent where it states none for the picture.
 */
export function bitsPerSecondOf(preset: string): number | undefined {
  const picture = parameter(preset, "ADBEVideoTargetBitrate");
  return picture === undefined ? undefined : picture * 1e6 + (parameter(preset, "ADBEAudioBitrate") ?? 0) * 1e3;
}

/** A number among the preset's parameters: elements that name themselves, before their value or behind it. */
function parameter(preset: string, identifier: string): number | undefined {
  const named = `<ParamIdentifier>${identifier}</ParamIdentifier>`;
  const element = preset.split("</ExporterParam>").find((one) => one.includes(named)) ?? "";
  const value = Number(/<ParamValue>([^<]*)<\/ParamValue>/.exec(element)?.[1] ?? Number.NaN);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

/** An export preset on disk. */
export interface PresetFile {
  /** What it is called in a list. */
  readonly name: string;
  /** Native path, with the system's own separators: the host opens it itself. */
  readonly path: string;
  /** Ours, the host's own, or one that the user chose. */
  readonly origin: "ours" | "system" | "user";
  /** `false` until someone has exported with it in a real host. */
  readonly isProven: boolean;
  /** Bits per second of what it makes, picture and sound together; absent where it states none. */
  readonly bitsPerSecond?: number;
}

/** Which presets there are, the preferred one first. */
export interface PresetSource {
  list(): Promise<readonly PresetFile[]>;
  /** Remembers that an export has succeeded with the preset of a path. */
  worked?(path: string): Promise<void>;
}

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
