import type { Packet } from "node-av/lib";
import type { TimeRange } from "../../../core/time-range.ts";
import { openMedia } from "../open.ts";
import { packetsOf } from "../packets.ts";
import { originSeconds, pictureStream } from "../probe/media-streams.ts";
import { soundStreams } from "../probe/programme-sound-streams.ts";
import { type DetectorSound, DetectorSounds } from "./dialogue-mix.ts";
import { JoinedSound } from "./joined-sound.ts";
import { PictureDecoder, type PictureFrame } from "./picture-decoder.ts";

/** A stretch of sound, in order and without holes; its arrays belong to the consumer. */
interface SoundBlock extends DetectorSound {
  /** One array per channel of the file, at the file's own rate. */
  readonly planes: readonly Float32Array[];
}

/** What one decode pass gives, in the order of storage: pictures in order of time, sound in order of time. */
export type ProgrammePart =
  | { readonly kind: "picture"; readonly frame: PictureFrame }
  | { readonly kind: "sound"; readonly block: SoundBlock; readonly sampleRate: number }
  | {
      /** The last part: where picture and sound end in truth, in seconds; 0 without any. */
      readonly kind: "end";
      readonly pictureSeconds: number;
      readonly soundSeconds: number;
      /** Where sound is missing before its end, though it is to be there: ordered and disjoint. */
      readonly holes: readonly TimeRange[];
    };

/** How {@link decodeProgramme} shall go. */
export interface DecodeProgrammeOptions {
  /** Length of the programme in seconds; sound is cut off or completed with silence there. */
  readonly durationSeconds: number;
  /** `false` leaves the picture out. Default `true`. */
  readonly withPicture?: boolean;
  /** The sound tracks that are the programme's, as probed; without it, what the file says of its tracks decides. */
  readonly tracks?: readonly number[] | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Decodes a programme once, picture and sound together, for measuring. Pictures are only valid until the next part is
 * asked for.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function* decodeProgramme(
  path: string,
  options: DecodeProgrammeOptions,
): AsyncGenerator<ProgrammePart, void> {
  const { durationSeconds, withPicture = true, tracks, signal } = options;
  using media = await openMedia(path);
  const pictures = pictureStream(media.context);
  const sounds = soundStreams(media.context, { tracks });
  const origin = originSeconds(pictures, sounds?.streams[0] ?? null);
  using picture = pictures === null || !withPicture ? null : new PictureDecoder(pictures, origin);
  using sound = sounds === null ? null : new DecodedSound(new JoinedSound(sounds, origin, durationSeconds));
  const heard = sound?.indexes ?? [];
  const indexes = [...(picture === null || pictures === null ? [] : [pictures.index]), ...heard];
  const pictureParts = function* (packet: Packet | null): Generator<ProgrammePart, void> {
    for (const frame of picture?.decode(packet) ?? []) yield { kind: "picture", frame };
  };
  for await (const packet of packetsOf(media, indexes, signal)) {
    if (heard.includes(packet.streamIndex)) yield* sound?.decode(packet) ?? [];
    else yield* pictureParts(packet);
    if (picture === null && sound?.isComplete === true) break;
  }
  yield* pictureParts(null);
  yield* sound?.decode(null) ?? [];
  yield {
    kind: "end",
    pictureSeconds: picture?.endSeconds ?? 0,
    soundSeconds: sound?.endSeconds ?? 0,
    holes: sound?.holes ?? [],
  };
}

/** Decoded sound with its detector signals. */
class DecodedSound implements Disposable {
  readonly #decoder: JoinedSound;
  readonly #detectors: DetectorSounds;

  constructor(decoder: JoinedSound) {
    const { sampleRate, layout } = decoder;
    this.#decoder = decoder;
    this.#detectors = new DetectorSounds(sampleRate, layout);
  }

  get indexes(): readonly number[] {
    return this.#decoder.indexes;
  }

  get isComplete(): boolean {
    return this.#decoder.isComplete;
  }

  get endSeconds(): number {
    return this.#decoder.endSeconds;
  }

  get holes(): readonly TimeRange[] {
    return this.#decoder.holes;
  }

  *decode(packet: Packet | null): Generator<ProgrammePart, void> {
    const { sampleRate } = this.#decoder;
    for (const planes of this.#decoder.decode(packet)) {
      const detectors = this.#detectors.convert(planes);
      yield { kind: "sound", block: { planes, ...detectors }, sampleRate };
    }
    if (packet !== null) return;
    const block = { planes: [], ...this.#detectors.flush() };
    yield { kind: "sound", block, sampleRate };
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
    this.#detectors[Symbol.dispose]();
  }
}
