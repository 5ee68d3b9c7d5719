// Our fitter on descriptions that people wrote and placed, with the dialogue as captioned: npm run tool -- bench:fitting
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cue } from "../../../src/core/cue.ts";
import { findGaps } from "../../../src/core/gap.ts";
import { holdProgramme } from "../../../src/core/held-programme.ts";
import { type Placeable, placeInGaps } from "../../../src/core/placement.ts";
import { placeWithHolds } from "../../../src/core/placement-extended.ts";
import { mergeRanges, overlapWithRanges, type TimeRange } from "../../../src/core/time-range.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { NarrationCache } from "../../../src/engine/voice/narration-cache.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import { readCues } from "../../../src/formats/index.ts";
import { printHead, printRow } from "../../common/report.ts";

const PAIRS = fileURLToPath(new URL("../../../../shared/corpora/webvtt/described-pairs/", import.meta.url));
const TOPICS = ["captions", "contrast", "controls", "keyboard", "layout", "notifications", "speech-recognition"];

/** A start this near to the human's counts as the same place, in seconds (AWS's window is -5 to +2). */
const SAME_PLACE_SECONDS = 2;

/** A film with what people said in it and about it. */
interface Pair {
  readonly name: string;
  readonly captions: readonly Cue[];
  /** The human's, with their places on the programme clock. */
  readonly descriptions: readonly Cue[];
  /** How long the human spoke each; `null` where the file does not tell. */
  readonly humanSeconds: readonly number[] | null;
  /** Seconds by which the human's extended version is longer; `null` where there is none. */
  readonly humanAddedSeconds: number | null;
}

