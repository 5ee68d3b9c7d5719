import { LANGUAGES, VOICES, type VoiceGender } from "../../contract/choices.ts";
import { type Speaker, type Voice, VoiceUnavailableError } from "./voice.ts";

/** Which of an engine's own voices speak, and in which languages. */
export interface VoiceNames {
  /** The engine's voice for catalogue names; others take one of `byGender`. */
  readonly own: Readonly<Record<string, string>>;
  /** The engine's voices for names that have none of their own, in turn. */
  readonly byGender: { readonly female: readonly string[]; readonly male: readonly string[] };
  /** Codes (`en-US`) or families (`en`) that the engine speaks; `null`: whatever it is asked. */
  readonly languages: readonly string[] | null;
  /** Where each voice of the engine speaks one language: all of them, the best first. They stand in place of `byGender`. */
  readonly byLanguage?: readonly LanguageVoice[];
  /** Those of `own` that the engine turned out not to have. */
  readonly lacking?: Readonly<Record<string, string>>;
}

/** A voice that speaks one language. */
export interface LanguageVoice {
  readonly id: string;
  /** What a person knows it by; absent where its id is all there is. */
  readonly name?: string;
  /** BCP-47 code; a language alone where no more is known. */
  readonly language: string;
  /** `null` where nobody says. */
  readonly gender: "female" | "male" | null;
  /** The program that speaks it, where it is another than that of the others. */
  readonly command?: readonly [program: string, ...args: string[]] | undefined;
}

/** Voices of OpenAI's own speech models, which compatible servers map to theirs. */
export const OPENAI_VOICES = {
  female: ["nova", "shimmer", "coral", "sage", "alloy"],
  male: ["onyx", "echo", "ash", "fable", "ballad", "verse"],
} as const;

/** Those of them that its first models had: servers elsewhere know no others, and `tts-1` itself few. */
export const FIRST_OPENAI_VOICES = { female: ["nova", "shimmer", "alloy"], male: ["onyx", "echo", "fable"] } as const;

/** Who speaks for a name of the catalogue on an engine that has the voice: by sex, and by the character that the name has. */
interface CatalogueRow {
  /** As the vendor of the catalogue describes the name in its list of voices; `Narrator` is our own. */
  readonly character: string;
  readonly supertonic: string;
  /** Of Kokoro, with an American and with a British accent. */
  readonly american: string;
  readonly british: string;
  readonly openai: string;
}

const row = (
  character: string,
  supertonic: string,
  american: string,
  british: string,
  openai: string,
): CatalogueRow => ({
  character,
  supertonic,
  american,
  british,
  openai,
});

/**
 * The one table of who speaks for a name. Where an engine lacks the voice of a row, its voices of that sex take turns
 * ({@link engineVoice}). Kokoro's whisper (`af_nicole`) and `am_santa` stand for no name that anybody gets unasked.
 */
export const CATALOGUE_ROWS: Readonly<Record<string, CatalogueRow>> = {
  Achernar: row("soft", "F5", "af_heart", "bf_emma", "nova"),
  Aoede: row("breezy", "F2", "af_aoede", "bf_lily", "shimmer"),
  Autonoe: row("bright", "F2", "af_bella", "bf_alice", "coral"),
  Callirrhoe: row("easy-going", "F1", "af_river", "bf_isabella", "sage"),
  Despina: row("smooth", "F1", "af_sky", "bf_isabella", "alloy"),
  Erinome: row("clear", "F3", "af_sarah", "bf_emma", "nova"),
  Gacrux: row("mature", "F1", "af_alloy", "bf_isabella", "shimmer"),
  Kore: row("firm", "F3", "af_kore", "bf_alice", "coral"),
  Laomedeia: row("upbeat", "F2", "af_jessica", "bf_lily", "sage"),
  Leda: row("youthful", "F4", "af_nova", "bf_lily", "alloy"),
  Pulcherrima: row("forward", "F4", "af_bella", "bf_alice", "nova"),
  Sulafat: row("warm", "F5", "af_heart", "bf_emma", "shimmer"),
  Vindemiatrix: row("gentle", "F5", "af_nicole", "bf_emma", "coral"),
  Zephyr: row("bright", "F4", "af_nova", "bf_alice", "sage"),
  Achird: row("friendly", "M1", "am_liam", "bm_lewis", "onyx"),
  Algenib: row("gravelly", "M2", "am_onyx", "bm_lewis", "echo"),
  Algieba: row("smooth", "M5", "am_michael", "bm_george", "ash"),
  Alnilam: row("firm", "M2", "am_eric", "bm_daniel", "fable"),
  Charon: row("informative", "M3", "am_michael", "bm_george", "ballad"),
  Enceladus: row("breathy", "M4", "am_echo", "bm_fable", "verse"),
  Fenrir: row("excitable", "M1", "am_fenrir", "bm_fable", "onyx"),
  Iapetus: row("clear", "M3", "am_eric", "bm_daniel", "echo"),
  Orus: row("firm", "M2", "am_adam", "bm_daniel", "ash"),
  Puck: row("upbeat", "M1", "am_puck", "bm_fable", "fable"),
  Rasalgethi: row("informative", "M3", "am_onyx", "bm_george", "ballad"),
  Sadachbia: row("lively", "M1", "am_puck", "bm_fable", "verse"),
  Sadaltager: row("knowledgeable", "M3", "am_fenrir", "bm_george", "onyx"),
  Schedar: row("even", "M4", "am_echo", "bm_daniel", "echo"),
  Umbriel: row("easy-going", "M5", "am_liam", "bm_lewis", "ash"),
  Zubenelgenubi: row("casual", "M4", "am_adam", "bm_lewis", "fable"),
  Narrator: row("a narrator's", "M3", "am_michael", "bm_george", "ballad"),
};

