import { admTracks, hasProgrammePack, writeAdm } from "../../formats/adm/write-adm.ts";
import type { BroadcastExtension } from "../../formats/wave/broadcast-extension.ts";
import { decodeSound } from "../ffmpeg/decode/decode-sound.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import { MIX_SAMPLE_RATE } from "./programme-sound.ts";
import { WaveFile } from "./wave-file.ts";

/** A programme and its narration, to be one file with an audio definition. Plain data: it crosses a process border. */
export interface AdmFileOrder {
  /** The programme, a sound or a video, of one, two or six channels. */
  readonly programme: string;
  /** The narration, on the programme's clock. */
  readonly narration: string;
  /** WAV file to write; it appears when whole. */
  readonly to: string;
  readonly title: string;
  /** BCP-47 code of the narration. */
  readonly language: string;
  readonly broadcast: BroadcastExtension;
  /** Which sound track is the programme's, by number, language or title; where absent it is heard. */
  readonly audioTrack?: string;
}

/**
 * Writes the programme's channels and the narration as one more, at 48 kHz and 24 bits, with what they are: no level of either
 * changes. A narration of several channels becomes the mean of them. Streams.
 *
 * @param probe Of the programme.
 * @throws MediaProcessError when a sound cannot be read, SoundFileError when the file cannot be written, RangeError for a programme of
 * other channels; the signal's reason when it aborts. No file is left then.
 */
export async function writeAdmFile(order: AdmFileOrder, probe: MediaProbe, signal: AbortSignal): Promise<void> {
  const { title, language, broadcast } = order;
  const seconds = probe.durationSeconds ?? 0;
  const programmeChannels = probe.sound?.channels ?? 0;
  if (!hasProgrammePack(programmeChannels)) throw new RangeError(`a programme of ${programmeChannels} channels`);
  const contents = { title, language, programmeChannels, seconds };
  const file = await WaveFile.create({
    path: order.to,
    channels: programmeChannels + 1,
    // The definition says where each belongs.
    channelMask: 0,
    sampleRate: MIX_SAMPLE_RATE,
    bits: 24,
    sampleCount: Math.round(seconds * MIX_SAMPLE_RATE),
    isGainOpen: false,
    markers: [],
    broadcast,
    definition: { xml: writeAdm(contents), tracks: admTracks(contents) },
  });
  try {
    const decoding = { sampleRate: MIX_SAMPLE_RATE, durationSeconds: seconds, reusesBlocks: true, signal };
    const narration = decodeSound(order.narration, decoding);
    for await (const planes of decodeSound(order.programme, { ...decoding, tracks: probe.sound?.tracks })) {
      const block = await narration.next();
      await file.write([...planes, meanOf(block.done === true ? [] : block.value, planes[0]?.length ?? 0)]);
    }
    await file.finish(1);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** The mean of channels; silence of none. */
function meanOf(planes: readonly Float32Array[], length: number): Float32Array {
  const mean = new Float32Array(length);
  for (const plane of planes)
    for (let at = 0; at < length; at++) mean[at] = (mean[at] ?? 0) + (plane[at] ?? 0) / planes.length;
  return mean;
}
