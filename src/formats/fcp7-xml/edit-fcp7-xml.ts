import type { FrameRate } from "../../core/frame-rate.ts";
import { IssueList } from "../parse-issue.ts";
import { applyTextEdits, indentAt, lineEndOf, type TextEdit } from "../text-edits.ts";
import { type AudioTrackEdit, markerIdAt, type TimelineEdit, type TimelineEditResult } from "../timeline-document.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { type XmlNode, xmlLines, xmlNode } from "../xml/write-xml.ts";
import {
  childAt,
  childElements,
  childrenNamed,
  descendantsNamed,
  textAt,
  type XmlElement,
} from "../xml/xml-element.ts";
import { AudioPlacer, ownTracks, removalsOf } from "./fcp7-audio.ts";
import { chosenSequence, isFurtherChannel, tracksOf } from "./fcp7-document.ts";
import { audioNode, markerNode, truth } from "./fcp7-nodes.ts";
import { parseFcp7Xml } from "./read-fcp7-xml.ts";

/**
 * Changes a Final Cut Pro 7 XML document: markers of the sequence, one audio track of ours, muting, its name. All else stands as it
 * was. Never throws on a text.
 */
export function editFcp7Xml(text: string, edit: TimelineEdit): TimelineEditResult {
  const read = parseFcp7Xml(text, edit);
  if (read.timeline === null) return { ok: false, issues: read.issues };
  const issues = new IssueList();
  const editor = new Fcp7Editor(text, edit.name, read.timeline.rate, issues);
  editor.mute(edit.muteTracks ?? []);
  editor.changeMarkers(edit);
  if (edit.audio !== undefined) editor.placeAudio(edit.audio);
  if (edit.newName !== undefined) editor.rename(edit.newName);
  return { ok: true, text: editor.text, issues: issues.finish() };
}

class Fcp7Editor {
  text: string;
  readonly #name: string | undefined;
  readonly #rate: FrameRate;
  readonly #issues: IssueList;
  readonly #lineEnd: string;
  readonly #indent: string;

  constructor(text: string, name: string | undefined, rate: FrameRate, issues: IssueList) {
    this.text = text;
    this.#name = name;
    this.#rate = rate;
    this.#issues = issues;
    this.#lineEnd = lineEndOf(text);
    this.#indent = /\n([ \t]+)</.exec(text)?.[1] ?? "\t";
  }

