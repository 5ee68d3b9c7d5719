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
