import type { TimeMap } from "../../core/time-map.ts";
import { MIX_SAMPLE_RATE, type ProgrammeSound, silence } from "./programme-sound.ts";

/**
 * Seconds in which the programme's sound goes out before a pause and comes back after it: short enough to leave the words
 * around it whole (pauses stand at least a tenth of a second from speech wherever a gap allows), long enough not to click
 * or to break off.
 */
const HOLD_FADE_SECONDS = { out: 0.1, in: 0.2 } as const;

/**
 * A programme's sound on the clock of the video it is held in: faded out before each pause, silent while it lasts, faded
 * in after it. Block by block; what is read is changed in place.
 */
export function heldSound(programme: ProgrammeSound, map: TimeMap): ProgrammeSound {
  if (map.holds.length === 0) return programme;
  return { layout: programme.layout, read: () => withPauses(programme, map) };
}

/** A pause in samples of the programme. */
interface SamplePause {
  readonly at: number;
  readonly length: number;
}

async function* withPauses(programme: ProgrammeSound, map: TimeMap): AsyncGenerator<Float32Array[], void> {
  const sample = (seconds: number) => Math.round(seconds * MIX_SAMPLE_RATE);
  const pauses = map.holds.map(({ at }) => ({
    at: sample(at),
    length: sample(map.departure(at)) - sample(map.arrival(at)),
  }));
  let at = 0;
  let next = 0;
  for await (const planes of programme.read()) {
    const length = planes[0]?.length ?? 0;
    fade(planes, at, pauses);
    let from = 0;
    for (let pause = pauses[next]; pause !== undefined && pause.at < at + length; pause = pauses[++next]) {
      const to = pause.at - at;
      if (to > from) yield planes.map((plane) => plane.slice(from, to));
      yield* silentBlocks(planes.length, pause.length);
      from = to;
    }
    yield from === 0 ? planes : planes.map((plane) => plane.slice(from));
    at += length;
  }
}

function* silentBlocks(channels: number, length: number): Generator<Float32Array[], void> {
  for (let left = length; left > 0; left -= MIX_SAMPLE_RATE) yield silence(channels, Math.min(left, MIX_SAMPLE_RATE));
}

/** Applies the fades that touch a block: raised cosines, so that neither level nor slope jumps. */
function fade(planes: readonly Float32Array[], at: number, pauses: readonly SamplePause[]): void {
  const length = planes[0]?.length ?? 0;
  const out = Math.round(HOLD_FADE_SECONDS.out * MIX_SAMPLE_RATE);
  const back = Math.round(HOLD_FADE_SECONDS.in * MIX_SAMPLE_RATE);
  for (const pause of pauses) {
    if (pause.at - out >= at + length) break;
    if (pause.at + back <= at) continue;
    const from = Math.max(0, pause.at - out - at);
    const to = Math.min(length, pause.at + back - at);
    for (let i = from; i < to; i++) {
      const distance = at + i - pause.at;
      const share = distance < 0 ? -distance / out : distance / back;
      const gain = 0.5 - 0.5 * Math.cos(Math.PI * share);
      for (const plane of planes) plane[i] = (plane[i] ?? 0) * gain;
    }
  }
}
