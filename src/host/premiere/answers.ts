import type {
  AudioClipTrackItem,
  AudioTrack,
  ClipProjectItem,
  FolderItem,
  Guid,
  Marker,
  Project,
  ProjectItem,
  premierepro,
  Sequence,
  TickTime,
  VideoClipTrackItem,
  VideoTrack,
} from "@adobe/premierepro";
import { isStaleHandle } from "./host-fault.ts";
import { ticksFromText } from "./ticks.ts";
import { callOf } from "./traced-premiere.ts";

// Members that the declarations call synchronous: some versions were seen to answer one of them by a promise, so all of them are
// waited for. None of this may be asked inside a lock, where nothing can be waited for.

/** A list that a member gives: an array, or what has a length and numbers. @throws TypeError for anything else. */
export function listed<Entry>(member: string, answer: ArrayLike<Entry> | null | undefined): readonly Entry[] {
  if (typeof answer === "object" && answer !== null && "length" in answer && typeof answer.length === "number") {
    return Array.from(answer);
  }
  throw new TypeError(`${member} answered without a list`);
}

/** A time in ticks. */
export async function ticksOf(time: TickTime): Promise<bigint> {
  return ticksFromText(await time.ticks);
}

/** The identity of a project, a sequence or a marker, by which it is known after its handle has gone. */
export async function identityOf(owner: Project | Sequence): Promise<string> {
  const text = await textOfGuid(await owner.guid);
  // What is like every other is no identity: another sequence would be taken for this one.
  if (text === undefined) throw new TypeError("guid answered without an identity");
  return text;
}

/** The identity of a marker; none before 26.3, nor where Premiere refuses it or gives something that is none. */
export async function markerIdentity(marker: Marker): Promise<string | undefined> {
  try {
    return "guid" in marker ? await textOfGuid(await marker.guid) : undefined;
  } catch (error) {
    if (isStaleHandle(error)) throw error;
    return undefined;
  }
}

/** A guid as text; absent for what is none. */
async function textOfGuid(guid: Guid | null | undefined): Promise<string | undefined> {
  const text: unknown = await guid?.toString();
  return typeof text === "string" && text !== "" && !text.startsWith("[object") ? text : undefined;
}

/** The clips of a track, in order. Premiere gives `null` for whatever is no clip: transitions among others. */
export function clipsOn(premiere: premierepro, track: AudioTrack): Promise<AudioClipTrackItem[]>;
export function clipsOn(
  premiere: premierepro,
  track: AudioTrack | VideoTrack,
): Promise<(AudioClipTrackItem | VideoClipTrackItem)[]>;
export async function clipsOn(
  premiere: premierepro,
  track: AudioTrack | VideoTrack,
): Promise<(AudioClipTrackItem | VideoClipTrackItem)[]> {
  const { CLIP } = premiere.Constants.TrackItemType;
  // The declarations leave the nulls out.
  const items: ArrayLike<AudioClipTrackItem | VideoClipTrackItem | null> = await track.getTrackItems(CLIP, false);
  return listed("getTrackItems", items).filter((item) => item !== null);
}

/** An item as a clip; `null` when it is of another kind, whichever way Premiere says so. */
export function castClip(premiere: premierepro, item: ProjectItem): Promise<ClipProjectItem | null> {
  return orNull(() => premiere.ClipProjectItem.cast(item));
}

/** The same. @throws what tells that Premiere did not answer: what the item is nobody knows then. */
export function castAnswered(premiere: premierepro, item: ProjectItem): Promise<ClipProjectItem | null> {
  return orNull(
    () => premiere.ClipProjectItem.cast(item),
    (error) => callOf(error)?.kind === "unanswered",
  );
}

/** An item as a bin; `null` when it is none. */
export function castBin(premiere: premierepro, item: ProjectItem): Promise<FolderItem | null> {
  return orNull(() => premiere.FolderItem.cast(item));
}

/** The first item of which something is so. */
export async function findAmong(
  items: readonly ProjectItem[],
  isSought: (item: ProjectItem) => Promise<boolean>,
): Promise<ProjectItem | undefined> {
  const found = await Promise.all(items.map(isSought));
  return items[found.indexOf(true)];
}

/** What is inside a bin. */
export async function itemsIn(bin: FolderItem): Promise<readonly ProjectItem[]> {
  return listed("FolderItem.getItems", await bin.getItems());
}

/** Some versions raise an error where others give nothing; both mean "not of this kind". */
async function orNull<Item>(
  cast: () => Item,
  isRaised: (error: unknown) => boolean = () => false,
): Promise<Item | null> {
  try {
    return (await cast()) ?? null;
  } catch (error) {
    if (isStaleHandle(error) || isRaised(error)) throw error;
    return null;
  }
}