  mute(tracks: NonNullable<TimelineEdit["muteTracks"]>): void {
    const sequence = this.#sequence();
    if (sequence === null || tracks.length === 0) return;
    // A track of the timeline is one or more of the document: further channels follow their first.
    const groups = [...tracksOf(sequence, "video"), ...tracksOf(sequence, "audio")].reduce<XmlElement[][]>(
      (found, track) => {
        if (isFurtherChannel(track)) found.at(-1)?.push(track);
        else found.push([track]);
        return found;
      },
      [],
    );
    const edits = tracks.flatMap(({ trackIndex, isMuted }) =>
      (groups[trackIndex] ?? []).map((track) => this.#setEnabled(track, !isMuted)),
    );
    this.#apply(edits);
  }

  rename(newName: string): void {
    const sequence = this.#sequence();
    if (sequence === null) return;
    const name = childAt(sequence, "name");
    const node = xmlNode("name", newName);
    this.#apply([name === undefined ? this.#insertion(sequence, null, [node]) : this.#replacement(name, node)]);
  }

  changeMarkers({ addMarkers = [], changeMarkers = [], removeMarkers = [] }: TimelineEdit): void {
    const sequence = this.#sequence();
    if (sequence === null) return;
    const markers = childrenNamed(sequence, "marker");
    const byId = new Map(markers.map((element, index) => [markerIdAt(index), element]));
    const edits: TextEdit[] = [];
    for (const id of removeMarkers) {
      const element = this.#known(byId, id);
      if (element !== undefined) edits.push(this.#removal(element));
    }
    for (const { id, marker } of changeMarkers) {
      const element = this.#known(byId, id);
      if (element === undefined || removeMarkers.includes(id)) continue;
      edits.push(this.#replacement(element, markerNode(marker, this.#rate)));
    }
    this.#apply(edits);
    if (addMarkers.length > 0) this.#addMarkers(addMarkers);
  }

  /** Behind the markers that are there; else where Premiere has them: behind the media and the timecode. */
  #addMarkers(markers: NonNullable<TimelineEdit["addMarkers"]>): void {
    const sequence = this.#sequence();
    if (sequence === null) return;
    const places = [childAt(sequence, "name"), childAt(sequence, "media"), childAt(sequence, "timecode")];
    const behind = childrenNamed(sequence, "marker").at(-1) ?? latestOf(places);
    this.#apply([
      this.#insertion(
        sequence,
        behind,
        markers.map((marker) => markerNode(marker, this.#rate)),
      ),
    ]);
  }

  placeAudio(audio: AudioTrackEdit): void {
    const names = new Set(audio.removeClips ?? []);
    const before = this.#sequence();
    if (before === null) return;
    const ofOurs = new Set([...(audio.ownClips ?? []), ...names]);
    this.#apply(
      removalsOf(ownTracks(before, audio.trackName, ofOurs), names, before, this.text, (one) => this.#removal(one)),
    );
    const sequence = this.#sequence();
    if (sequence === null || audio.addClips === undefined || audio.addClips.length === 0) return;
    const own = ownTracks(sequence, audio.trackName, ofOurs);
    const placer = new AudioPlacer(this.text, sequence, this.#rate, audio);
    if (own.length > 0 && placer.fitsOn(own)) {
      const edits = placer.clipsFor(own).map(({ track, after, node }) => this.#insertion(track, after, [node]));
      this.#apply(edits);
      this.#countLinks(audio.trackName, new Set([...ofOurs, ...audio.addClips.map(({ name }) => name)]));
      return;
    }
    if (own.length > 0) this.#issues.add("clip-in-the-way", 0, audio.addClips[0]?.name);
    this.#addTracks(sequence, placer.newTracks());
  }

  /** Links say which clip of its track they are of: those to clips of a track of ours are counted anew. */
  #countLinks(ownName: string, ownClips: ReadonlySet<string>): void {
    const sequence = this.#sequence();
    if (sequence === null) return;
    const clips = ownTracks(sequence, ownName, ownClips).map((track) => childrenNamed(track, "clipitem"));
    const places = new Map(clips.flatMap((row) => row.map((clip, index) => [clip.attributes.get("id"), index + 1])));
    const edits = [...descendantsNamed(sequence, "link")].flatMap((link) => {
      const [place, stated] = [places.get(textAt(link, "linkclipref")), childAt(link, "clipindex")];
      if (place === undefined || stated === undefined) return [];
      return [this.#replacement(stated, xmlNode("clipindex", place))];
    });
    this.#apply(edits);
  }

  #addTracks(sequence: XmlElement, tracks: readonly XmlNode[]): void {
    const media = childAt(sequence, "media");
    const sound = childAt(media, "audio");
    if (sound !== undefined && childElements(sound).length > 0) {
      const last = childElements(sound).at(-1) ?? null;
      this.#apply([this.#insertion(sound, childrenNamed(sound, "track").at(-1) ?? last, tracks)]);
    } else if (sound !== undefined) this.#apply([this.#replacement(sound, audioNode(tracks))]);
    else if (media !== undefined) {
      this.#apply([this.#insertion(media, childElements(media).at(-1) ?? null, [audioNode(tracks)])]);
    } else {
      const last = childAt(sequence, "name") ?? null;
      this.#apply([this.#insertion(sequence, last, [xmlNode("media", [audioNode(tracks)])])]);
    }
  }

  #known(byId: ReadonlyMap<string, XmlElement>, id: string): XmlElement | undefined {
    const element = byId.get(id);
    if (element === undefined) this.#issues.add("unknown-marker", 0, id);
    return element;
  }

  #setEnabled(track: XmlElement, isOn: boolean): TextEdit {
    const enabled = childAt(track, "enabled");
    const node = xmlNode("enabled", truth(isOn));
    if (enabled !== undefined) return this.#replacement(enabled, node);
    return this.#insertion(track, childElements(track).at(-1) ?? null, [node]);
  }

  /** Takes an element out with the line it stands on. */
  #removal(element: XmlElement): TextEdit {
    const lineStart = this.text.lastIndexOf("\n", element.start - 1) + 1;
    const isAlone = this.text.slice(lineStart, element.start).trim() === "";
    const next = /^[ \t]*\r?\n/.exec(this.text.slice(element.end, element.end + 200))?.[0].length ?? 0;
    return isAlone && next > 0
      ? { start: lineStart, end: element.end + next, text: "" }
      : { start: element.start, end: element.end, text: "" };
  }

  #replacement(element: XmlElement, node: XmlNode): TextEdit {
    const prefix = indentAt(this.text, element.start);
    const text = xmlLines(node, prefix, this.#indent).join(this.#lineEnd).trimStart();
    return { start: element.start, end: element.end, text };
  }

  /** Puts nodes behind an element's child, or at its beginning; one that closes itself is opened. */
  #insertion(parent: XmlElement, after: XmlElement | null, nodes: readonly XmlNode[]): TextEdit {
    const prefix = indentAt(this.text, parent.start) + this.#indent;
    const lines = nodes.flatMap((node) => xmlLines(node, prefix, this.#indent));
    const text = lines.map((line) => this.#lineEnd + line).join("");
    if (!parent.isSelfClosing) {
      const at = after?.end ?? parent.innerStart;
      return { start: at, end: at, text };
    }
    const head = this.text.slice(parent.start, parent.end).replace(/\s*\/>$/, ">");
    const close = `${this.#lineEnd}${indentAt(this.text, parent.start)}</${parent.name}>`;
    return { start: parent.start, end: parent.end, text: head + text + close };
  }

  #apply(edits: readonly TextEdit[]): void {
    if (edits.length > 0) this.text = applyTextEdits(this.text, edits);
  }

  /** The sequence, in the text as it is now. */
  #sequence(): XmlElement | null {
    const { root } = parseXml(this.text);
    return root === null ? null : chosenSequence(root, this.#name);
  }
}

function latestOf(elements: readonly (XmlElement | undefined)[]): XmlElement | null {
  return elements.reduce<XmlElement | null>(
    (latest, one) => (one !== undefined && (latest === null || one.start > latest.start) ? one : latest),
    null,
  );
}
