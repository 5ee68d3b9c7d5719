// Speech and gaps found in all labelled material of the shared media folder, next to FFmpeg's silencedetect and the WebRTC
// voice activity detector: npm run tool -- bench:hearing
import { analyseSound } from "../../../src/engine/analyse/sound/analyse-sound.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { print } from "../../common/report.ts";
import { addScores, type HearingScore, NO_SCORE, scoreHearing } from "./hearing-score.ts";
import { type LabelledSound, labelledSounds } from "./labelled-sound.ts";
import { notSilent, webRtcSpeech } from "./other-detectors.ts";
import { withoutPauses } from "./speaker-turns.ts";

const METHODS = ["aside", "silencedetect", "WebRTC"] as const;

print(
  "P, R: precision and recall of speech in %. gaps: share of the time without speech in gaps of 2 s and more that lies",
);
print("in usable gaps found (0.75 s and more). over: seconds of audible speech inside those.");
print(`${"".padEnd(46)}${METHODS.map((name) => name.padEnd(27)).join("")}`.trimEnd());
print(
  `${"file".padEnd(36)}${"labels".padEnd(10)}${METHODS.map(() => "    P     R  gaps  over   ").join(" ")}`.trimEnd(),
);

const placed = new Map<string, readonly HearingScore[]>();
const pooled = new Map<string, HearingScore[]>();
for (const sound of await labelledSounds()) {
  const scores = await scoresOf(sound);
  print(row(sound.name, sound.kind, scores));
  if (sound.name.startsWith("placed-")) placed.set(sound.name, scores);
  const group = sound.kind === "machine" ? "machine" : "by people";
  const sums = pooled.get(group) ?? METHODS.map(() => NO_SCORE);
  pooled.set(
    group,
    sums.map((sum, index) => addScores(sum, scores[index] ?? NO_SCORE)),
  );
}
for (const [group, scores] of pooled) print(row("all", group, scores));
print("\nPrecision and recall of the time without speech in %, on the films with placed speech:");
for (const [name, scores] of placed) print(`${name.padEnd(36)}${scores.map(noSpeechShares).join("   ")}`);

async function scoresOf(sound: LabelledSound): Promise<HearingScore[]> {
  const durationSeconds = (await probeMedia(sound.path)).durationSeconds ?? 0;
  const window = sound.labelled ?? { start: 0, end: durationSeconds };
  const voiced = sound.kind === "turns" ? await withoutPauses(sound.path, sound.speech) : sound.speech;
  const heard = await analyseSound(sound.path, { durationSeconds });
  const webRtc = await webRtcSpeech(sound.path, durationSeconds);
  return [heard.speech, notSilent(sound.path, durationSeconds), webRtc].map((found) =>
    scoreHearing(found, { speech: sound.speech, voiced, window }),
  );
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
