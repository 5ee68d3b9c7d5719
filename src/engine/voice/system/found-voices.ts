import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { LANGUAGES } from "../../../contract/choices.ts";
import { systemProgram } from "../../isolate/programs.ts";
import type { Environment } from "../../outgoing/local-only.ts";
import { sexOfName } from "../natural-speakers.ts";

/** `Anna                de_DE    # Hallo!`: names hold spaces and brackets, so the locale and the sharp are what is certain. */
const LISTED = /^(?<name>\S.*?)\s+(?<locale>[a-z]{2,3}[_-][A-Za-z0-9_-]+)\s+#/;

/** Voices for fun, which nobody wants to hear a film described by unless they name them. */
const NOVELTY =
  /^(?:Albert|Bad News|Bahh|Bells|Boing|Bubbles|Cellos|Deranged|Fred|Good News|Hysterical|Jester|Junior|Kathy|Organ|Pipe Organ|Princess|Ralph|Superstar|Trinoids|Whisper|Wobble|Zarvox)\b/;

/** Voices that are fetched in the system's settings. */
const FETCHED = /\((?:Premium|Enhanced)\)/;

/** Names, locales and sexes of all voices, which `say` does not tell. */
const SEXES = `ObjC.import("AppKit");
JSON.stringify(ObjC.deepUnwrap($.NSSpeechSynthesizer.availableVoices).map((id) => {
  const of = ObjC.deepUnwrap($.NSSpeechSynthesizer.attributesForVoice(id));
  return [of.VoiceName, of.VoiceGender];
}))`;

/** The voices of `say`. Those of Siri are not among them: no other program may use them. */
export async function findMacVoices({ locate, run }: SearchContext): Promise<SystemSpeech | null> {
  const say = await locate("say");
  if (say === null) return null;
  const [listed, sexes] = await Promise.all([run(say, ["-v", "?"]), sexesOf({ locate, run })]);
  return {
    title: "macOS",
    // An unknown name is spoken by another voice without a word: only what was listed is asked for.
    command: [
      ...([say, "-v", "{voice}", "-r", "{words_per_minute}", "-f", "{text_file}", "-o", "{output}"] as const),
      ...["--file-format=WAVE", "--data-format=LEI16@22050"],
    ],
    // What stands in double brackets would be an order to the voice.
    replaced: { "[[": "[ [" },
    voices: listed.split(/\r?\n/).flatMap((line) => macVoiceFrom(line, sexes)),
  };
}

function macVoiceFrom(line: string, sexes: ReadonlyMap<string, SystemVoice["gender"]>): SystemVoice[] {
  const { name, locale } = LISTED.exec(line)?.groups ?? {};
  if (name === undefined || locale === undefined) return [];
  const quality = NOVELTY.test(name) ? -2 : FETCHED.test(name) ? 1 : 0;
  return [{ id: name, name, language: locale.replaceAll("_", "-"), gender: sexes.get(name) ?? null, quality }];
}

/** Sexes by name; none where they cannot be asked for. */
async function sexesOf({ locate, run }: Pick<SearchContext, "locate" | "run">) {
  const sexes = new Map<string, SystemVoice["gender"]>();
  const script = await locate("osascript");
  if (script === null) return sexes;
  try {
    const pairs: unknown = JSON.parse(await run(script, ["-l", "JavaScript", "-e", SEXES]));
    for (const pair of Array.isArray(pairs) ? pairs : []) {
      const [name, sex] = Array.isArray(pair) ? pair : [];
      if (/Female$/.test(String(sex))) sexes.set(String(name), "female");
      else if (/Male$/.test(String(sex))) sexes.set(String(name), "male");
    }
  } catch {
    // Then each voice may stand for either.
  }
  return sexes;
}

/** What stands beside a model. */
const Description = z.object({
  language: z.optional(z.object({ code: z.string() })),
  espeak: z.optional(z.object({ voice: z.string() })),
  audio: z.optional(z.object({ quality: z.optional(z.string()) })),
});

/** Folders deep that models are looked for, the first one included: packages of voices have `en/en_US/lessac/medium` in it. */
const DEPTH = 5;

/** Models that are looked at: more are installed nowhere. */
const MOST_MODELS = 200;

/** The models of Piper that stand where people put them. */
export async function findPiperVoices({ environment, locate }: SearchContext): Promise<SystemSpeech | null> {
  const piper = (await locate("piper")) ?? (await locate("piper-tts"));
  if (piper === null) return null;
  const folders = [environment["PIPER_VOICES"] ?? "", ...piperFolders(environment), dirname(piper)].filter(isAbsolute);
  const models = [...new Set((await Promise.all(folders.map((folder) => modelsIn(folder, DEPTH)))).flat())];
  const voices = await Promise.all(models.slice(0, MOST_MODELS).map(voiceOf));
  return {
    title: "Piper",
    command: [piper, "-m", "{voice}", "-f", "{output}", "--length-scale", "{length_scale}"],
    voices: voices.filter((voice) => voice !== null),
  };
}

/** Where people keep models, on any system. */
function piperFolders(environment: Environment): string[] {
  const { HOME: home = "", USERPROFILE: profile = "", APPDATA: roaming = "", LOCALAPPDATA: local = "" } = environment;
  const data = environment["XDG_DATA_HOME"] ?? join(home, ".local", "share");
  const own = [data, join(home, "Library", "Application Support"), home, profile, roaming, local];
  return [
    ...own.flatMap((folder) => [join(folder, "piper"), join(folder, "piper-voices")]),
    ...["/usr/share/piper-voices", "/usr/local/share/piper-voices", "/usr/share/piper"],
  ];
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
    return { id: path, name, language: language.replaceAll("_", "-"), gender: sexOfName(name), quality };
  } catch {
    return null;
  }
}

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
  const voices = await Promise.all(
    names.map((name) => rhvoiceFrom(join(folder, name, "voice.info")).catch(() => null)),
  );
  return voices.filter((voice) => voice !== null);
}

async function rhvoiceFrom(path: string): Promise<SystemVoice | null> {
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

/** A voice that the system, or a program on it, has. */
interface SystemVoice {
  /** As the program takes it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** BCP-47 code; a language alone where no more is known. */
  readonly language: string;
  /** `null` where the program does not say. */
  readonly gender: "female" | "male" | null;
  /** Higher for voices that sound more natural; 0 for the usual ones. */
  readonly quality: number;
  /** What speaks it, where that is another program than that of the others. */
  readonly command?: readonly [program: string, ...args: string[]];
}

/** A program that speaks on this computer, and its voices. */
export interface SystemSpeech {
  /** For people. */
  readonly title: string;
  /** As `ASIDE_VOICE_COMMAND` takes it. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What stands in a text for what the program would take as an order, where there is any. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** The most natural first; never none. */
  readonly voices: readonly SystemVoice[];
}

/** What the search needs of the computer. */
export interface SearchContext {
  readonly environment: Environment;
  /** Path of a program that `PATH` leads to; `null` where there is none. */
  readonly locate: (program: string) => Promise<string | null>;
  /** What a program writes to standard output. Rejects where it cannot be run or ends badly. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}
