import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LANGUAGES } from "../../../contract/languages.ts";
import type { SearchContext, SystemSpeech, SystemVoice } from "./system-speech.ts";

const FOLDERS = ["/usr/share/RHVoice/voices", "/usr/local/share/RHVoice/voices"];

/** The voices of RHVoice, whose description says language and sex in English. */
export async function findRhvoiceVoices({ environment, locate }: SearchContext): Promise<SystemSpeech | null> {
  const program = await locate("RHVoice-test");
  if (program === null) return null;
  const folders = [...FOLDERS, ...(environment["RHVOICE_VOICES"] ? [environment["RHVOICE_VOICES"]] : [])];
  const voices = await Promise.all(folders.map(voicesIn));
  return {
    title: "RHVoice",
    command: [
      ...([program, "-i", "{text_file}", "-o", "{output}", "-p", "{voice}"] as const),
      ...["-r", "{rate_percent}", "-R", "24000"],
    ],
    voices: voices.flat(),
  };
}

async function voicesIn(folder: string): Promise<SystemVoice[]> {
  const names = await readdir(folder).catch(() => []);
  const voices = await Promise.all(names.map((name) => voiceFrom(join(folder, name, "voice.info")).catch(() => null)));
  return voices.filter((voice) => voice !== null);
}

async function voiceFrom(path: string): Promise<SystemVoice | null> {
  const lines = (await readFile(path, "utf8")).split(/\r?\n/).map((line) => /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line));
  const told = Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]])));
  const { name, language, gender } = told;
  const code = CODES.get(language?.toLowerCase());
  if (name === undefined || code === undefined) return null;
  return {
    id: name,
    name,
    language: code,
    gender: gender === "female" || gender === "male" ? gender : null,
    quality: 0,
  };
}

/** Codes of languages by their English names in lower case (`russian`), without regions. */
const CODES = new Map(
  LANGUAGES.map((code) => {
    const [family = code] = code.split("-");
    return [new Intl.DisplayNames("en", { type: "language" }).of(family)?.toLowerCase(), family] as const;
  }),
);
