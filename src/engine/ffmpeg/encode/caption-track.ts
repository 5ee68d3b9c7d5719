import { AV_CODEC_ID_MOV_TEXT, AVMEDIA_TYPE_SUBTITLE } from "node-av/constants";
import { Packet, type Stream } from "node-av/lib";
import type { Cue } from "../../../core/cue.ts";
import type { TimeMap } from "../../../core/time-map.ts";
import type { MovieFile, TrackLabel } from "../movie-file.ts";

/** Captions of a movie are timed in milliseconds. */
const TIME_BASE = { num: 1, den: 1000 };

/**
 * How a text track looks where a player does not decide (3GPP TS 26.245, 5.16): centred at the foot of the picture, white,
 * 18 units high, in the one font of the table at its end.
 */
const SAMPLE_DESCRIPTION = Buffer.from(
  "0000000001ff00000000" + // display flags, justification, background
    "0000000000000000" + // box: the player's choice
    "0000000000010012ffffffff" + // style: whole text, font 1, plain, 18, white
    "0000001266746162000100010553657269 66".replace(" ", ""), // font table: font 1 is "Serif"
  "hex",
);

/** Captions given as cues, written into a movie as a text track on its own clock. */
export class CaptionTrack implements Disposable {
  readonly #movie: MovieFile;
  readonly #track: Stream;
  readonly #packet = new Packet();
  /** Still to be written, in order, in seconds on the movie's clock. */
  readonly #cues: Cue[];

  /**
   * Adds the track to a movie that has not begun.
   *
   * @param cues In order, in seconds on the programme clock.
   */
  constructor(movie: MovieFile, cues: readonly Cue[], map: TimeMap, label: TrackLabel) {
    this.#movie = movie;
    this.#cues = retimeCaptions(cues, map);
    this.#packet.alloc();
    this.#track = movie.addTrack(TIME_BASE, label);
    const { codecpar } = this.#track;
    codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
    codecpar.codecId = AV_CODEC_ID_MOV_TEXT;
    codecpar.extradata = SAMPLE_DESCRIPTION;
  }

  /** Writes the captions that begin before `seconds`. */
  advance(seconds: number): void {
    for (let cue = this.#cues[0]; cue !== undefined && cue.start < seconds; cue = this.#cues[0]) {
      this.#cues.shift();
      const text = Buffer.from(cue.text, "utf8").subarray(0, 0xffff);
      const sample = Buffer.alloc(2 + text.length);
      sample.writeUInt16BE(text.length, 0);
      text.copy(sample, 2);
      this.#packet.data = sample;
      const [start, end] = [BigInt(Math.round(cue.start * 1000)), BigInt(Math.round(cue.end * 1000))];
      this.#packet.pts = start;
      this.#packet.dts = start;
      this.#packet.duration = end - start;
      this.#packet.isKeyframe = true;
      this.#movie.write(this.#packet, this.#track, TIME_BASE);
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
  }
}

/**
 * Captions on the clock of a video with pauses: one that ends at a pause is gone when the picture stops, one that the
 * pause falls into stays. Those that would overlap the next are cut at its start, as a text track needs.
 */
export function retimeCaptions(cues: readonly Cue[], map: TimeMap): Cue[] {
  const retimed = cues
    .map((cue) => ({ ...cue, start: map.departure(cue.start), end: map.arrival(cue.end) }))
    .sort((a, b) => a.start - b.start);
  return retimed
    .map((cue, index) => ({ ...cue, end: Math.min(cue.end, retimed[index + 1]?.start ?? cue.end) }))
    .filter(({ start, end }) => end - start >= 0.001);
}
