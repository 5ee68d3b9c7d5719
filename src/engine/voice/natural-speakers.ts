import { statSync } from "node:fs";
import { join } from "node:path";
import type { VoiceGender } from "../../contract/choices.ts";
import type { InstalledModel } from "../store/installed.ts";
import { familyOf, type LanguageVoice } from "./voice-names.ts";

/** Whether a model has a voice for a language. */
export function speaksNaturally(model: InstalledModel, language: string): boolean {
  return speakersIn(model, language).length > 0;
}

/** A voice in a model. */
export interface ModelSpeaker extends LanguageVoice {
  /** Its number there. */
  readonly number: number;
  /** The language as the model takes it. */
  readonly code: string;
}

/** The voices of a model that speak a language. */
export function speakersIn(model: InstalledModel, language: string): readonly ModelSpeaker[] {
  const family = familyOf(language);
  const isMeant = model.languages.length === 0 || model.languages.some((one) => familyOf(one) === family);
  if (!isMeant) return [];
  switch (model.form) {
    case "supertonic":
      return SUPERTONIC_LANGUAGES.has(family)
        ? SUPERTONIC_SPEAKERS.map((id, number) => ({
            ...{ id, name: id, number, language, code: family },
            gender: id.startsWith("F") ? "female" : "male",
          }))
        : [];
    case "kokoro":
      return kokoroSpeakers(model).filter((speaker) => familyOf(speaker.language) === family);
    case "piper":
      return [
        { id: model.id, number: 0, language, code: "", gender: sexOfName(`${model.id} ${model.files["model"] ?? ""}`) },
      ];
    default:
      return [];
  }
}

/** The languages that Supertonic 3 is told, as the library lists them (`offline-tts-supertonic-impl.cc`). */
const SUPERTONIC_LANGUAGES: ReadonlySet<string> = new Set(
  "en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi".split(" "),
);

/** Its voices in the order of their numbers: the files of styles by name (`scripts/supertonic/generate_voices_bin.py`). */
const SUPERTONIC_SPEAKERS = ["F1", "F2", "F3", "F4", "F5", "M1", "M2", "M3", "M4", "M5"];

/** Kokoro's voices of version 1.0 in the order of their numbers. */
const KOKORO_1_0 = words(
  "af_alloy af_aoede af_bella af_heart af_jessica af_kore af_nicole af_nova af_river af_sarah af_sky am_adam am_echo",
  "am_eric am_fenrir am_liam am_michael am_onyx am_puck am_santa bf_alice bf_emma bf_isabella bf_lily bm_daniel",
  "bm_fable bm_george bm_lewis ef_dora em_alex ff_siwis hf_alpha hf_beta hm_omega hm_psi if_sara im_nicola jf_alpha",
  "jf_gongitsune jf_nezumi jf_tebukuro jm_kumo pf_dora pm_alex pm_santa zf_xiaobei zf_xiaoni zf_xiaoxiao zf_xiaoyi",
  "zm_yunjian zm_yunxi zm_yunxia zm_yunyang",
);

/**
 * Kokoro's voices in the order of their numbers, by how many there are (`generate_voices_bin.py` in `scripts/kokoro` of the
 * library): version 0.19, and 1.0 as it was published and as it is now, with one more. The first letter is the language, the
 * second the sex.
 */
const KOKORO_SPEAKERS: readonly (readonly string[])[] = [
  words("af af_bella af_nicole af_sarah af_sky am_adam am_michael bf_emma bf_isabella bm_george bm_lewis"),
  KOKORO_1_0,
  [...KOKORO_1_0, "em_santa"],
];

/** How many voices version 1.1 has. Its first three are English; the others, Chinese ones with numbers for names, are not told apart. */
const KOKORO_1_1 = { count: 103, english: words("af_maple af_sol bf_vale") };

/** Languages by the first letter of a voice, and the voice of espeak-ng that spells them (British English is its `en`). */
const KOKORO_LANGUAGES: Readonly<Record<string, { readonly language: string; readonly code: string }>> = {
  a: { language: "en-US", code: "en-us" },
  b: { language: "en-GB", code: "en" },
  e: { language: "es-ES", code: "es" },
  f: { language: "fr-FR", code: "fr" },
  h: { language: "hi-IN", code: "hi" },
  i: { language: "it-IT", code: "it" },
  j: { language: "ja-JP", code: "ja" },
  p: { language: "pt-BR", code: "pt-br" },
  z: { language: "cmn-CN", code: "cmn" },
};

/** Numbers in a style of a voice: some lengths of text, each so many. */
const STYLE_LENGTHS = [510, 511];
const STYLE_BYTES = 256 * Float32Array.BYTES_PER_ELEMENT;

function kokoroSpeakers({ files, folder }: InstalledModel): readonly ModelSpeaker[] {
  const size = statSync(join(folder, files["voices"] ?? ""), { throwIfNoEntry: false })?.size ?? 0;
  const counts = STYLE_LENGTHS.map((lengths) => size / (lengths * STYLE_BYTES));
  const names =
    KOKORO_SPEAKERS.find(({ length }) => counts.includes(length)) ??
    // Of one that nobody knows, the first voice is there at least, and American.
    (counts.includes(KOKORO_1_1.count) ? KOKORO_1_1.english : ["af"]);
  // The library's spelling reads no kanji.
  const spoken = names.map((id) => (id.startsWith("j") ? [] : kokoroVoice(id)));
  return spoken.flatMap((voices, number) => voices.map((voice) => ({ ...voice, number })));
}

/** What the name of a voice of Kokoro says of it; nothing where the name is of another kind. */
export function kokoroVoice(id: string): (LanguageVoice & { readonly code: string })[] {
  const [, letter = "", sex] = /^([a-z])([fm])(?:_|$)/.exec(id) ?? [];
  const spoken = KOKORO_LANGUAGES[letter];
  if (spoken === undefined) return [];
  const own = id.replace(/^[a-z]+_/, "").replace(/^v0/, "");
  const name = own === id ? "American" : `${own.charAt(0).toUpperCase()}${own.slice(1)}`;
  return [{ id, name, ...spoken, gender: sex === "f" ? "female" : "male" }];
}

/** First names of women and men that voices of Piper and of servers bear; nobody is guessed of the others. */
const FIRST_NAMES: Readonly<Record<VoiceGender, ReadonlySet<string>>> = {
  female: new Set(
    words(
      "alba alma amy anna berta cori female gosia irina jenny kathleen kerstin kristin lisa natia nathalie ona paola",
      "ramona salka serena siwis sohee ugla vivian",
    ),
  ),
  male: new Set(
    words(
      "aiden alan amir bryce bui danny davefx denis dylan eric dmitri gilles gwryw harri jirka joe john male norman pau riccardo ruslan ryan",
      "steinn thorsten tom",
    ),
  ),
};

/** Whether a voice is a woman's or a man's by a first name in its own name; `null` where that does not tell. */
export function sexOfName(name: string): VoiceGender | null {
  const named = name.toLowerCase().split(/[^a-z]+/);
  const [isFemale, isMale] = [FIRST_NAMES.female, FIRST_NAMES.male].map((names) => named.some((one) => names.has(one)));
  return isFemale === isMale ? null : isFemale === true ? "female" : "male";
}

function words(...lines: readonly string[]): readonly string[] {
  return lines.join(" ").split(" ");
}
