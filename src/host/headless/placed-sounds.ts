import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readStatedHeader, WAVE_HEAD_BYTES } from "../../formats/wave/read-wave.ts";
import type { EditPlan } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";
import type { PlacedSound } from "./apply-plan.ts";

/**
 * Sound files of a plan, as their own headers describe them. `finalPathOf` says where a file will be once everything is in
 * place.
 *
 * @throws HostError `file_unreadable` for a file that is no WAV file.
 */
export async function placedSounds(
  plan: EditPlan,
  files: Files,
  finalPathOf: (path: string) => string,
): Promise<(path: string) => PlacedSound> {
  const sounds = new Map<string, PlacedSound>();
  for (const step of plan.groups.flatMap((group) => group.steps)) {
    if (step.kind !== "place-audio") continue;
    // What is put back is named as the timeline has it: by an address.
    const path = step.path.startsWith("file:") ? fileURLToPath(step.path) : step.path;
    const reading = readStatedHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
    if (!reading.ok) {
      const context = { operation: "place a sound file", state: "nothing was changed" };
      throw new HostError("file_unreadable", `"${basename(path)}" is not a WAV file`, context);
    }
    const location = pathToFileURL(finalPathOf(path)).href;
    const { channels, sampleRate } = reading.layout.format;
    sounds.set(step.path, { location, channels, sampleRate });
  }
  return (path) => sounds.get(path) ?? { location: path, channels: 0, sampleRate: 0 };
}
