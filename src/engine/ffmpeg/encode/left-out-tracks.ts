import { AV_CODEC_ID_MOV_TEXT, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE } from "node-av/constants";
import { avGetCodecName, type FormatContext, type Stream } from "node-av/lib";
import { streamLanguage } from "../probe/media-streams.ts";

/**
 * Sentences about the tracks of a programme that its video leaves out: captions in a form that MP4 does not hold, and sound
 * beside the one that was described. Data and attached files are not missed.
 *
 * @param sounds The programme's own sound.
 */
export function leftOutTracks({ streams }: FormatContext, sounds: readonly Stream[]): string[] {
  return streams.flatMap((stream) => {
    const { codecType, codecId } = stream.codecpar;
    const form = avGetCodecName(codecId) ?? "an unknown form";
    if (codecType === AVMEDIA_TYPE_SUBTITLE && codecId !== AV_CODEC_ID_MOV_TEXT) {
      return [
        `Captions in ${form}${languageOf(stream)} are left out of the video: give them as a WebVTT or SubRip file.`,
      ];
    }
    if (codecType === AVMEDIA_TYPE_AUDIO && !sounds.some(({ index }) => index === stream.index)) {
      return [`A second sound${languageOf(stream)} is left out of the video.`];
    }
    return [];
  });
}

function languageOf(stream: Stream): string {
  const language = streamLanguage(stream);
  return language === "und" ? "" : ` (${language})`;
}
