import { secondsFromFrames } from "../../core/frame-rate.ts";
import { isStillName } from "../../core/still-picture.ts";
import type { EmptySource, MediaSource } from "../../core/timeline.ts";
import { itemsOf, type JsonSource, memberOf, numberOf, textOf } from "../json/json-source.ts";
import { mediaReferenceOf, type OtioRange, rangeOf, schemaOf } from "./otio-object.ts";

/** What a clip shows, and where on its own clock its first frame lies. */
export interface OtioMedia {
  readonly source: MediaSource | EmptySource;
  /** Its range on its own clock where known. */
  readonly available: OtioRange | null;
}

/** Reads the media of a clip on a track of the given kind. */
export function mediaOf(clip: JsonSource, trackKind: "video" | "audio"): OtioMedia {
  const reference = mediaReferenceOf(clip);
  const schema = schemaOf(reference);
  const available = rangeOf(memberOf(reference, "available_range"));
  const name = textOf(reference, "name") || textOf(clip, "name");
  if (schema === "GeneratorReference") {
    return { source: { kind: "empty", name: name || textOf(reference, "generator_kind") }, available };
  }
  const location = schema === "ImageSequenceReference" ? sequenceLocation(reference) : textOf(reference, "target_url");
  const isVideo = trackKind === "video";
  const source: MediaSource = {
    kind: "media",
    name,
    location: location === "" ? null : location,
    ...(available === null ? {} : knownRange(available, isVideo)),
    hasVideo: isVideo,
    audioChannels: isVideo ? 0 : channelsOf(clip),
    ...(isVideo && schema === "ExternalReference" && isStillName(location) ? { isStill: true } : {}),
  };
  return { source, available };
}

function knownRange({ start, duration }: OtioRange, isVideo: boolean): Partial<MediaSource> {
  return {
    durationSeconds: secondsFromFrames(duration.value, duration.rate),
    ...(isVideo ? { rate: start.rate } : {}),
    startFrame: Math.round(start.value),
  };
}

/** Channels of sound where nothing says how many there are. */
const ASSUMED_CHANNELS = 2;

/** DaVinci Resolve lists the channels a clip uses; others do not say. */
function channelsOf(clip: JsonSource): number {
  const listed = itemsOf(memberOf(memberOf(clip, "metadata"), "Resolve_OTIO"), "Channels").length;
  return listed > 0 ? listed : ASSUMED_CHANNELS;
}

/** Address of a picture sequence with its number as `%04d`. */
function sequenceLocation(reference: JsonSource | undefined): string {
  const padding = numberOf(reference, "frame_zero_padding") ?? 0;
  const number = padding > 0 ? `%0${padding}d` : "%d";
  const base = textOf(reference, "target_url_base");
  const folder = base === "" || base.endsWith("/") ? base : `${base}/`;
  return `${folder}${textOf(reference, "name_prefix")}${number}${textOf(reference, "name_suffix")}`;
}
