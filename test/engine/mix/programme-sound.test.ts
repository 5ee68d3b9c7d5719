import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { channelLayout } from "../../../src/engine/loudness/channel-layout.ts";
import { LoudnessMeter } from "../../../src/engine/loudness/loudness-meter.ts";
import { mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import type { NarrationLine } from "../../../src/engine/mix/narration-track.ts";
import { programmeSound, trackSamples } from "../../../src/engine/mix/programme-sound.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { readSoundFile } from "./sound-files.ts";
import { RATE, rmsDbfs } from "./tones.ts";

const voice = new EspeakVoice();

function lineAt(start: number, text: string): NarrationLine {
  return {
    cueId: `at-${start}`,
    start,
    text,
    load: () => voice.speak({ text, language: "en-US", voice: "Charon", rate: 1 }),
  };
}

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function mixMedia(name: string, lines: readonly NarrationLine[]) {
  const source = sharedMedia(name);
  const probe = await probeMedia(source);
  const seconds = probe.durationSeconds ?? 0;
  const path = join(folder, "mixed.wav");
  const programme = programmeSound(source, probe, seconds);
  const report = await mixNarration({
    track: "mixed",
    programme,
    sampleCount: trackSamples(seconds),
    lines,
    music: [],
    path,
  });
  return { report, probe, seconds, source, file: await readSoundFile(path) };
}

test.each([
  ["described/rabbit/video.mp4", 6],
  ["described/rabbit/silent.mp4", 2],
  ["no-dialogue/chaplin.mp4", 2],
  ["speech/friday.mp4", 2],
  ["containers/sintel-5s.webm", 2],
  ["negative/mute-60s-audio-only.mp4", 1],
  ["negative/video_without_audio_stream.mp4", 2],
])("OPEN-27: a mix with %s is as long as it to the sample, in %i channels", async (name, channels) => {
  const { file, report, seconds } = await mixMedia(name, [lineAt(1, "A bird sings.")]);
  expect(file.length).toBe(Math.round(seconds * 48_000));
  expect(file.layout.format).toMatchObject({ channels, sampleRate: 48_000, bits: 24 });
  expect(report.sampleCount).toBe(file.length);
  expect(report.truePeakDbtp).toBeLessThanOrEqual(-2);
});

thoroughTest("the programme's own sound stays as it is away from narration, in all six channels", async () => {
  const { file, source, seconds } = await mixMedia("described/rabbit/video.mp4", [lineAt(8, "A rabbit stretches.")]);
  let at = 0;
  for await (const planes of decodeSound(source, { sampleRate: 48_000, durationSeconds: seconds })) {
    if (at < 6 * RATE) {
      for (const [channel, plane] of planes.entries()) {
        const mixed = file.planes[channel]?.subarray(at, at + plane.length) ?? [];
        expect(plane.every((sample, i) => Math.abs(sample - (mixed[i] ?? 9)) < 2e-7)).toBe(true);
      }
    }
    at += planes[0]?.length ?? 0;
  }
  expect(at).toBe(file.length);
});

thoroughTest("narration in a 5.1 film comes from the centre and stands clear of its sound", async () => {
  const lines = [lineAt(1, "A plump white rabbit leaves his burrow."), lineAt(6, "He stretches in the sun.")];
  const { file, report } = await mixMedia("described/rabbit/video.mp4", lines);
  const { weights } = channelLayout("5.1", 6);
  for (const { start, seconds, marginLu } of report.cues) {
    const during = file.planes.map((plane) => plane.subarray((start + 0.1) * RATE, (start + seconds - 0.1) * RATE));
    const meter = new LoudnessMeter(RATE, weights);
    meter.add(during);
    expect(meter.integrated()).toBeGreaterThan(-25);
    expect(marginLu).toBeGreaterThanOrEqual(14.99);
    const [left, right, centre, , backLeft] = during.map(rmsDbfs);
    for (const other of [left, right, backLeft]) expect((centre ?? -99) - (other ?? 0)).toBeGreaterThan(9);
  }
});
