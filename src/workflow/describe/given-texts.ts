import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { defined } from "../../core/objects.ts";
import type { DescriptionSettings } from "../../core/settings.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import { heldBackReason } from "../../formats/gate/text-rows.ts";
import { type ParseIssue, whyNothing } from "../../formats/parse-issue.ts";
import { type ReadServiceText, readServiceText, type ServiceTextReading } from "../../formats/service-formats.ts";
import { writeWebVtt } from "../../formats/webvtt/webvtt.ts";
import { TextHeldBack, WorkflowError } from "../errors.ts";

/** What the texts that a user gives with a run hold. */
export interface GivenTexts {
  readonly captions?: readonly Cue[];
  readonly script?: readonly Cue[];
  /** Those of the texts whose times are meant otherwise than they stand, on the film's clock. */
  readonly asUnderstood: Pick<DescriptionSettings, "captions" | "script">;
  /** What was understood of them, in sentences. */
  readonly told: readonly string[];
  /** A finding for each place of the script whose words have no time that can be read. */
  readonly unreadScript: readonly Finding[];
}

/**
 * Reads the captions and the script of a run before anything is exported or sent: a text that no service could read
 * either is found here, and costs nothing. Texts whose times are meant otherwise than they stand (on the film's timecode, in
 * milliseconds) go on as WebVTT on the film's clock.
 *
 * @param film What is known of the film; nothing where only a part of it is described.
 * @throws WorkflowError `captions_unreadable` or `script_unreadable`; TextHeldBack where a text may be meant in several ways, or is not of
 * the film.
 */
export function readGivenTexts(
  settings: Pick<DescriptionSettings, "captions" | "script">,
  film: FilmReading = {},
): GivenTexts {
  const { captions, script } = settings;
  const read = script === undefined ? null : textOf("script", script, { ...film, holds: "descriptions" });
  const said =
    captions === undefined
      ? null
      : textOf("captions", captions.content, {
          ...film,
          holds: "dialogue",
          ...defined({ format: captions.format, filename: captions.filename }),
        });
  return {
    ...(said === null ? {} : { captions: said.cues }),
    ...(read === null ? {} : { script: read.cues }),
    asUnderstood: {
      ...(captions === undefined || said?.turned === undefined
        ? {}
        : { captions: { content: said.turned, format: "vtt", filename: "captions.vtt" } }),
      ...(read?.turned === undefined ? {} : { script: read.turned }),
    },
    told: [
      ...(said?.turned === undefined ? [] : [`Captions: ${said.receipt?.facts.join("; ")}.`]),
      ...(read?.turned === undefined ? [] : [`Script: ${read.receipt?.facts.join("; ")}.`]),
    ],
    unreadScript: (read?.issues ?? []).filter(isUnread).map(({ line, message, text }) => ({
      rule: "script-unread",
      severity: "warn",
      cueIds: [],
      message: `line ${line} of the script is not spoken: ${message} (“${text.slice(0, SHOWN)}”)`,
    })),
  };
}

/** Words of a line that are shown, in characters. */
const SHOWN = 80;

/** Whether words were lost there. */
function isUnread({ effect, line, text }: ParseIssue): boolean {
  return effect === "dropped" && line > 0 && /\p{L}/u.test(text);
}

/** A text as it was understood; `turned` where it stands otherwise. */
interface Understood extends ReadServiceText {
  readonly turned?: string;
}

function textOf(name: "captions" | "script", text: string, reading: ServiceTextReading): Understood {
  const read = readServiceText(text, reading);
  const { cues, issues, verdict } = read;
  if (cues.length > 0)
    return verdict?.kind === "repaired" ? { ...read, turned: writeWebVtt(cues, { isOnFilmClock: true }) } : read;
  const why = heldBackReason(verdict);
  if (verdict !== undefined && why !== null) throw new TextHeldBack(`the ${name}: ${why}`, verdict);
  throw new WorkflowError(`${name}_unreadable`, whyNothing(issues, "nothing in them has a time"));
}

/**
 * The notes of a service that say anything new: how it read a text ("Captions: 7 captions; zero is 00:00:00.") is told already
 * where whoever sent it read it alike, fact by fact.
 *
 * @param told Sentences of before: "Captions “film.vtt”: 7 captions."
 */
export function untold(notes: readonly string[], told: readonly string[]): readonly string[] {
  return notes.filter((note) => {
    const [, text = "", facts = ""] = /^(Captions|Script): (.+)\.$/.exec(note) ?? [];
    const isTold = (fact: string) =>
      told.some((one) => one.startsWith(`${TOLD_AS[text]} “`) && one.endsWith(`”: ${fact}.`));
    return facts === "" || !facts.split("; ").every(isTold);
  });
}

/** What a text is called where its receipt is told. */
const TOLD_AS: Readonly<Record<string, string>> = { Captions: "Captions", Script: "Descriptions" };
