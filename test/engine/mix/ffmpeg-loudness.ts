import { FilterAPI } from "node-av/api";
import { AV_LOG_ERROR, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import { type ChannelLayout, Frame, Log } from "node-av/lib";

/** What FFmpeg's `ebur128` filter measures. */
export interface FfmpegLoudness {
  readonly integratedLufs: number;
  readonly rangeLu: number;
  readonly truePeakDbtp: number;
}

const BLOCK = 4_800;

/** Loudness of a whole sound by FFmpeg, as an independent second opinion. */
export function ffmpegLoudness(
  planes: readonly Float32Array[],
  sampleRate: number,
  layout: ChannelLayout,
): FfmpegLoudness {
  Log.setLevel(AV_LOG_ERROR);
  const filter = FilterAPI.create("ebur128=metadata=1:peak=true");
  const found = { I: Number.NaN, LRA: Number.NaN, peak: 0 };
  const take = (frame: Frame) => {
    const metadata = frame.getMetadata();
    found.I = Number(metadata.get("lavfi.r128.I") ?? found.I);
    found.LRA = Number(metadata.get("lavfi.r128.LRA") ?? found.LRA);
    for (const channel of planes.keys()) {
      found.peak = Math.max(found.peak, Number(metadata.get(`lavfi.r128.true_peaks_ch${channel}`) ?? 0));
    }
    frame.free();
  };
  try {
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at + BLOCK <= length; at += BLOCK) {
      const bytes = Buffer.concat(planes.map((plane) => Buffer.from(plane.slice(at, at + BLOCK).buffer)));
      using frame = Frame.fromAudioBuffer(bytes, {
        nbSamples: BLOCK,
        format: AV_SAMPLE_FMT_FLTP,
        sampleRate,
        channelLayout: layout,
        pts: BigInt(at),
        timeBase: { num: 1, den: sampleRate },
      });
      for (const result of filter.processAllSync(frame)) take(result);
    }
    for (const result of filter.flushFramesSync()) take(result);
  } finally {
    filter.close();
  }
  return { integratedLufs: found.I, rangeLu: found.LRA, truePeakDbtp: 20 * Math.log10(found.peak) };
}
