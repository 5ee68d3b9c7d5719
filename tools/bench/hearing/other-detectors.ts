import loadFvad from "@echogarden/fvad-wasm";
import { mergeRanges, rangeDuration, subtractRanges, type TimeRange } from "../../../src/core/time-range.ts";
import { decideSpeech } from "../../../src/engine/analyse/sound/speech-decision.ts";
import { VoiceFeatures } from "../../../src/engine/analyse/sound/voice-features.ts";
import type { NetworkVersion } from "../../../src/engine/analyse/speech-network/speech-network.ts";
import { decodeProgramme } from "../../../src/engine/ffmpeg/decode/decode-programme.ts";
import { filterTags } from "../../common/filter-tags.ts";

/**
 * Speech as FFmpeg's `silencedetect` has it: all that is not silent for half a second below -40 dB, on every channel.
 *
 * @param durationSeconds Length of the sound.
 */
export function notSilent(path: string, durationSeconds: number): TimeRange[] {
  const silence: TimeRange[] = [];
  let start: number | null = null;
  for (const tags of filterTags(`amovie='${path}',silencedetect=n=-40dB:d=0.5`, "sound")) {
    const [began, ended] = [tags["lavfi.silence_start"], tags["lavfi.silence_end"]];
    if (began !== undefined) start = Number(began);
    if (ended === undefined || start === null) continue;
    silence.push({ start, end: Number(ended) });
    start = null;
  }
  if (start !== null) silence.push({ start, end: durationSeconds });
  return subtractRanges({ start: 0, end: durationSeconds }, silence);
}

/** Frames of the WebRTC detector: 10 ms at 16 kHz; mode 3 finds most gaps. */
const FRAME = { samples: 160, seconds: 0.01, mode: 3 };

/** What is usually done with its frames: short bursts dropped, short pauses bridged. In seconds. */
const SMOOTHING = { shortest: 0.06, bridge: 0.25, padding: 0.05 };

/** Speech by the WebRTC voice activity detector alone, mode 3, with usual smoothing. */
export async function webRtcSpeech(path: string, durationSeconds: number): Promise<TimeRange[]> {
  const fvad = await loadFvad();
  const detector = fvad._fvad_new();
  fvad._fvad_set_mode(detector, FRAME.mode);
  fvad._fvad_set_sample_rate(detector, 16_000);
  const address = fvad._malloc(2 * FRAME.samples);
  const voiced: TimeRange[] = [];
  let filled = 0;
  let frames = 0;
  for await (const part of decodeProgramme(path, { durationSeconds, withPicture: false })) {
    if (part.kind !== "sound") continue;
    for (const sample of part.block.dialogue) {
      fvad.HEAP16[address / 2 + filled++] = Math.round(32_767 * Math.max(-1, Math.min(1, sample)));
      if (filled < FRAME.samples) continue;
      const start = frames++ * FRAME.seconds;
      if (fvad._fvad_process(detector, address, FRAME.samples) === 1) {
        voiced.push({ start, end: start + FRAME.seconds });
      }
      filled = 0;
    }
  }
  fvad._free(address);
  fvad._fvad_free(detector);
  const { shortest, bridge, padding } = SMOOTHING;
  const bursts = mergeRanges(voiced, 0.001).filter((range) => rangeDuration(range) >= shortest);
  return mergeRanges(
    bursts.map(({ start, end }) => ({
      start: Math.max(0, start - padding),
      end: Math.min(durationSeconds, end + padding),
    })),
    bridge,
  );
}

/** Speech by one version of Silero's network alone, decided as ours is. */
export async function sileroSpeech(
  path: string,
  durationSeconds: number,
  version: NetworkVersion,
): Promise<readonly TimeRange[]> {
  const voice = await VoiceFeatures.start([version]);
  for await (const part of decodeProgramme(path, { durationSeconds, withPicture: false })) {
    if (part.kind === "sound") voice.add(part.block.dialogue);
  }
  return decideSpeech(voice.finish(durationSeconds));
}
