import { readFile } from "node:fs/promises";
import { mergeRanges, type TimeRange } from "../../../src/core/time-range.ts";
import { sharedMedia } from "../../../test/shared-media.ts";

/**
 * How the speech times of a recording came about. `exact`: placed or labelled to about 0.1 s. `turns`: speaker turns by
 * hand, which include short pauses. `none`: known to hold no word. `machine`: found by a voice detector, indicative only.
 */
type LabelKind = "exact" | "turns" | "none" | "machine";

/** A recording with known speech. */
export interface LabelledSound {
  readonly name: string;
  readonly path: string;
  readonly kind: LabelKind;
  readonly speech: readonly TimeRange[];
  /** The part that the labels cover; `null` for all of it. */
  readonly labelled: TimeRange | null;
}

/** All labelled material of the shared media folder; its README is the source of times given here. */
export async function labelledSounds(): Promise<LabelledSound[]> {
  const placed = rangesFromCsv(await readFile(sharedMedia("constructed/placed-speech.speech.csv"), "utf8"));
  const exact = (name: string, speech: readonly TimeRange[], until?: number): LabelledSound => ({
    name: baseName(name),
    path: sharedMedia(name),
    kind: "exact",
    speech,
    labelled: until === undefined ? null : { start: 0, end: until },
  });
  const silent = (name: string): LabelledSound => ({ ...exact(name, []), kind: "none" });
  const machine = (name: string, ...pairs: readonly (readonly [number, number])[]): LabelledSound => ({
    ...exact(name, pairs.map(asRange)),
    kind: "machine",
  });
  const meetings = ["dev00", "trn04", "trn08", "sample"].map(async (name): Promise<LabelledSound> => {
    const rttm = await readFile(sharedMedia(`audio/meeting/${name}.rttm`), "utf8");
    return { ...exact(`audio/meeting/${name}.wav`, rangesFromRttm(rttm)), kind: "turns" };
  });
  /** One voice from beginning to end, with its pauses. */
  const monologue = (name: string, seconds: number): LabelledSound => ({
    ...exact(name, [{ start: 0, end: seconds }]),
    kind: "turns",
  });
  const labels = await readFile(sharedMedia("audio/vad-labelled/speech.csv"), "utf8");
  return [
    exact("constructed/placed-speech-silence.mp4", placed),
    exact("constructed/placed-speech-music.mp4", placed),
    ...(await Promise.all(meetings)),
    // Then applause: claps, and nothing of a voice's low notes.
    monologue("audio/speech-clean/moon-speech.mp3", 25.9),
    monologue("audio/reading/sonnet001.mp3", 53.32),
    exact("audio/vad-labelled/train.wav", rangesFromNamedCsv(labels, "train.wav"), 4),
    exact("audio/vad-labelled/valid.wav", rangesFromNamedCsv(labels, "valid.wav"), 8),
    exact(
      "audio/speech-music-noise/musanmix.mp3",
      [
        [63.34, 68.26],
        [68.92, 71.6],
        [72, 73.82],
      ].map(asRange),
      74.5,
    ),
    exact("speech/sintel-excerpt.mp4", [asRange([12.3, 14.5])]),
    ...["no-dialogue/big-buck-bunny-5min.mp4", "no-dialogue/tears-of-steel-battle-clip-medium.webm"].map(silent),
    ...["no-dialogue/chaplin.mp4", "described/rabbit/video.mp4", "described/rabbit/silent.mp4"].map(silent),
    ...["audio/vad-patterns/n.wav", "audio/speech-music-noise/silence2sec.wav"].map(silent),
    machine("described/rabbit/video-with-voiceover.mp4", [0.26, 3.62], [4.26, 6.88], [10.59, 12.42]),
    machine("speech/nasa_13013.mp4", [0.7, 4.8], [5.2, 8.2], [8.5, 12.1]),
    machine("speech/friday.mp4", [0.9, 6.1]),
    machine(
      "described/perspective-keyboard/perspective-video.mp4",
      ...([
        [0.2, 2.3],
        [2.7, 4.2],
        [5.1, 6.8],
        [7.2, 9.3],
        [10.3, 13.1],
        [13.7, 16.0],
      ] as const),
    ),
  ];
}

function baseName(path: string): string {
  return path.split("/").at(-1) ?? path;
}

function asRange(pair: readonly number[]): TimeRange {
  const [start = 0, end = 0] = pair;
  return { start, end };
}

/** Rows `start,end,...` under one heading row. */
function rangesFromCsv(text: string): TimeRange[] {
  return rows(text).map((row) => asRange(row.map(Number)));
}

/** Rows `file,start,end,...` of one file. */
function rangesFromNamedCsv(text: string, file: string): TimeRange[] {
  return rows(text).flatMap(([name, ...numbers]) => (name === file ? [asRange(numbers.map(Number))] : []));
}

function rows(text: string): string[][] {
  return text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(","));
}

/** Speaker turns as NIST's Rich Transcription Time Marked lists them: the fourth and fifth field are start and length. */
function rangesFromRttm(text: string): TimeRange[] {
  const turns = text.split(/\r?\n/).flatMap((line) => {
    const [type, , , start, length] = line.split(/\s+/);
    return type === "SPEAKER" ? [{ start: Number(start), end: Number(start) + Number(length) }] : [];
  });
  return mergeRanges(turns);
}
