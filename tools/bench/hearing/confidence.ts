// What the confidence of speech is worth: the share of true speech in the time of ranges of like confidence, in the labelled
// material and in its voices laid over the films without words, 10 dB to -5 dB above them: npm run tool -- bench:confidence
import { mergeRanges, overlapWithRanges, rangeDuration } from "../../../src/core/time-range.ts";
import { decideMusic, MusicDetector } from "../../../src/engine/analyse/sound/music-detector.ts";
import { findSpeech, speechConfidence } from "../../../src/engine/analyse/sound/speech-decision.ts";
import { VoiceFeatures } from "../../../src/engine/analyse/sound/voice-features.ts";
import { sharedMedia } from "../../../test/shared-media.ts";
import { print } from "../../common/report.ts";
import { type LabelledSound, labelledSounds } from "./labelled-sound.ts";
import { dialogueOf, over, RATE } from "./voices-over-music.ts";

/** How far the voices lie above the films, in dB. */
const ABOVE = [10, 5, 0, -5];

const BIN = 0.1;

/** A range found, and the seconds of it in which somebody speaks. */
interface Judged {
  readonly seconds: number;
  readonly spoken: number;
  readonly probability: number;
  readonly confidence: number;
}

const sounds = (await labelledSounds()).filter(({ kind }) => kind !== "machine");
const films = sounds.filter(({ kind, name }) => kind === "none" && /^(?:big|tears|chaplin)/u.test(name));
const beds = await Promise.all(films.map(({ path }) => dialogueOf(path)));
const chrome = { name: "chrome.mp4", path: sharedMedia("described/chrome-fast/chrome.mp4"), kind: "none" } as const;
const alone: Judged[] = [];
for (const sound of [...sounds, { ...chrome, speech: [], labelled: null }]) {
  alone.push(...(await judge(await dialogueOf(sound.path), sound)));
}
table("labelled material", alone);
const all = [...alone];
const voices = sounds.filter(({ speech, name }) => speech.length > 0 && !/^(?:placed-speech-music|sintel)/u.test(name));
for (const above of ABOVE) {
  const mixed: Judged[] = [];
  for (const sound of voices) {
    const voice = await dialogueOf(sound.path);
    for (const bed of beds) mixed.push(...(await judge(over(voice, bed, sound.speech, above), sound)));
  }
  table(`voices ${above} dB above films`, mixed);
  all.push(...mixed);
}
table("all", all);

async function judge(dialogue: Float32Array, { speech, labelled }: LabelledSound): Promise<Judged[]> {
  const durationSeconds = dialogue.length / RATE;
  const window = labelled ?? { start: 0, end: durationSeconds };
  const listener = await VoiceFeatures.start();
  const musician = new MusicDetector();
  for (let at = 0; at < dialogue.length; at += RATE) {
    listener.add(dialogue.slice(at, at + RATE));
    musician.add(dialogue.slice(at, at + RATE));
  }
  const evidence = listener.finish(durationSeconds, decideMusic(musician.scores(), durationSeconds));
  const spoken = mergeRanges(speech);
  return findSpeech(evidence).flatMap(({ start, end, probability }) => {
    if (start >= window.end) return [];
    const confidence = speechConfidence({ start, end }, probability, evidence);
    const heard = { start, end: Math.min(end, window.end) };
    return [{ seconds: rangeDuration(heard), spoken: overlapWithRanges(heard, spoken), probability, confidence }];
  });
}

function table(title: string, judged: readonly Judged[]): void {
  for (const kind of ["probability", "confidence"] as const) {
    print(`${title}, by ${kind === "probability" ? "the network's mean probability" : "confidence"}`);
    for (let from = 0; from < 1; from += BIN) {
      const bin = judged.filter((one) => one[kind] >= from - 1e-9 && one[kind] < from + BIN - 1e-9);
      if (bin.length === 0) continue;
      const seconds = sum(bin, "seconds");
      const share = ((100 * sum(bin, "spoken")) / seconds).toFixed(0).padStart(4);
      const wrong = bin.filter(({ spoken }) => spoken === 0).length;
      const ranges = `${String(bin.length).padStart(5)} ranges, ${String(wrong).padStart(3)} without any`;
      print(
        `  ${from.toFixed(1)} to ${(from + BIN).toFixed(1)} ${share} % speech ${seconds.toFixed(0).padStart(6)} s ${ranges}`,
      );
    }
  }
}

function sum(judged: readonly Judged[], of: "seconds" | "spoken"): number {
  return judged.reduce((total, one) => total + one[of], 0);
}
