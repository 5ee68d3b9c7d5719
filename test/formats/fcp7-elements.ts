import { parseXml } from "../../src/formats/xml/parse-xml.ts";
import {
  childAt,
  childElements,
  childrenNamed,
  descendantsNamed,
  textAt,
  type XmlElement,
} from "../../src/formats/xml/xml-element.ts";

/** The outermost element of a document. */
export function rootOf(text: string): XmlElement {
  const { root } = parseXml(text);
  if (root === null) throw new Error("no document");
  return root;
}

/** Links of a sequence that do not stand for the clip that they name: by its track among those of its kind, and its place there. */
export function wrongLinks(sequence: XmlElement): string[] {
  return ["video", "audio"].flatMap((kind) => {
    const media = childAt(sequence, "media", kind);
    const tracks = media === undefined ? [] : childrenNamed(media, "track");
    const places = new Map(
      tracks.flatMap((track, trackIndex) =>
        childrenNamed(track, "clipitem").map((clip, index) => [
          clip.attributes.get("id"),
          `${kind} ${trackIndex + 1} ${index + 1}`,
        ]),
      ),
    );
    return tracks
      .flatMap((track) => childrenNamed(track, "clipitem"))
      .flatMap((clip) => childrenNamed(clip, "link"))
      .map((link) => [
        places.get(textAt(link, "linkclipref")),
        `${textAt(link, "mediatype")} ${textAt(link, "trackindex")} ${textAt(link, "clipindex")}`,
      ])
      .flatMap(([place, stated]) => (place === stated ? [] : [`${stated} instead of ${place}`]));
  });
}

/** Ids that are given to two elements, or named where nothing is written out under them. */
export function wrongIds(root: XmlElement): string[] {
  const clips = [...descendantsNamed(root, "clipitem")].map((clip) => clip.attributes.get("id") ?? "");
  const files = [...descendantsNamed(root, "file")];
  const written = files.filter((file) => childElements(file).length > 0).map((file) => file.attributes.get("id") ?? "");
  const twice = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);
  const named = files.map((file) => file.attributes.get("id") ?? "").filter((id) => !written.includes(id));
  return [...twice(clips), ...twice(written), ...named];
}
