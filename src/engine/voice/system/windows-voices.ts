import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { systemProgram } from "../../isolate/programs.ts";
import type { SearchContext, SystemSpeech } from "./system-speech.ts";

const SCRIPT = fileURLToPath(new URL("./speak.ps1", import.meta.url));

/** A voice as the script lists it. */
const Listed = z.object({
  id: z.string(),
  name: z.string(),
  language: z.string(),
  gender: z.string(),
});

/**
 * The voices of Windows, of both its interfaces: the newer one (OneCore) has more, and they sound better. Those of Narrator
 * called natural are closed to other programs.
 */
export async function findWindowsVoices({ environment, run }: SearchContext): Promise<SystemSpeech | null> {
  // Of version 5.1, which every Windows has: the newer interface cannot be loaded by later ones.
  const shell = await systemProgram("powershell", { environment, platform: "win32" });
  const plain = ["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", SCRIPT];
  const listed: unknown = JSON.parse(await run(shell, [...plain, "-List"]));
  const voices = z.array(Listed).parse([listed].flat());
  return {
    title: "Windows",
    command: [
      ...([shell, ...plain, "-Voice", "{voice}", "-Rate", "{rate}"] as [string, ...string[]]),
      ...["-TextFile", "{text_file}", "-Output", "{output}"],
    ],
    voices: voices.map(({ id, name, language, gender }) => {
      const sex = gender.toLowerCase();
      return {
        id,
        name,
        language,
        gender: sex === "female" || sex === "male" ? sex : null,
        quality: id.startsWith("onecore:") ? 1 : 0,
      };
    }),
  };
}
