import { defined } from "../core/objects.ts";
import { type Reading, type Receipt, TIME_UNITS, type Verdict } from "../core/verdict.ts";
import { type JsonObject, listField, numberField, objectOf, textField } from "./reply.ts";

/** Which files a service reads. */
export interface TextReading {
  readonly maximumBytes: number;
  /** Endings of their names, without the dot. */
  readonly endings: readonly string[];
}

/** A file of captions or descriptions as a service read it. */
export interface ReadTextFile {
  /** Name of the format; `null` where it is in none that is read. */
  readonly format: string | null;
  /** The cues as WebVTT on the film's clock; empty where nothing of it is used. */
  readonly webvtt: string;
  readonly verdict: Verdict;
  readonly receipt: Receipt;
}

/** Reads the reply of `GET read_text`; `null` for one that names no endings. */
export function readTextReading(reply: JsonObject): TextReading | null {
  const maximumBytes = numberField(reply, "maximum_bytes");
  const endings = listField(reply, "endings").filter((one) => typeof one === "string");
  return maximumBytes === undefined || endings.length === 0 ? null : { maximumBytes, endings };
}

/** Reads the reply of `POST read_text`; `null` without a verdict that is known: nothing is used of a text without one. */
export function readTextFile(reply: JsonObject): ReadTextFile | null {
  const verdict = verdictIn(objectOf(reply["verdict"]) ?? {});
  if (verdict === null) return null;
  const told = objectOf(reply["receipt"]) ?? {};
  const leftOut = listField(told, "left_out").flatMap((value) => {
    const one = objectOf(value) ?? {};
    const [what, count] = [textField(one, "what"), numberField(one, "count")];
    const words = texts(one, "words");
    if (what === undefined || count === undefined) return [];
    return [{ what, count, ...(words.length === 0 ? {} : { words }) }];
  });
  const format = textField(reply, "format") ?? null;
  return {
    format,
    webvtt: textField(reply, "webvtt") ?? "",
    verdict,
    receipt: { facts: texts(told, "facts"), leftOut, ...choicesIn(objectOf(told["choices"])) },
  };
}

function choicesIn(choices: JsonObject | null | undefined): Pick<Receipt, "choices"> {
  if (!choices) return {};
  const [start, unit] = [textField(choices, "start"), textField(choices, "unit")];
  const [rate, column] = [textField(choices, "rate"), textField(choices, "column")];
  return { choices: defined({ start, unit, rate, column }) };
}

function verdictIn(verdict: JsonObject): Verdict | null {
  switch (verdict["kind"]) {
    case "fits":
      return { kind: "fits" };
    case "repaired":
      return { kind: "repaired", how: texts(verdict, "how") };
    case "unsure": {
      const readings = listField(verdict, "readings").flatMap((one) => readingIn(objectOf(one) ?? {}) ?? []);
      return { kind: "unsure", question: textField(verdict, "question") ?? "", readings };
    }
    case "does not fit": {
      const mend = (["start", "unit", "column", "rate"] as const).find((one) => one === verdict["mend"]);
      return { kind: "does not fit", why: textField(verdict, "why") ?? "", ...defined({ mend }) };
    }
    default:
      return null;
  }
}

function readingIn(reading: JsonObject): Reading | null {
  const label = textField(reading, "label");
  const chosen = objectOf(reading["choice"]) ?? {};
  const [start, column, rate] = [textField(chosen, "start"), textField(chosen, "column"), textField(chosen, "rate")];
  const unit = TIME_UNITS.find((one) => one === chosen["unit"]);
  const choice = defined({ start, unit, rate, column });
  if (label === undefined || Object.keys(choice).length === 0) return null;
  return {
    label,
    choice,
    fit: numberField(reading, "fit") ?? 0,
    fitting: numberField(reading, "fitting") ?? 0,
    lines: numberField(reading, "lines") ?? 0,
    preview: listField(reading, "preview").flatMap((value, index) => {
      const cue = objectOf(value) ?? {};
      const [from, end, text] = [numberField(cue, "start"), numberField(cue, "end"), textField(cue, "text")];
      return from === undefined || end === undefined || text === undefined
        ? []
        : [{ id: String(index + 1), start: from, end, text }];
    }),
  };
}

function texts(object: JsonObject, name: string): string[] {
  return listField(object, name).filter((one) => typeof one === "string");
}
