import type { SearchContext, SystemSpeech, SystemVoice } from "./system-speech.ts";

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
    voices: listed.split(/\r?\n/).flatMap((line) => voiceFrom(line, sexes)),
  };
}

function voiceFrom(line: string, sexes: ReadonlyMap<string, SystemVoice["gender"]>): SystemVoice[] {
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
