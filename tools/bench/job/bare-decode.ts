// Decodes every frame of a file's picture and sound, and does nothing with them: node tools/bench/job/bare-decode.ts FILE
import { AVMEDIA_TYPE_VIDEO } from "node-av/constants";
import { Codec, CodecContext, FFmpegError, Frame, type Packet, type Stream } from "node-av/lib";
import { openMedia } from "../../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../../src/engine/ffmpeg/packets.ts";

using media = await openMedia(process.argv[2] ?? "");
const decoders = media.context.streams.map(openDecoder);
let frames = 0;
for await (const packet of packetsOf(
  media,
  decoders.map((_, index) => index),
))
  decode(decoders[packet.streamIndex], packet);
for (const decoder of decoders) decode(decoder, null);
process.stdout.write(`${frames} frames\n`);

function openDecoder(stream: Stream): CodecContext {
  const decoder = new CodecContext();
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  decoder.allocContext3(codec);
  FFmpegError.throwIfError(decoder.parametersToContext(stream.codecpar));
  if (stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) decoder.threadCount = 0;
  FFmpegError.throwIfError(decoder.open2Sync(codec));
  return decoder;
}

function decode(decoder: CodecContext | undefined, packet: Packet | null): void {
  if (decoder === undefined) return;
  using frame = new Frame();
  frame.alloc();
  decoder.sendPacketSync(packet);
  for (; decoder.receiveFrameSync(frame) >= 0; frames++) frame.unref();
}
