import {
  AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX,
  AV_HWDEVICE_TYPE_CUDA,
  AV_HWDEVICE_TYPE_D3D11VA,
  AV_HWDEVICE_TYPE_VAAPI,
  AV_HWDEVICE_TYPE_VIDEOTOOLBOX,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVHWDeviceType,
  type AVPixelFormat,
} from "node-av/constants";
import { Codec, CodecContext, Frame, HardwareDeviceContext, type Packet, type Stream } from "node-av/lib";
import { rational } from "../../movie-file.ts";
import { type DecodedFrame, secondsOf } from "../stream-decoder.ts";
import { type HardwareDecoder, HardwareFailure } from "./hardware-decoder.ts";

/** A kind of hardware decoder by FFmpeg's number, and as people know it. */
interface Device {
  readonly type: AVHWDeviceType;
  readonly name: string;
}

/** What each platform has, the first to be tried first. */
const DEVICES: Readonly<Record<string, readonly Device[]>> = {
  darwin: [{ type: AV_HWDEVICE_TYPE_VIDEOTOOLBOX, name: "VideoToolbox" }],
  win32: [{ type: AV_HWDEVICE_TYPE_D3D11VA, name: "D3D11VA" }],
  linux: [
    { type: AV_HWDEVICE_TYPE_VAAPI, name: "VAAPI" },
    { type: AV_HWDEVICE_TYPE_CUDA, name: "NVDEC" },
  ],
};

/** The platform's own hardware decoder for a stream; see `OpenHardware`. */
export function openPlatformDecoder(stream: Pick<Stream, "codecpar" | "timeBase">): HardwareDecoder {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  for (const device of devicesOfPlatform()) {
    const format = codec === null ? null : hardwareFormat(codec, device);
    const context = codec === null || format === null ? null : openDevice(device);
    if (codec === null || format === null || context === null) continue;
    const decoder = new PlatformDecoder(device.name, context, stream);
    if (decoder.open(codec, format)) return decoder;
    decoder[Symbol.dispose]();
  }
  throw new HardwareFailure("this computer has no hardware decoder for it");
}

/** The hardware decoders of this computer that open, whatever codecs they take. */
export function platformDecoders(): string[] {
  return devicesOfPlatform().flatMap((device) => {
    using context = openDevice(device);
    return context === null ? [] : [device.name];
  });
}

function devicesOfPlatform(): readonly Device[] {
  return DEVICES[process.platform] ?? [];
}

function openDevice({ type }: Device): HardwareDeviceContext | null {
  const context = new HardwareDeviceContext();
  return context.create(type, null, null) >= 0 ? context : null;
}

/** The format of frames that a codec leaves in a device's memory; `null` where it cannot. */
function hardwareFormat(codec: Codec, { type }: Device): AVPixelFormat | null {
  for (let index = 0; ; index++) {
    const config = codec.getHwConfig(index);
    if (config === null) return null;
    const takesDevice = (config.methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) !== 0;
    if (takesDevice && config.deviceType === type) return config.pixFmt;
  }
}

/** FFmpeg's decoder of a codec with its work done by a device. Frames are copied to memory: NV12, or P010 of ten bits. */
class PlatformDecoder implements HardwareDecoder {
  readonly name: string;
  readonly #device: HardwareDeviceContext;
  readonly #stream: Pick<Stream, "codecpar" | "timeBase">;
  readonly #context = new CodecContext();
  readonly #onDevice = new Frame();
  readonly #inMemory = new Frame();

  constructor(name: string, device: HardwareDeviceContext, stream: Pick<Stream, "codecpar" | "timeBase">) {
    this.name = name;
    this.#device = device;
    this.#stream = stream;
    this.#onDevice.alloc();
    this.#inMemory.alloc();
  }

  open(codec: Codec, format: AVPixelFormat): boolean {
    this.#context.allocContext3(codec);
    if (this.#context.parametersToContext(this.#stream.codecpar) < 0) return false;
    this.#context.pktTimebase = rational(this.#stream.timeBase);
    this.#context.threadCount = 1;
    this.#context.hwDeviceCtx = this.#device;
    // Without a second format: FFmpeg would go on in software and not say so.
    this.#context.setHardwarePixelFormat(format);
    return this.#context.open2Sync(codec) >= 0;
  }

  *decode(packet: Packet | null): Generator<DecodedFrame, void> {
    this.#check(this.#context.sendPacketSync(packet), "takes a packet");
    for (;;) {
      const status = this.#context.receiveFrameSync(this.#onDevice);
      if (status === AVERROR_EAGAIN || status === AVERROR_EOF) return;
      this.#check(status, "gives a picture");
      if (!this.#onDevice.isHwFrame()) throw new HardwareFailure(`${this.name} left the work to software`);
      this.#check(this.#onDevice.hwframeTransferDataSync(this.#inMemory), "hands a picture over");
      this.#check(this.#inMemory.copyProps(this.#onDevice), "hands a picture over");
      this.#onDevice.unref();
      yield { frame: this.#inMemory, seconds: secondsOf(this.#inMemory, this.#stream.timeBase) };
      this.#inMemory.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#onDevice.free();
    this.#inMemory.free();
    this.#context.freeContext();
    this.#device.free();
  }

  #check(status: number, step: string): void {
    if (status < 0) throw new HardwareFailure(`${this.name} no longer ${step} (${status})`);
  }
}
