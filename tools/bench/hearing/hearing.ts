// Speech and gaps found in all labelled material of the shared media folder, and in its voices over five kinds of music, next to
// each version of Silero's network alone, the WebRTC voice activity detector and FFmpeg's silencedetect:
//   npm run tool -- bench:hearing
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clipRanges, mergeRanges, type TimeRange, totalDuration } from "../../../src/core/time-range.ts";
import { analyseSound } from "../../../src/engine/analyse/sound/analyse-sound.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { print } from "../../common/report.ts";
import { addScores, type HearingScore, NO_SCORE, scoreHearing } from "./hearing-score.ts";
import { type LabelledSound, labelledSounds } from "./labelled-sound.ts";
import { notSilent, sileroSpeech, webRtcSpeech } from "./other-detectors.ts";
import { withoutPauses } from "./speaker-turns.ts";
import { voicesOverMusic } from "./voices-over-music.ts";

const METHODS = ["aside", "Silero v6", "Silero v5", "WebRTC", "silencedetect"] as const;

/** What recordings are, by how their speech is labelled; the words of {@link LabelledSound.kind}. */
const KINDS = { exact: "films, clips", turns: "meetings, reading", none: "no speech", machine: "machine" };

print(
  "P, R: precision and recall of speech in %. gaps: share of the time without speech in gaps of 2 s and more that lies",
);
print("in usable gaps found (0.75 s and more). over: seconds of audible speech inside those.");
print(`${"".padEnd(46)}${METHODS.map((name) => name.padEnd(27)).join("")}`.trimEnd());
print(
  `${"file".padEnd(36)}${"labels".padEnd(10)}${METHODS.map(() => "    P     R  gaps  over   ").join(" ")}`.trimEnd(),
);

/** Recordings that are laid over music. */
const OVER_MUSIC = /^(?:dev00|trn04|trn08|sample|sonnet001|placed-speech-silence)\./;

const placed = new Map<string, readonly HearingScore[]>();
const pooled = new Map<string, HearingScore[]>();
for (const sound of await labelledSounds()) {
  const scores = await scoresOf(sound);
  print(row(sound.name, sound.kind, scores));
  if (sound.name.startsWith("placed-")) placed.set(sound.name, scores);
  pool(KINDS[sound.kind], scores);
  if (sound.kind !== "machine") pool("by people", scores);
}
for (const [group, scores] of pooled) print(row("all", group, scores));
print("\nPrecision and recall of the time without speech in %, on the films with placed speech:");
for (const [name, scores] of placed) print(`${name.padEnd(36)}${scores.map(noSpeechShares).join("   ")}`);

const folder = await mkdtemp(join(tmpdir(), "aside-hearing-"));
try {
  print(
    "\nVoices over music, as many dB above it where somebody speaks: audible speech in usable gaps / gaps found, in %:",
  );
  print(`${"music".padEnd(20)}${METHODS.map((name) => name.padEnd(16)).join("")}`.trimEnd());
  const voices = (await labelledSounds()).filter(({ name }) => OVER_MUSIC.test(name));
  const lost = new Map<string, { audible: number; scores: readonly HearingScore[] }>();
  for await (const mixed of voicesOverMusic(voices, folder)) {
    const scores = await scoresOf(mixed, mixed.voiced);
    const audible = totalDuration(clipRanges(mergeRanges(mixed.voiced), mixed.labelled ?? { start: 0, end: 0 }));
    for (const key of [`${mixed.above} dB, ${mixed.music}`, `${mixed.above} dB, all`]) {
      const before = lost.get(key) ?? { audible: 0, scores: METHODS.map(() => NO_SCORE) };
      lost.set(key, { audible: before.audible + audible, scores: added(before.scores, scores) });
    }
  }
  for (const [key, { audible, scores }] of [...lost].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const cells = scores.map((one) => `${share(one.speechInGaps, audible)} / ${share(one.foundGaps, one.gaps)}`);
    print(`${key.padEnd(20)}${cells.map((cell) => cell.padEnd(16)).join("")}`.trimEnd());
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function pool(group: string, scores: readonly HearingScore[]): void {
  pooled.set(group, added(pooled.get(group) ?? METHODS.map(() => NO_SCORE), scores));
}

function added(sums: readonly HearingScore[], scores: readonly HearingScore[]): HearingScore[] {
  return sums.map((sum, index) => addScores(sum, scores[index] ?? NO_SCORE));
}

async function scoresOf(sound: LabelledSound, audible?: readonly TimeRange[]): Promise<HearingScore[]> {
  const durationSeconds = (await probeMedia(sound.path)).durationSeconds ?? 0;
  const window = sound.labelled ?? { start: 0, end: durationSeconds };
  const voiced = audible ?? (sound.kind === "turns" ? await withoutPauses(sound.path, sound.speech) : sound.speech);
  const found = [
    (await analyseSound(sound.path, { durationSeconds })).speech,
    await sileroSpeech(sound.path, durationSeconds, "v6"),
    await sileroSpeech(sound.path, durationSeconds, "v5"),
    await webRtcSpeech(sound.path, durationSeconds),
    notSilent(sound.path, durationSeconds),
  ];
  return found.map((speech) => scoreHearing(speech, { speech: sound.speech, voiced, window }));
}

function row(name: string, kind: string, scores: readonly HearingScore[]): string {
  const cells = scores.map(({ speech, found, foundSpeech, gaps, foundGaps, speechInGaps }) =>
    [share(foundSpeech, found), share(foundSpeech, speech), share(foundGaps, gaps), speechInGaps.toFixed(2)]
      .map((cell) => cell.padStart(6))
      .join("")
      .padEnd(27),
  );
  return `${name.slice(0, 35).padEnd(36)}${kind.padEnd(10)}${cells.join("")}`.trimEnd();
}

function noSpeechShares({ length, speech, found, foundSpeech }: HearingScore, index: number): string {
  const both = length - speech - found + foundSpeech;
  return `${METHODS[index]}: ${share(both, length - found)} / ${share(both, length - speech)}`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "-" : ((100 * part) / whole).toFixed(1);
}
