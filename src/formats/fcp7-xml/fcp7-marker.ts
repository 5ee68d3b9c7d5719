import { defined } from "../../core/defined.ts";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import type { TimelineMarker } from "../../core/timeline.ts";
import { type XmlNode, xmlNode } from "../xml/write-xml.ts";
import { numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";

/**
 * Marker colours as Premiere writes them, 0xAABBGGRR. Green, its default, has none. Read off its exports by public tools
 * that write the same element; the names are those of its marker menu.
 */
const PREMIERE_COLOURS: ReadonlyMap<string, number> = new Map([
  ["red", 4281740498],
  ["yellow", 4281049552],
  ["purple", 4289825711],
  ["magenta", 4289825711],
  ["orange", 4280578025],
  ["white", 4294967295],
  ["blue", 4294741314],
  ["cyan", 4292277273],
]);

/** Reads a marker element, its times counted at `rate` from 0. `null` when it has no time. */
export function markerOf(element: XmlElement, id: string, rate: FrameRate): TimelineMarker | null {
  const first = numberAt(element, "in");
  if (first === null || first < 0) return null;
  const last = numberAt(element, "out") ?? -1;
  const colour = colourOf(numberAt(element, "pproColor"));
  return {
    id,
    name: textAt(element, "name"),
    comment: textAt(element, "comment"),
    start: secondsFromFrames(first, rate),
    // -1 stands for a marker without length.
    end: secondsFromFrames(Math.max(first, last), rate),
    ...defined({ colour }),
  };
}

function colourOf(value: number | null): string | undefined {
  for (const [name, number] of PREMIERE_COLOURS) if (number === value) return name;
  return undefined;
}

/** A marker as Premiere writes it; the colour is left out where Premiere has none of that name, or it is green. */
export function markerNode(marker: TimelineMarker, rate: FrameRate): XmlNode {
  const first = framesFromSeconds(marker.start, rate);
  const last = framesFromSeconds(marker.end, rate);
  const colour = PREMIERE_COLOURS.get(marker.colour ?? "");
  return xmlNode("marker", [
    xmlNode("comment", marker.comment),
    xmlNode("name", marker.name),
    xmlNode("in", first),
    xmlNode("out", last > first ? last : -1),
    ...(colour === undefined ? [] : [xmlNode("pproColor", colour)]),
  ]);
}
