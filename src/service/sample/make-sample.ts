import type { TimeRange } from "../../core/time-range.ts";
import { writeMovie } from "../ffmpeg/encode/write-movie.ts";
import type { SpokenLine } from "../spoken-line.ts";
import type { Voice } from "../voice/voice.ts";
import { SAMPLE_PICTURE, SAMPLE_SECONDS, sampleFrames } from "./scenes.ts";
import { type PlacedLine, SAMPLE_RATE, soundtrackBlocks } from "./soundtrack.ts";

/** One line of the sample's dialogue and the silence before it. */
interface ScriptLine {
  readonly pauseSeconds: number;
  readonly voice: string;
  readonly text: string;
}

/** Two voices in dialogue; pauses between 1 and 6 seconds. */
const DIALOGUE: readonly ScriptLine[] = [
  { pauseSeconds: 5, voice: "Kore", text: "The boat is late again." },
  { pauseSeconds: 1, voice: "Charon", text: "It will come." },
  { pauseSeconds: 4, voice: "Kore", text: "You said that yesterday." },
  { pauseSeconds: 1.5, voice: "Charon", text: "And it came, did it not?" },
  { pauseSeconds: 2.5, voice: "Kore", text: "At midnight!" },
  { pauseSeconds: 6, voice: "Charon", text: "Run, or we miss the train." },
  { pauseSeconds: 5, voice: "Kore", text: "A letter. It is for you." },
];

/** What is true of the sample, for whoever measures against it. Seconds on the programme clock. */
export interface SampleTruth {
  readonly durationSeconds: number;
  readonly speech: readonly (TimeRange & { readonly text: string })[];
}

/**
 * Makes the sample clip: 40 s of drawn scenes with titles and cuts, two synthetic voices in dialogue and music under
 * part of it. The same bytes go in every time, so the same clip comes out.
 */
export async function makeSample(path: string, voice: Voice, signal?: AbortSignal): Promise<SampleTruth> {
  const lines: PlacedLine[] = [];
  let end = 0;
  for (const { pauseSeconds, voice: name, text } of DIALOGUE) {
    signal?.throwIfAborted();
    const spoken = await voice.speak({ text, language: "en-US", voice: name, rate: 1 });
    const start = end + pauseSeconds;
    end = start + spokenSeconds(spoken);
    lines.push({ start, end, spoken });
  }
  const sound = { sampleRate: SAMPLE_RATE, channels: 2 as const, blocks: soundtrackBlocks(lines, SAMPLE_SECONDS) };
  await writeMovie(path, { picture: { ...SAMPLE_PICTURE, frames: sampleFrames() }, sound }, signal);
  const speech = lines.map(({ start, end: lineEnd }, index) => ({
    start,
    end: lineEnd,
    text: DIALOGUE[index]?.text ?? "",
  }));
  return { durationSeconds: SAMPLE_SECONDS, speech };
}

function spokenSeconds({ samples, sampleRate }: SpokenLine): number {
  return samples.length / sampleRate;
}