/**
 * The engine's voice behind a catalogue name: the same one every time, and for names of one gender each of the engine's
 * voices as seldom as possible.
 *
 * @throws VoiceUnavailableError when the engine does not speak the language, or has no voice for the name.
 */
export function engineVoice(names: VoiceNames, language: string, voice: string, engine: string): string {
  const isNone = names.byLanguage?.every((one) => familyOf(one.language) !== familyOf(language)) === true;
  if (isNone) throw new VoiceUnavailableError(`${engine} has no voice for ${language}.`);
  if (names.languages !== null && !names.languages.some((known) => isWithin(language, known))) {
    throw new VoiceUnavailableError(`${engine} is not set up to speak ${language}.`);
  }
  const lacking = names.lacking?.[voice];
  if (lacking !== undefined)
    throw new VoiceUnavailableError(`${engine} has no voice "${lacking}", which ${voice} is set to.`);
  if (Object.hasOwn(names.own, voice)) return names.own[voice] ?? voice;
  const entry = VOICES.find(({ name }) => name === voice);
  const candidates = entry === undefined ? [] : candidatesOf(names, language, entry.gender);
  const rowOf = Object.values(CATALOGUE_ROWS[voice] ?? {});
  const named = candidates.find((id) => rowOf.includes(id));
  if (named !== undefined) return named;
  const index = VOICES.filter(({ gender }) => gender === entry?.gender).findIndex(({ name }) => name === voice);
  const chosen = candidates[index % candidates.length];
  if (chosen === undefined) throw new VoiceUnavailableError(`${engine} has no voice for ${voice}.`);
  return chosen;
}

/** The engine's voices of a gender in a language. A name keeps its voice as long as none is installed or removed. */
function candidatesOf(names: VoiceNames, language: string, gender: "female" | "male"): readonly string[] {
  if (names.byLanguage === undefined) return names.byGender[gender];
  const exact = names.byLanguage.filter((voice) => systemCode(voice.language) === systemCode(language));
  const family = names.byLanguage.filter((voice) => familyOf(voice.language) === familyOf(language));
  const speaking = exact.length > 0 ? exact : family;
  const fitting = speaking.filter((voice) => voice.gender === gender);
  const known = fitting.length > 0 ? fitting : speaking.filter((voice) => voice.gender === null);
  return (known.length > 0 ? known : speaking).map(({ id }) => id);
}

/** Codes of the interface that systems write otherwise. */
const SYSTEM_CODES: Readonly<Record<string, string>> = {
  "cmn-cn": "zh-cn",
  "yue-hk": "zh-hk",
  "nb-no": "no-no",
};

function systemCode(language: string): string {
  const code = language.toLowerCase();
  return SYSTEM_CODES[code] ?? code;
}

/** Languages that have two codes. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { cmn: "zh", nb: "no" };

/** The language of a code without its region, as systems write it. Cantonese is none of Chinese's: whoever speaks one does not speak the other. */
export function familyOf(language: string): string {
  const code = systemCode(language);
  const [family = ""] = code.split("-");
  return code === "zh-hk" ? "yue" : (SAME_LANGUAGE[family] ?? family);
}

function isWithin(language: string, known: string): boolean {
  const [code, wanted] = [language.toLowerCase(), known.toLowerCase()];
  return code === wanted || code.startsWith(`${wanted}-`);
}

/** Who speaks for a name, of an engine with such voices. @throws VoiceUnavailableError as {@link engineVoice} does. */
export function engineSpeaker(names: VoiceNames, language: string, voice: string, engine: string): Speaker {
  const id = engineVoice(names, language, voice, engine);
  const own = names.byLanguage?.find((one) => one.id === id);
  if (own !== undefined) return { id, title: own.name ?? id, gender: own.gender };
  // A program without names of its own has one voice.
  if (id === "default") return { id, title: "The program's voice", gender: null };
  const [isFemale, isMale] = [names.byGender.female, names.byGender.male].map((ids) => ids.includes(id));
  return { id, title: id, gender: isFemale === isMale ? null : isFemale === true ? "female" : "male" };
}

/** A name of the voice catalogue with what it speaks on the configured voice. */
export interface CatalogueVoice {
  readonly name: string;
  readonly gender: VoiceGender;
  /** `false` for names that no source confirms to exist on the hosted service. */
  readonly isConfirmed: boolean;
  /** Language codes it speaks, in the interface's order. */
  readonly languages: readonly string[];
}

/** Every name of the catalogue, with the languages in which the voice speaks it. */
export function voiceCatalogue(voice: Voice): CatalogueVoice[] {
  return VOICES.map(({ name, gender, isConfirmed }) => ({
    name,
    gender,
    isConfirmed,
    languages: LANGUAGES.filter((language) => speaks(voice, language, name)),
  }));
}

function speaks(voice: Voice, language: string, name: string): boolean {
  try {
    voice.check(language, name);
    return true;
  } catch (error) {
    if (error instanceof VoiceUnavailableError) return false;
    throw error;
  }
}
