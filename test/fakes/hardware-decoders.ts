import { AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P, type AVPixelFormat, SWS_POINT } from "node-av/constants";
import { FFmpegError, Frame, type Packet, SoftwareScaleContext } from "node-av/lib";
import {
  type HardwareDecoder,
  HardwareFailure,
  type OpenHardware,
} from "../../src/service/ffmpeg/decode/hardware/hardware-decoder.ts";
import { type DecodedFrame, StreamDecoder } from "../../src/service/ffmpeg/decode/stream-decoder.ts";

/** What a double does wrong; what is left out it does right. Pictures and packets are counted from 0. */
interface Faults {
  /** The packet that it refuses. */
  readonly refuses?: number;
  /** It refuses the end of the stream. */
  readonly refusesEnd?: boolean;
  /** The first picture that is green. */
  readonly greenFrom?: number;
  /** The picture that it loses without a word. */
  readonly loses?: number;
}

/** A computer without a hardware decoder. */
export const ABSENT_HARDWARE: OpenHardware = () => {
  throw new HardwareFailure("there is none here");
};

/** A hardware decoder made of software, with the memory format of hardware, and with faults. */
export function doubleOfHardware(faults: Faults = {}): OpenHardware {
  return (stream) => new DoubleOfHardware(stream, faults);
}

class DoubleOfHardware implements HardwareDecoder {
  readonly name = "the double";
  readonly #software: StreamDecoder;
  readonly #faults: Faults;
  readonly #given = new Frame();
  #packets = 0;
  #pictures = 0;

  constructor(stream: ConstructorParameters<typeof StreamDecoder>[0], faults: Faults) {
    // As the analysis has it made by software, so that nothing but the double's faults can make a difference.
    this.#software = new StreamDecoder(stream, { options: { skip_loop_filter: "noref" } });
    this.#faults = faults;
    this.#given.alloc();
  }

  *decode(packet: Packet | null): Generator<DecodedFrame, void> {
    const { refuses, refusesEnd, greenFrom = Number.POSITIVE_INFINITY, loses } = this.#faults;
    if (packet === null ? refusesEnd === true : this.#packets++ === refuses) throw new HardwareFailure("it broke");
    for (const { frame, seconds } of this.#software.decode(packet)) {
      const index = this.#pictures++;
      if (index === loses) continue;
      inMemory(frame, this.#given);
      if (index >= greenFrom) for (const plane of this.#given.data ?? []) plane.fill(0);
      yield { frame: this.#given, seconds };
    }
  }

  [Symbol.dispose](): void {
    this.#software[Symbol.dispose]();
    this.#given.free();
  }
}

/** A frame as hardware hands it over: both colour differences in one plane. Formats that hardware does not decode stay as they are. */
function inMemory(frame: Frame, into: Frame): void {
  into.unref();
  if ((frame.format as AVPixelFormat) !== AV_PIX_FMT_YUV420P) {
    FFmpegError.throwIfError(into.ref(frame));
    FFmpegError.throwIfError(into.makeWritable());
    return;
  }
  [into.width, into.height, into.format] = [frame.width, frame.height, AV_PIX_FMT_NV12];
  FFmpegError.throwIfError(into.getBuffer(0));
  const scaler = new SoftwareScaleContext();
  scaler.getContext(
    ...[frame.width, frame.height, AV_PIX_FMT_YUV420P],
    ...([frame.width, frame.height, AV_PIX_FMT_NV12, SWS_POINT] as const),
  );
  FFmpegError.throwIfError(scaler.scaleFrameSync(into, frame));
  scaler.freeContext();
  into.copyProps(frame);
}