const folder = await mkdtemp(join(tmpdir(), "aside-bench-fitting-"));
const narrator = new Narrator(new EspeakVoice(), new NarrationCache(folder), { language: "en-US", voice: "Achernar" });
try {
  printHead(
    "film",
    "descriptions",
    "placed: our voice",
    "human's pace",
    "within 2 s",
    "over captions: human",
    "ours",
    "said",
    "held: human",
    "ours, human's pace",
    "ours, our voice",
  );
  const totals = { descriptions: 0, voice: 0, pace: 0, near: 0, said: 0, humanHeld: 0, paceHeld: 0, voiceHeld: 0 };
  for (const pair of await allPairs()) {
    const speech = mergeRanges(pair.captions);
    const durationSeconds = Math.max(...[...pair.captions, ...pair.descriptions].map(({ end }) => end)) + 1;
    const spoken = await placeables(pair, null);
    const paced = await placeables(pair, pair.humanSeconds);
    const standard = fitStandard(spoken, speech, durationSeconds);
    const standardPaced = fitStandard(paced, speech, durationSeconds);
    const near = standardPaced.placed.filter(({ id, start }) => {
      const human = pair.descriptions.find((one) => one.id === id);
      return human !== undefined && Math.abs(human.start - start) <= SAME_PLACE_SECONDS;
    }).length;
    const [voiceHeld, paceHeld] = [spoken, paced].map((list) => addedSeconds(list, speech, durationSeconds));
    const human = pair.humanAddedSeconds;
    printRow(
      pair.name,
      `${pair.descriptions.length}`,
      `${standard.placed.length}`,
      `${standardPaced.placed.length}`,
      `${near}`,
      seconds(overSpeech(pair.descriptions, speech)),
      seconds(overSpeech(standard.placed, speech)),
      seconds(said(pair)),
      human === null ? "" : seconds(human),
      seconds(paceHeld ?? 0),
      seconds(voiceHeld ?? 0),
    );
    totals.descriptions += pair.descriptions.length;
    totals.voice += standard.placed.length;
    totals.pace += standardPaced.placed.length;
    totals.near += near;
    if (human === null) continue;
    totals.said += said(pair);
    totals.humanHeld += human;
    totals.paceHeld += paceHeld ?? 0;
    totals.voiceHeld += voiceHeld ?? 0;
  }
  const { descriptions, voice, pace, near } = totals;
  printRow(
    "all (said, held: the W3C films)",
    ...[descriptions, voice, pace, near].map(String),
    ...["", ""],
    ...[totals.said, totals.humanHeld, totals.paceHeld, totals.voiceHeld].map(seconds),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

function fitStandard(descriptions: readonly Placeable[], speech: readonly TimeRange[], durationSeconds: number) {
  const nothing = { music: [], silence: [], allowMusic: true, minimumSeconds: 0.75 };
  const gaps = findGaps({ durationSeconds, speech, ...nothing });
  return placeInGaps({ descriptions, gaps, speech, durationSeconds });
}

/** Seconds by which extended AD makes the programme longer. */
function addedSeconds(
  descriptions: readonly Placeable[],
  speech: readonly TimeRange[],
  durationSeconds: number,
): number {
  const placed = placeWithHolds({ descriptions, speech, cuts: [], durationSeconds });
  const cues = placed.map((cue) => ({ ...cue, narrationSeconds: cue.end - cue.start + cue.holdSeconds }));
  return holdProgramme(cues, { rate: null, firstFrameSeconds: 0, durationSeconds }).map.addedSeconds;
}

/** The human's descriptions as the fitter takes them: in one wording, their picture where the human placed them. */
async function placeables({ descriptions }: Pair, lengths: readonly number[] | null): Promise<Placeable[]> {
  const list: Placeable[] = [];
  for (const [index, { id, text, start, end }] of descriptions.entries()) {
    const length = lengths?.[index] ?? (await narrator.speak(text)).seconds;
    list.push({ id, wordings: [{ text, seconds: length }], picture: { start, end }, importance: 0.7 });
  }
  return list;
}

async function allPairs(): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const topic of TOPICS) {
    const read = (kind: string) => cuesOf(`perspectives/${topic}_${kind}.en.vtt`);
    const [captions, descriptions, extendedCaptions, spoken] = [
      await read("captions"),
      await read("desc"),
      await read("ad"),
      await read("ad_desc"),
    ];
    const lastEnd = (cues: readonly Cue[]) => Math.max(...cues.map(({ end }) => end));
    pairs.push({
      name: `W3C ${topic}`,
      captions,
      descriptions,
      humanSeconds: spoken.map(({ start, end }) => end - start),
      humanAddedSeconds: lastEnd(extendedCaptions) - lastEnd(captions),
    });
  }
  for (const [name, captionFile, descriptionFile] of [
    ["Elephants Dream", "elephantsdream/captions.en.vtt", "elephantsdream/descriptions.en.vtt"],
    ["World Wide Access", "ableplayer/wwa_captions_en.vtt", "ableplayer/wwa_description_en.vtt"],
    ["Deadline", "ableplayer/deadline_captions_en.vtt", "ableplayer/deadline_descriptions_en.vtt"],
    ["Blocks4All", "ableplayer/blocks4all_captions_en.vtt", "ableplayer/blocks4all_descriptions_en.vtt"],
  ] as const) {
    const descriptions = await cuesOf(descriptionFile);
    const humanSeconds = descriptions.map(({ start, end }) => end - start);
    pairs.push({ name, captions: await cuesOf(captionFile), descriptions, humanSeconds, humanAddedSeconds: null });
  }
  return pairs;
}

async function cuesOf(file: string): Promise<readonly Cue[]> {
  return readCues(await readFile(join(PAIRS, file), "utf8"), { filename: file }).cues;
}

/** Seconds that the human spoke. */
function said({ humanSeconds }: Pair): number {
  return (humanSeconds ?? []).reduce((sum, length) => sum + length, 0);
}

function overSpeech(cues: readonly TimeRange[], speech: readonly TimeRange[]): number {
  return cues.reduce((sum, cue) => sum + overlapWithRanges(cue, speech), 0);
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
