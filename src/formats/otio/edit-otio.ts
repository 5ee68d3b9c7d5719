import { type FrameRate, framesFromSeconds } from "../../core/frame-rate.ts";
import type { Timeline, TimelineMarker } from "../../core/timeline.ts";
import {
  itemsOf,
  type JsonObjectSource,
  type JsonSource,
  memberOf,
  parseJsonSource,
  textOf,
} from "../json/json-source.ts";
import { IssueList } from "../parse-issue.ts";
import { applyTextEdits, indentAt, lineEndOf, type TextEdit } from "../text-edits.ts";
import { type AudioPlacement, markerIdAt, type TimelineEdit, type TimelineEditResult } from "../timeline-document.ts";
import {
  exactFrames,
  type OtioRecord,
  type OtioValue,
  otioClip,
  otioGap,
  otioJson,
  otioMarker,
  otioRange,
  otioReference,
  otioTrack,
} from "./otio-build.ts";
import { chosenTimeline, markerOrigin, mediaReferenceOf, rangeOf, rangeSeconds, schemaOf } from "./otio-object.ts";
import { parseOtio } from "./read-otio.ts";

/**
 * Changes an OpenTimelineIO document: markers of the sequence, one audio track of ours, muting, its name. All else stands as it
 * was. Never throws on a text.
 */
export function editOtio(text: string, edit: TimelineEdit): TimelineEditResult {
  const read = parseOtio(text, edit);
  if (read.timeline === null) return { ok: false, issues: read.issues };
  const issues = new IssueList();
  const editor = new OtioEditor(text, edit, read.timeline, issues);
  editor.mute();
  editor.changeMarkers();
  editor.placeAudio();
  editor.rename();
  return { ok: true, text: editor.text, issues: issues.finish() };
}

class OtioEditor {
  text: string;
  readonly #edit: TimelineEdit;
  readonly #rate: FrameRate;
  /** Where the document's markers count from; ours follow them. */
  readonly #markerOrigin: number;
  readonly #issues: IssueList;
  readonly #lineEnd: string;
  /** One level of indentation; empty for a document on one line. */
  readonly #indent: string;

  constructor(text: string, edit: TimelineEdit, timeline: Timeline, issues: IssueList) {
    this.text = text;
    this.#edit = edit;
    this.#rate = timeline.rate;
    this.#issues = issues;
    this.#lineEnd = lineEndOf(text);
    const source = this.#timeline();
    this.#markerOrigin = source === null ? 0 : markerOrigin(source, timeline.tracks);
    this.#indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.trim().includes("\n") ? "    " : "");
  }

