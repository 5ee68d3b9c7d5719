import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AVMEDIA_TYPE_SUBTITLE,
} from "node-av/constants";
import type { TimeRange } from "../../../core/time-range.ts";
import { openMedia } from "../open.ts";
import { packetsOf } from "../packets.ts";
import { originSeconds, pictureStream, streamLanguage, streamSeconds } from "../probe/media-streams.ts";
import { soundStreams } from "../probe/programme-sound-streams.ts";

/** How the text of a subtitle track is written. */
export type SubtitleCoding = "mov_text" | "ass" | "webvtt" | "subrip";

/** A track of text subtitles as its file states it. */
export interface SubtitleTrack {
  /** Index among all streams of the file. */
  readonly index: number;
  readonly coding: SubtitleCoding;
  /** An ISO 639-2 code as a rule; `und` where none is stated. */
  readonly language: string;
  readonly title: string;
  readonly isDefault: boolean;
  /** Whether it holds only what a viewer of this language does not understand. */
  readonly isForced: boolean;
}

/** One entry of a track: its bytes as stored. Seconds on the programme clock. */
export interface SubtitlePacket extends TimeRange {
  readonly bytes: Uint8Array;
}

/** Seconds that an entry stands whose length is not stated. */
const USUAL_SECONDS = 3;

const CODINGS: ReadonlyMap<number, SubtitleCoding> = new Map<number, SubtitleCoding>([
  [AV_CODEC_ID_MOV_TEXT, "mov_text"],
  [AV_CODEC_ID_ASS, "ass"],
  [AV_CODEC_ID_WEBVTT, "webvtt"],
  [AV_CODEC_ID_SUBRIP, "subrip"],
  [AV_CODEC_ID_TEXT, "subrip"],
]);

/**
 * The entries of one track of text subtitles, in the order of storage; `null` when none is chosen.
 *
 * @param choose Chooses from all tracks of the file. Subtitles that are pictures are not among them.
 * @param sounds The sound tracks that are the programme's, whose clock counts; see {@link soundStreams}.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function readTextSubtitles(
  path: string,
  choose: (tracks: readonly SubtitleTrack[]) => SubtitleTrack | null,
  signal: AbortSignal,
  sounds?: readonly number[],
): Promise<{ readonly track: SubtitleTrack; readonly packets: readonly SubtitlePacket[] } | null> {
  using media = await openMedia(path);
  const { streams } = media.context;
  const tracks = streams.flatMap((stream): SubtitleTrack[] => {
    const { codecType, codecId } = stream.codecpar;
    const coding = CODINGS.get(codecId);
    if (codecType !== AVMEDIA_TYPE_SUBTITLE || coding === undefined) return [];
    const { title, handler_name: handler } = stream.metadata?.getAll() ?? {};
    return [
      {
        index: stream.index,
        coding,
        language: streamLanguage(stream),
        title: title ?? handler ?? "",
        isDefault: stream.hasDisposition(AV_DISPOSITION_DEFAULT),
        isForced: stream.hasDisposition(AV_DISPOSITION_FORCED),
      },
    ];
  });
  const track = tracks.length === 0 ? null : choose(tracks);
  const stream = streams.find(({ index }) => index === track?.index);
  if (track === null || stream === undefined) return null;
  const sound = soundStreams(media.context, { tracks: sounds });
  const origin = originSeconds(pictureStream(media.context), sound?.streams[0] ?? null);
  const packets: SubtitlePacket[] = [];
  for await (const packet of packetsOf(media, [track.index], signal)) {
    const at = streamSeconds(packet.pts, stream);
    if (at === null || packet.data === null) continue;
    const start = Math.max(0, at - origin);
    const seconds = streamSeconds(packet.duration, stream) ?? 0;
    const end = at - origin + (seconds > 0 ? seconds : USUAL_SECONDS);
    // Its memory is FFmpeg's, and used again.
    if (end > start) packets.push({ start, end, bytes: new Uint8Array(packet.data) });
  }
  return { track, packets };
}
