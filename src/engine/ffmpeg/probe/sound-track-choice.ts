import { AV_DISPOSITION_DEFAULT } from "node-av/constants";
import type { FormatContext, Stream } from "node-av/lib";
import { mediaName, openMedia } from "../open.ts";
import { isOtherSound, isReadable, soundTracks, streamLanguage, titleOf } from "./media-streams.ts";
import { areChannels, nameOfTrack, soundStreams, tracksOf } from "./programme-sound-streams.ts";

/** What a person's words for a sound track come to in a file. */
export type AskedSound =
  | { readonly kind: "found"; readonly tracks: readonly number[] }
  /** A sentence with the tracks that there are. */
  | { readonly kind: "unknown"; readonly message: string };

/**
 * The sound tracks that a person asks for, by number (from 1), language (a code or a name in English) or title. Of several that
 * answer to it, that of the film's own is taken, and a default one before others; channels that stand in tracks of their
 * own are taken together.
 *
 * @throws MediaProcessError when the file cannot be opened.
 */
export async function askedSound(path: string, asked: string): Promise<AskedSound> {
  using media = await openMedia(path);
  const tracks = soundTracks(media.context);
  const answering = tracksNamed(tracks, asked.trim()).filter(isReadable);
  const own = answering.filter((track) => !isOtherSound(track));
  const among = own.length > 0 ? own : answering;
  const chosen = among.find((track) => track.hasDisposition(AV_DISPOSITION_DEFAULT)) ?? among[0];
  if (chosen === undefined) return { kind: "unknown", message: unknownTrack(path, asked, tracks) };
  const channels = among.filter((track) => track.index === chosen.index || areChannels(track, chosen));
  return { kind: "found", tracks: numbersOf(tracks, channels) };
}

/**
 * The sounds of a file that may be the programme's own, each as the tracks it is taken from, counted from 1: first that which the
 * file itself points to, then others that do not say they are something else. Empty for a file without sound.
 *
 * @throws MediaProcessError when the file cannot be opened.
 */
export async function soundCandidates(path: string): Promise<number[][]> {
  using media = await openMedia(path);
  const { context } = media;
  const first = soundStreams(context);
  if (first === null) return [];
  if (isOtherSound(first.streams[0])) return [tracksOf(context, first)];
  const taken = new Set(first.streams.map(({ index }) => index));
  const candidates = [tracksOf(context, first)];
  for (const track of ownTracks(context)) {
    if (taken.has(track.index)) continue;
    // What is left of tracks of one channel each is taken in pairs, as editors lay them.
    const other = ownTracks(context).find(({ index }) => index === track.index + 1);
    const isPair = other !== undefined && !taken.has(other.index) && areChannels(track, other);
    const sound = isPair ? [track, other] : [track];
    for (const { index } of sound) taken.add(index);
    candidates.push(numbersOf(soundTracks(context), sound));
  }
  return candidates;
}

function ownTracks(context: FormatContext): Stream[] {
  return soundTracks(context).filter((track) => isReadable(track) && !isOtherSound(track));
}

function numbersOf(tracks: readonly Stream[], chosen: readonly Stream[]): number[] {
  return tracks.flatMap((track, index) => (chosen.some((one) => one.index === track.index) ? [index + 1] : []));
}

/** Tracks with that number; else of that language; else with that title, whole or in part. */
function tracksNamed(tracks: readonly Stream[], asked: string): Stream[] {
  if (/^\d+$/.test(asked)) return tracks.slice(Number(asked) - 1).slice(0, Number(asked) > 0 ? 1 : 0);
  const words = asked.toLowerCase();
  const titles = (accepts: (title: string) => boolean) =>
    tracks.filter((track) => accepts((titleOf(track) ?? "").toLowerCase()));
  const found = [
    tracks.filter((track) => isLanguage(streamLanguage(track), words)),
    titles((title) => title === words),
    titles((title) => words !== "" && title.includes(words)),
  ];
  return found.find(({ length }) => length > 0) ?? [];
}

/** Whether a code that a file states is the language that somebody names by a code or in English. */
function isLanguage(code: string, words: string): boolean {
  const stated = subtagOf(code);
  if (stated === null || stated === "und") return false;
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(stated)?.toLowerCase();
  return name === words || subtagOf(words) === stated;
}

/** The first subtag as BCP 47 writes it, so that `ger`, `deu` and `de-DE` are one; `null` for what is no code. */
function subtagOf(code: string): string | null {
  try {
    return new Intl.Locale(code).language;
  } catch {
    return null;
  }
}

function unknownTrack(path: string, asked: string, tracks: readonly Stream[]): string {
  if (tracks.length === 0) return `${mediaName(path)} has no sound track "${asked}": it has no sound.`;
  const list = tracks.map(
    (track, index) => `${index + 1}${nameOfTrack(track)}${isReadable(track) ? "" : ", which cannot be decoded"}`,
  );
  return `${mediaName(path)} has no sound track "${asked}" that can be heard. It has ${list.join("; ")}. Choose one by its number, its language or its title.`;
}