  mute(): void {
    const wanted = this.#edit.muteTracks ?? [];
    const tracks = this.#children().filter(isReadTrack);
    const edits = wanted.flatMap(({ trackIndex, isMuted }): TextEdit[] => {
      const track = tracks[trackIndex];
      return track === undefined ? [] : [this.#setMember(track, "enabled", String(!isMuted))];
    });
    this.text = applyTextEdits(this.text, edits);
  }

  rename(): void {
    const { newName } = this.#edit;
    const timeline = this.#timeline();
    if (newName === undefined || timeline === null) return;
    this.text = applyTextEdits(this.text, [this.#setMember(timeline, "name", JSON.stringify(newName))]);
  }

  changeMarkers(): void {
    const { addMarkers = [], changeMarkers = [], removeMarkers = [] } = this.#edit;
    if (addMarkers.length + changeMarkers.length + removeMarkers.length === 0) return;
    const stack = this.#stack();
    if (stack === null) return;
    const existing = itemsIn(stack, "markers");
    const known = new Set(existing.map((_, index) => markerIdAt(index)));
    for (const id of [...removeMarkers, ...changeMarkers.map((one) => one.id)]) {
      if (!known.has(id)) this.#issues.add("unknown-marker", 0, id);
    }
    const removed = new Set(removeMarkers);
    const changed = new Map(changeMarkers.map(({ id, marker }) => [id, marker]));
    const kept = existing.flatMap((source, index): (string | OtioRecord)[] => {
      const id = markerIdAt(index);
      if (removed.has(id)) return [];
      const change = changed.get(id);
      return [change === undefined ? this.#raw(source) : this.#marker(change)];
    });
    this.#setItems(stack, "markers", [...kept, ...addMarkers.map((marker) => this.#marker(marker))]);
  }

  #marker(marker: TimelineMarker): OtioRecord {
    const [start, end] = [marker.start + this.#markerOrigin, marker.end + this.#markerOrigin];
    return otioMarker({ ...marker, start, end }, this.#rate);
  }

  placeAudio(): void {
    const { audio } = this.#edit;
    if (audio === undefined) return;
    const names = new Set(audio.removeClips ?? []);
    const added = (audio.addClips ?? []).map((placement) => ({
      placement,
      start: framesFromSeconds(placement.start, this.#rate),
      length: Math.max(1, framesFromSeconds(placement.media.durationSeconds, this.#rate, "floor")),
    }));
    const sound = this.#children().filter(isAudioTrack);
    const track =
      sound.find((one) => textOf(one, "name") === audio.trackName) ??
      sound.find((one) => holdsOnly(one, new Set([...(audio.ownClips ?? []), ...names])));
    const items = track === undefined ? null : trackItems(track, this.#rate, names, (source) => this.#raw(source));
    const rest = items === null ? added : placeOnTrack(items, added, this.#rate);
    if (items !== null && track?.kind === "object") this.#setItems(track, "children", items.map(itemValue));
    if (rest.length === 0) return;
    if (track !== undefined) this.#issues.add("clip-in-the-way", 0, rest[0]?.placement.name);
    const row: TrackItem[] = [];
    placeOnTrack(row, rest, this.#rate);
    this.#addTrack(otioTrack("Audio", audio.trackName, row.map(ownValue)));
  }

  #addTrack(track: OtioRecord): void {
    const stack = this.#stack();
    if (stack === null) return;
    this.#setItems(stack, "children", [...itemsIn(stack, "children").map((source) => this.#raw(source)), track]);
  }

  /** The timeline, in the text as it is now. */
  #timeline(): JsonSource | null {
    const parsed = parseJsonSource(this.text);
    return parsed.ok ? chosenTimeline(parsed.value, this.#edit.name) : null;
  }

  #stack(): JsonObjectSource | null {
    const stack = memberOf(this.#timeline() ?? undefined, "tracks");
    return stack?.kind === "object" ? stack : null;
  }

  #children(): readonly JsonSource[] {
    const stack = this.#stack();
    return stack === null ? [] : itemsIn(stack, "children");
  }

  #raw(source: JsonSource): string {
    return this.text.slice(source.start, source.end);
  }

  /** Writes a member that is a list: texts as they are, objects in the document's own layout. */
  #setItems(owner: JsonObjectSource, name: string, items: readonly (string | OtioValue)[]): void {
    const prefix = this.#indent === "" ? "" : indentAt(this.text, owner.end - 1) + this.#indent;
    const inner = prefix + this.#indent;
    const parts = items.map((item) =>
      typeof item === "string" ? item : otioJson(item, inner, this.#indent, this.#lineEnd),
    );
    const lines = this.#indent === "" ? parts.join(",") : parts.join(`,${this.#lineEnd}${inner}`);
    const list =
      parts.length === 0 || this.#indent === ""
        ? `[${lines}]`
        : `[${this.#lineEnd}${inner}${lines}${this.#lineEnd}${prefix}]`;
    this.text = applyTextEdits(this.text, [this.#setMember(owner, name, list)]);
  }

  #setMember(owner: JsonSource, name: string, value: string): TextEdit {
    const member = memberOf(owner, name);
    if (member !== undefined) return { start: member.start, end: member.end, text: value };
    const isEmpty = owner.kind !== "object" || owner.members.size === 0;
    const prefix = indentAt(this.text, owner.end - 1) + this.#indent;
    const head =
      this.#indent === "" ? `${JSON.stringify(name)}:` : `${this.#lineEnd}${prefix}${JSON.stringify(name)}: `;
    const text = `${head}${value}${isEmpty ? "" : ","}`;
    return { start: owner.start + 1, end: owner.start + 1, text };
  }
}

function itemsIn(owner: JsonSource, name: string): readonly JsonSource[] {
  const member = memberOf(owner, name);
  return member?.kind === "array" ? member.items : [];
}

/** Whether a child of the stack becomes a track when the timeline is read. */
function isReadTrack(source: JsonSource): boolean {
  const kind = textOf(source, "kind").toLowerCase();
  return schemaOf(source) !== "Track" || kind === "video" || kind === "audio";
}

function isAudioTrack(source: JsonSource): boolean {
  return schemaOf(source) === "Track" && textOf(source, "kind").toLowerCase() === "audio";
}

/** Whether a track has clips, and all bear one of these names. */
function holdsOnly(track: JsonSource, names: ReadonlySet<string>): boolean {
  const clips = itemsOf(track, "children").filter((child) => schemaOf(child) === "Clip");
  return clips.length > 0 && clips.every((clip) => names.has(textOf(clip, "name")));
}

function itemValue(item: TrackItem): string | OtioValue {
  return item.raw ?? item.value;
}

function ownValue(item: TrackItem): OtioValue {
  return item.value;
}

/** One child of a track: how many frames it takes up, and what it is written as. */
interface TrackItem {
  readonly frames: number;
  /** Whether nothing is lost when it is split or shortened. */
  readonly isFree: boolean;
  /** As it stands in the document; absent for what is ours. */
  readonly raw?: string;
  readonly value: OtioRecord;
}

/** A clip to be placed, in frames. */
interface FramePlacement {
  readonly placement: AudioPlacement;
  readonly start: number;
  readonly length: number;
}

/**
 * The children of a track; clips with one of the `removed` names have become gaps. `null` when it cannot be said where a
 * child ends.
 */
function trackItems(
  track: JsonSource,
  rate: FrameRate,
  removed: ReadonlySet<string>,
  rawOf: (source: JsonSource) => string,
): TrackItem[] | null {
  const children = itemsOf(track, "children").map((child) => ({ child, seconds: durationOf(child) }));
  if (children.some(({ seconds }) => seconds === null)) return null;
  return children.map(({ child, seconds }) => {
    const frames = exactFrames(seconds ?? 0, rate);
    const isGone = schemaOf(child) === "Clip" && removed.has(textOf(child, "name"));
    if (isGone) return gap(frames, rate);
    const isFree = schemaOf(child) === "Gap" && itemsOf(child, "markers").length === 0;
    return { frames, isFree, raw: rawOf(child), value: otioGap(frames, rate) };
  });
}

/** Puts clips into the free stretches of a row and behind its end; returns those that found something in their way. */
function placeOnTrack(items: TrackItem[], added: readonly FramePlacement[], rate: FrameRate): FramePlacement[] {
  const blocked = added.filter((one) => !placeOne(items, one, rate));
  mergeGaps(items, rate);
  return blocked;
}

function placeOne(items: TrackItem[], added: FramePlacement, rate: FrameRate): boolean {
  let time = 0;
  for (const [index, item] of items.entries()) {
    const end = time + item.frames;
    if (added.start < end) {
      const fits = item.isFree && added.start + added.length <= end;
      // A gap at the end of a row holds nothing up: what is placed may pass it.
      const passes = items.slice(index).every((one) => one.isFree);
      if (!fits && !(passes && added.start >= time)) return false;
      const rest = passes ? [] : [gap(end - added.start - added.length, rate)];
      items.splice(index, passes ? items.length - index : 1, gap(added.start - time, rate), clip(added, rate), ...rest);
      return true;
    }
    time = end;
  }
  items.push(gap(added.start - time, rate), clip(added, rate));
  return true;
}

/** Joins neighbouring gaps of ours, and drops empty ones and the last. */
function mergeGaps(items: TrackItem[], rate: FrameRate): void {
  const merged: TrackItem[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const isOurs = item.isFree && item.raw === undefined;
    if (isOurs && last?.isFree) merged[merged.length - 1] = gap(last.frames + item.frames, rate);
    else if (!isOurs || item.frames > 0) merged.push(item);
  }
  if (merged.at(-1)?.isFree && merged.at(-1)?.raw === undefined) merged.pop();
  items.splice(0, items.length, ...merged);
}

function gap(frames: number, rate: FrameRate): TrackItem {
  return { frames, isFree: true, value: otioGap(frames, rate) };
}

function clip({ placement, length }: FramePlacement, rate: FrameRate): TrackItem {
  const { media } = placement;
  const available = otioRange(0, exactFrames(media.durationSeconds, rate), rate);
  const value = otioClip(placement.name, otioRange(0, length, rate), otioReference(media, available));
  return { frames: length, isFree: false, value };
}

/**
 * What a child takes up, in seconds: its own range, else that of its media; nothing for a transition, which has neither. `null` for a
 * nested composition that does not state its range.
 */
function durationOf(child: JsonSource): number | null {
  const schema = schemaOf(child);
  const own = rangeOf(memberOf(child, "source_range"));
  if (own === null && (schema === "Stack" || schema === "Track")) return null;
  const range = own ?? rangeOf(memberOf(mediaReferenceOf(child), "available_range"));
  if (range === null) return 0;
  const { start, end } = rangeSeconds(range);
  return end - start;
}
