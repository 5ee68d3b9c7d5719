import type { Cue } from "../../core/cue.ts";
import { framesFromSeconds } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { element, type XmlNode, xmlDocument } from "../xml/write-xml.ts";

/** What stands in FCPXML beside the cues. */
export interface FcpxmlWriting {
  readonly grid: FrameGrid;
  /** Default `Audio description`. */
  readonly title?: string;
  /** BCP-47 code of the words; default `en`. */
  readonly language?: string;
}

/** How Final Cut Pro itself draws its captions; each caption states it anew. */
const STYLE = { font: ".AppleSystemUIFont", fontSize: "13", fontColor: "1 1 1 1", backgroundColor: "0 0 0 1" };

/**
 * Writes cues as FCPXML 1.10, which Final Cut Pro imports as a project: one gap as long as the cues, with a marker and a caption in iTT
 * for each of them, to be copied into a cut. A cue that begins before the one before has ended has no caption: there is room for one at
 * a time. Times are frames of the grid, the nearest ones.
 */
export function writeFcpxml(cues: readonly Cue[], { grid, title, language = "en" }: FcpxmlWriting): string {
  const name = foldWhiteSpace(title ?? "") || "Audio description";
  const { numerator, denominator } = grid.rate;
  const time = (frames: number) => `${BigInt(frames) * BigInt(denominator)}/${numerator}s`;
  const placed = placedOn(cues, grid);
  const start = time(grid.startFrame);
  const duration = time(placed.reduce((latest, { end }) => Math.max(latest, end), 1));
  const at = (frames: number) => time(grid.startFrame + frames);
  const captions = placed.filter(({ hasRoom }) => hasRoom);
  const gap = element("gap", { name: "Gap", offset: start, start, duration }, [
    ...captions.map((cue, index) =>
      captionNode(cue.text, `ts${index + 1}`, {
        lane: "1",
        offset: at(cue.start),
        name: cue.text,
        duration: time(cue.end - cue.start),
        role: `iTT?captionFormat=ITT.${language}`,
      }),
    ),
    ...placed.map((cue) =>
      element("marker", { start: at(cue.start), duration: time(cue.end - cue.start), value: cue.text }),
    ),
  ]);
  const tcFormat = grid.isDropFrame ? "DF" : "NDF";
  const sequence = element("sequence", { format: "r1", duration, tcStart: start, tcFormat }, [
    element("spine", {}, [gap]),
  ]);
  const document = element("fcpxml", { version: "1.10" }, [
    element("resources", {}, [element("format", { id: "r1", frameDuration: time(1) })]),
    element("library", {}, [element("event", { name }, [element("project", { name }, [sequence])])]),
  ]);
  return xmlDocument(document, { doctype: "fcpxml" });
}

/** A cue in frames from the first one. */
interface CueInFrames {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether no earlier cue is shown then. */
  readonly hasRoom: boolean;
}

function placedOn(cues: readonly Cue[], { rate }: FrameGrid): CueInFrames[] {
  let free = 0;
  return cues.map((cue) => {
    const start = framesFromSeconds(cue.start, rate);
    const end = Math.max(start + 1, framesFromSeconds(cue.end, rate));
    const hasRoom = start >= free;
    free = Math.max(free, end);
    return { text: foldWhiteSpace(cue.text), start, end, hasRoom };
  });
}

function captionNode(text: string, style: string, attributes: Readonly<Record<string, string>>): XmlNode {
  return element("caption", attributes, [
    element("text", { placement: "bottom" }, [element("text-style", { ref: style }, text)]),
    element("text-style-def", { id: style }, [element("text-style", STYLE)]),
  ]);
}
