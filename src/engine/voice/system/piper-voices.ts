import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import type { SearchContext, SystemSpeech, SystemVoice } from "./system-speech.ts";

/** What stands beside a model. */
const Description = z.object({
  language: z.optional(z.object({ code: z.string() })),
  espeak: z.optional(z.object({ voice: z.string() })),
  audio: z.optional(z.object({ quality: z.optional(z.string()) })),
});

/** Folders deep that models are looked for: packages of voices have language, speaker and quality as folders. */
const DEPTH = 4;

/** Models that are looked at: more are installed nowhere. */
const MOST_MODELS = 200;

/** The models of Piper that stand where people put them. */
export async function findPiperVoices({ environment, locate }: SearchContext): Promise<SystemSpeech | null> {
  const piper = (await locate("piper")) ?? (await locate("piper-tts"));
  if (piper === null) return null;
  const home = environment["HOME"] ?? "";
  const data = environment["XDG_DATA_HOME"] ?? join(home, ".local", "share");
  const folders = [
    ...[environment["PIPER_VOICES"] ?? "", join(data, "piper"), join(data, "piper-voices"), join(home, "piper")],
    ...["/usr/share/piper-voices", "/usr/local/share/piper-voices", "/usr/share/piper"],
  ].filter((folder) => folder !== "");
  const models = [...new Set((await Promise.all(folders.map((folder) => modelsIn(folder, DEPTH)))).flat())];
  const voices = await Promise.all(models.slice(0, MOST_MODELS).map(voiceOf));
  return {
    title: "Piper",
    command: [piper, "-m", "{voice}", "-f", "{output}", "--length-scale", "{length_scale}"],
    voices: voices.filter((voice) => voice !== null),
  };
}

async function modelsIn(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 1 ? modelsIn(path, depth - 1) : [];
      return entry.name.endsWith(".onnx") ? [path] : [];
    }),
  );
  return found.flat();
}

/** A model whose description tells its language; `null` for any other. */
async function voiceOf(path: string): Promise<SystemVoice | null> {
  try {
    const told = Description.parse(JSON.parse(await readFile(`${path}.json`, "utf8")));
    const language = told.language?.code ?? told.espeak?.voice;
    if (language === undefined) return null;
    const quality = told.audio?.quality === "high" ? 1 : told.audio?.quality === "x_low" ? -1 : 0;
    const name = basename(path, ".onnx");
    return { id: path, name, language: language.replaceAll("_", "-"), gender: null, quality };
  } catch {
    return null;
  }
}
