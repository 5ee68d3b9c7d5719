import { captionWords } from "../../core/caption-words.ts";
import type { TranscriptLine } from "../../core/dialogue.ts";
import { defined } from "../../core/objects.ts";
import { trackLanguage } from "../../core/settings.ts";
import { foldWhiteSpace, plainFromMarkup } from "../../formats/plain-markup.ts";
import { plainFromSubRip } from "../../formats/subrip.ts";
import {
  readTextSubtitles,
  type SubtitleCoding,
  type SubtitlePacket,
  type SubtitleTrack,
} from "../ffmpeg/decode/text-subtitles.ts";

/** What the subtitles inside a file say. */
export interface EmbeddedSubtitles {
  readonly lines: readonly TranscriptLine[];
  /** The track's language as the file states it, an ISO 639-2 code as a rule; `und` where it states none. */
  readonly language: string;
}

/** Titles of tracks that hold what stands on signs, songs, or what only the maker says; not all that is spoken. */
const PART_OF_IT = /\b(?:signs?|songs?|forced|lyrics|karaoke|commentar(?:y|ies)|notes?)\b/i;

/** ISO 639-2 codes that have a second one for books: what files state in place of that of `trackLanguage`. */
const BOOK_CODES: Readonly<Record<string, string>> = {
  ces: "cze", deu: "ger", ell: "gre", fra: "fre", nld: "dut", ron: "rum", slk: "slo", zho: "chi",
}; // biome-ignore format: a table reads better in rows

/**
 * Lines of the text subtitles in a file; `null` when it has none that tell what is said. Subtitles for people who do not hear well
 * will do: what they say of sounds is known by its brackets.
 *
 * @param language BCP-47 code of the language that is best; any other will do.
 * @param sounds The sound tracks that are the programme's, whose clock counts; what the file says decides where absent.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function embeddedSubtitles(
  path: string,
  language: string,
  signal: AbortSignal,
  sounds?: readonly number[],
): Promise<EmbeddedSubtitles | null> {
  const found = await readTextSubtitles(path, (tracks) => chooseSubtitles(tracks, language), signal, sounds);
  if (found === null) return null;
  const lines = found.packets
    .map((packet) => lineOf(packet, found.track.coding))
    .filter(({ text }) => text !== "")
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return lines.every(({ text }) => captionWords(text) === "") ? null : { lines, language: found.track.language };
}

/** The track that tells all that is said: of the best language, else the default one, else the first. */
export function chooseSubtitles(tracks: readonly SubtitleTrack[], language: string): SubtitleTrack | null {
  const whole = tracks.filter(({ isForced, title }) => !isForced && !PART_OF_IT.test(title));
  const code = trackLanguage(language);
  const isWanted = (track: SubtitleTrack) => [code, BOOK_CODES[code], language.split("-")[0]].includes(track.language);
  const wanted = code === "und" ? [] : whole.filter(isWanted);
  const among = wanted.length > 0 ? wanted : whole;
  return among.find(({ isDefault }) => isDefault) ?? among[0] ?? null;
}

function lineOf({ start, end, bytes }: SubtitlePacket, coding: SubtitleCoding): TranscriptLine {
  const { text, speaker } = READERS[coding](bytes);
  return { start, end, text: foldWhiteSpace(text), ...defined({ speaker }) };
}

const READERS: Readonly<
  Record<SubtitleCoding, (bytes: Uint8Array) => { readonly text: string; readonly speaker?: string | undefined }>
> = {
  // 3GPP TS 26.245, 5.17: the length of the text in two bytes, the text, then boxes that say how it looks.
  mov_text: (bytes) => {
    const length = 256 * (bytes[0] ?? 0) + (bytes[1] ?? 0);
    const text = bytes.subarray(2, 2 + length);
    const isWide = (text[0] === 0xfe && text[1] === 0xff) || (text[0] === 0xff && text[1] === 0xfe);
    const coding = !isWide ? "utf-8" : text[0] === 0xfe ? "utf-16be" : "utf-16le";
    return { text: new TextDecoder(coding).decode(text) };
  },
  // As Matroska stores it: number, layer, style, name, three margins, effect, and the text, which may hold commas.
  ass: (bytes) => {
    const fields = new TextDecoder().decode(bytes).split(",");
    const text = fields
      .slice(8)
      .join(",")
      .replace(/\{[^}]*\}/g, "")
      .replace(/\\[Nnh]/g, " ");
    return { text, speaker: named(fields[3]) };
  },
  webvtt: (bytes) => {
    const text = new TextDecoder().decode(bytes);
    return { text: plainFromMarkup(text), speaker: named(/<v(?:\.[^\s>]*)?\s+([^>]+)>/.exec(text)?.[1]) };
  },
  subrip: (bytes) => ({ text: plainFromSubRip(new TextDecoder().decode(bytes)) }),
};

/** A name, or nothing where it says nothing. */
function named(name = ""): string | undefined {
  const trimmed = name.trim();
  return trimmed === "" ? undefined : trimmed;
}
